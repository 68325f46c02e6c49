import { carriedKeyOf, mergePeople, type PeopleRow, type PeopleRows, type TallyId } from '@tallybook/domain';
import { noPeopleRows, peopleRowPages, withoutErased } from '@tallybook/domain/record';
import type { FullStorage } from '../config/stores.js';

type Source = Pick<FullStorage, 'people' | 'stampedNames'>;
type Target = Pick<FullStorage, 'people' | 'erasures'>;

type SiftItems = NonNullable<NonNullable<Parameters<typeof mergePeople>[2]>['sift']>;

interface CopyPeopleOptions {
  readonly isMerging: boolean;
  readonly onProgress: (text: string) => void;
}

/**
 * Copies groups, carried rows, persons, the timelines of tags, and the names that follow from them. In a merge, each value is that with the later stamp,
 * and persons who were erased in the target stay out.
 */
export async function copyPeople(
  { people: from, stampedNames }: Source,
  { people: to, erasures }: Target,
  { isMerging, onProgress }: CopyPeopleOptions,
): Promise<void> {
  let count = 0;
  const sift: SiftItems = (item, isNamed) => withoutErased(item, { people: to, erasures }, isNamed);
  for await (const page of peopleRowPages(from)) {
    if (isMerging) await mergePeople(to, page, { sift });
    else await to.write(await rowsOf(page, from, stampedNames), noPeopleRows);
    const [first] = page;
    if (first?.kind !== 'person' && first?.kind !== 'tag') continue;
    count += page.length;
    onProgress(`copying persons and their tags: ${count}`);
  }
}

/** The rows of a page, with the names that follow from them. */
async function rowsOf(
  page: readonly PeopleRow[],
  people: Source['people'],
  stampedNames: Source['stampedNames'],
): Promise<PeopleRows> {
  const rows = { persons: new Map(), timelines: new Map(), groups: new Map(), carried: new Map() };
  const tags: TallyId[] = [];
  for (const row of page) {
    if (row.kind === 'person') {
      rows.persons.set(row.person.id, row.person);
      if (row.person.isUntagged === true) tags.push(people.lastResortOf(row.person.id));
    } else if (row.kind === 'tag') {
      rows.timelines.set(row.timeline.tag, row.timeline);
      tags.push(row.timeline.tag);
    } else if (row.kind === 'group') rows.groups.set(row.group.id, row.group);
    else rows.carried.set(carriedKeyOf(row.row), row.row);
  }
  return { ...rows, names: new Map((await stampedNames.get(tags)).map((name) => [name.id, name])) };
}
