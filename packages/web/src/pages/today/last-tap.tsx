import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { wordsOf } from '../../parts/words/words-of-tap.js';

/** The last tap that this page saw, with its outcome. */
export function LastTap(): VNode | null {
  const { session, texts, formats } = usePage();
  const seen = session.today.lastTap.value;
  if (seen === undefined) return null;
  const { tap, number, at, name } = seen;
  return (
    <p class="last-tap" data-outcome={tap.outcome} key={number}>
      <span class="quiet">{texts.today.lastTap}</span>
      <strong>{name === undefined ? texts.tap.unknownTag : formats.name(name)}</strong>
      <span>
        {wordsOf(tap, texts)} · <time>{formats.seconds(at)}</time> · {tap.reader}
      </span>
    </p>
  );
}
