import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { stationTexts } from '../../texts/topics/stations.js';

/** How many changes wait to be sent to a centre, and since when. */
export function WaitingChanges({
  of: { waiting, oldestWaitingAt },
}: {
  readonly of: { readonly waiting: number; readonly oldestWaitingAt: number | null };
}): VNode {
  const { formats } = usePage();
  const words = useTopic(stationTexts);
  return (
    <p>
      {waiting === 0 ? words.nothingWaits : words.waiting(waiting)}
      {oldestWaitingAt !== null && ` ${words.since(formats.dateTime(oldestWaitingAt))}`}
    </p>
  );
}
