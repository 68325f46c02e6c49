import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { stationTexts } from '../../texts/topics/stations.js';

/** Items that a centre refused, with its reasons in English. */
export function RefusedList({
  refused,
  count = refused.length,
}: {
  readonly refused: readonly {
    readonly run?: string;
    readonly cursor: number;
    readonly at?: number;
    readonly code: string;
    readonly message: string;
  }[];
  /** Number of all refused items. `refused` has the latest ones. */
  readonly count?: number;
}): VNode | null {
  const { formats } = usePage();
  const words = useTopic(stationTexts);
  if (refused.length === 0) return null;
  return (
    <details>
      <summary>{words.refused(count)}</summary>
      <ol class="scans">
        {[...refused].reverse().map(({ run, cursor, at, code, message }) => (
          <li key={`${run ?? ''} ${cursor}`}>
            {at !== undefined && <time>{formats.dateTime(at)}: </time>}
            <span lang="en">{message}</span> <code>{code}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}
