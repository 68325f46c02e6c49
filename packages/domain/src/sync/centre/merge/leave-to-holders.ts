import type { PeopleStore } from '../../../ports/people/people-store.js';
import type { ErasureStore } from '../../../record/ports/erasure-store.js';
import type { Erasure } from '../../../record/values/erasure.js';
import { standing, type Timeline } from '../../../values/people/timeline.js';
import type { TallyId } from '../../../values/tally-id.js';
import type { Timestamp } from '../../../values/timestamp.js';

type Span = Pick<Erasure, 'from' | 'until'>;

/**
 * Takes the time of others out of erasures: a station tells only now that the tag had another holder since. Their scans are in the
 * same batch, and must not be refused.
 */
export async function leaveToHolders(
  tags: readonly TallyId[],
  people: PeopleStore,
  erasures: Pick<ErasureStore, 'of' | 'shorten' | 'add'>,
  now: Timestamp,
): Promise<void> {
  const { timelines } = await people.read({ timelines: tags });
  for (const timeline of timelines.values()) {
    if (timeline === undefined) continue;
    for (const erasure of erasures.of(timeline.tag)) {
      const [first, ...others] = spansWithoutHolder(erasure, timeline);
      // An erasure that another person's time begins with was decided on another past.
      if (first === undefined || first.from !== erasure.from || first.until === erasure.until) continue;
      await erasures.shorten([{ ...erasure, until: first.until, isClosed: true }]);
      await erasures.add(
        others.map((span) => ({ ...erasure, ...span })),
        now,
      );
    }
  }
}

/** The parts of a span in which nobody holds the tag who is still there. */
function spansWithoutHolder({ from, until }: Span, timeline: Timeline): readonly Span[] {
  const entries = standing(timeline);
  const parts: Span[] = [];
  let start: Timestamp | undefined = from;
  for (const { since, holder } of entries) {
    if (since > until) break;
    if (holder === undefined) start ??= since;
    else {
      if (start !== undefined && since > start) parts.push({ from: start, until: (since - 1) as Timestamp });
      start = undefined;
    }
  }
  // The time of a holder before the span does not count.
  if (start !== undefined) parts.push({ from: start, until });
  return parts;
}
