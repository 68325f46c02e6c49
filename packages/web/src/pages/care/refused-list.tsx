import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { stationTexts } from '../../texts/topics/stations.js';

/** What a centre did not take, in its words, which are English. */
export function RefusedList({
  refused,
}: {
  readonly refused: readonly {
    readonly run: string;
    readonly cursor: number;
    readonly at: number;
    readonly code: string;
    readonly message: string;
  }[];
}): VNode | null {
  const { formats } = usePage();
  const words = useTopic(stationTexts);
  if (refused.length === 0) return null;
  return (
    <details>
      <summary>{words.refused(refused.length)}</summary>
      <ol class="scans">
        {[...refused].reverse().map(({ run, cursor, at, code, message }) => (
          <li key={`${run} ${cursor}`}>
            <time>{formats.dateTime(at)}</time>: <span lang="en">{message}</span> <code>{code}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}
