import type { PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { peopleTexts } from '../texts/topics/people.js';
import { groupedId } from './words.js';

/** Tags, with those that are lost marked. */
export function TagList({ tags }: { readonly tags: PersonSummary['tags'] }): VNode {
  const { words } = usePage(peopleTexts);
  return (
    <span class="tag-list">
      {tags.map(({ id, isLost }) => (
        <code key={id} class="id">
          {isLost ? <del>{groupedId(id)}</del> : groupedId(id)}
          {isLost && ` ${words.why.lost}`}
        </code>
      ))}
    </span>
  );
}
