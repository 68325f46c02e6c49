import type { Clock } from '../../ports/clock.js';
import type { ErasureStore } from '../../ports/record/erasure-store.js';
import type { Pause } from '../../sort-in-turns.js';
import { Turns } from '../../turns.js';
import type { TallyId } from '../../values/tally-id.js';
import type { DownItem, UpItem } from '../../values/sync/sync.js';

export interface LookUpParts {
  readonly erasures: Pick<ErasureStore, 'refusedUntil'>;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** Lets others work. Without it, or a clock, all is done at once. */
  readonly pause?: Pause;
}

/**
 * Asks of all tags of items whether they were erased, a few at a time. A store remembers it, so that each can be asked of again, at once
 * before it is written, without the first cost.
 */
export async function lookUpTags(
  items: readonly (UpItem | DownItem)[],
  { erasures, clock, pause }: LookUpParts,
): Promise<void> {
  if (clock === undefined || pause === undefined) return;
  const turns = new Turns(pause, () => clock.monotonicMs());
  for (const id of new Set(items.flatMap(tagsOf))) {
    erasures.refusedUntil(id);
    await turns.next();
  }
}

function tagsOf(item: UpItem | DownItem): readonly TallyId[] {
  if (item.kind === 'entries') return item.entries.map(({ id }) => id);
  if (item.kind === 'correction') return [item.correction.id];
  return 'id' in item ? [item.id] : [];
}
