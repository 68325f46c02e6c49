import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { inGroup } from '../routing.js';

/** Number of persons in each group, by its id. */
export function countGroups(
  people: readonly { readonly groups: readonly string[] }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { groups } of people) for (const id of groups) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * Limits the page to one group, which its address remembers: a link for each group, with a number beside it. Empty where there are
 * no groups.
 *
 * @param counts By id. A group without members today, and without a count, is left out. Absent: all groups, without numbers.
 */
export function GroupFilter({ counts }: { readonly counts?: ReadonlyMap<string, number> }): VNode | null {
  const { session, address, texts, formats } = usePage();
  const { id: chosen } = useGroup();
  const groups = session.people.groups.value.filter(
    ({ id, members }) => counts === undefined || members > 0 || id === chosen || counts.has(id),
  );
  if (groups.length === 0 && chosen === '') return null;
  const all = [{ id: '', name: texts.groups.all }, ...groups];
  return (
    <nav class="groups" aria-label={texts.groups.title}>
      {all.map(({ id, name }) => (
        <a
          key={id}
          href={inGroup(`#${address.path.value}`, id)}
          class="button"
          {...(id === chosen && { 'aria-current': 'true' })}
        >
          {name}
          {counts !== undefined && id !== '' && <strong> {formats.number(counts.get(id) ?? 0)}</strong>}
        </a>
      ))}
    </nav>
  );
}

/**
 * The group to which the page is limited. A group that is not there, as after a merge, limits nothing: in a fire, an empty list
 * would be wrong.
 */
export function useGroup(): {
  /** Empty: none. */
  readonly id: string;
  readonly name: string;
  readonly has: (person: { readonly groups: readonly string[] }) => boolean;
} {
  const { session, address } = usePage();
  const { groups, isLoaded } = session.people;
  const asked = address.group.value;
  const id = isLoaded.value && !groups.value.some((group) => group.id === asked) ? '' : asked;
  return {
    id,
    name: id && session.people.groupName(id),
    has: ({ groups }) => id === '' || groups.includes(id),
  };
}
