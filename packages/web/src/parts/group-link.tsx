import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { inGroup, paths } from '../routing.js';

/** The name of a group, as a link to its members. */
export function GroupLink({ id }: { readonly id: string }): VNode {
  const { session } = usePage();
  return (
    <a href={inGroup(paths.people, id)} class="person-link">
      {session.people.groupName(id)}
    </a>
  );
}
