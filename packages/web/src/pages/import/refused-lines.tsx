import type { RefusedLine } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';

/** Maximum number of shown lines: nobody corrects more by hand. */
const MOST = 100;

/** The refused lines, with reasons. */
export function RefusedLines({ refused }: { readonly refused: readonly RefusedLine[] }): VNode {
  const { texts, formats } = usePage();
  return (
    <section class="refused" aria-labelledby="refused">
      <h3 id="refused">{texts.import.refused(refused.length)}</h3>
      <p>{texts.import.refusedHint}</p>
      <ul>
        {refused.slice(0, MOST).map(({ line, code, message }) => {
          const words = texts.failure.codes[code];
          return (
            <li key={line}>
              <strong>{texts.import.lineNumber(formats.number(line))}</strong>{' '}
              <span lang={words === undefined ? 'en' : undefined}>{words ?? message}</span>
            </li>
          );
        })}
      </ul>
      {refused.length > MOST && <p>{texts.import.more(refused.length - MOST)}</p>}
    </section>
  );
}
