import type { Clock } from '../../ports/clock.js';
import type { Refusals } from '../../ports/record/refusals.js';
import { Turns, type Pause } from '../../record/turns.js';
import type { TallyId } from '../../values/tally-id.js';
import type { DownItem, UpItem } from '../values/sync.js';

export interface LookUpParts {
  readonly erasures: Refusals;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** Lets other work run. Without it, or without a clock, no tag is looked up in advance. */
  readonly pause?: Pause;
}

/**
 * Looks up the erasures of all tags in the items, a few at a time. The store remembers the results. So the second
 * look-up, right before the write, is cheap.
 */
export async function lookUpTags(
  items: readonly (UpItem | DownItem)[],
  { erasures, clock, pause }: LookUpParts,
): Promise<void> {
  if (clock === undefined || pause === undefined) return;
  const turns = new Turns(pause, () => clock.monotonicMs());
  for (const id of new Set(items.flatMap(tagsOf))) {
    erasures.isRefused(id, undefined);
    await turns.next();
  }
}

function tagsOf(item: UpItem | DownItem): readonly TallyId[] {
  if (item.kind === 'entries') return item.entries.map(({ id }) => id);
  if (item.kind === 'correction') return [item.correction.id];
  return 'id' in item ? [item.id] : [];
}
