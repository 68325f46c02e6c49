import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { groupedId } from './words.js';
import { paths } from '../routing.js';

/** Lost tags that were tapped today: nobody knows by whom. */
export function LostTags(): VNode | null {
  const { session, texts } = usePage();
  const lost = session.today.lost.value;
  if (lost.length === 0) return null;
  return (
    <p class="notice lost-tags">
      {texts.today.lost}{' '}
      {lost.map(({ key, ids: [id = ''] }) => (
        <a key={key} href={paths.tag(id)}>
          <code class="id">{groupedId(id)}</code>{' '}
        </a>
      ))}
    </p>
  );
}
