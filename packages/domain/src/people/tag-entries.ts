import { standing, type Timeline, type TimelineEntry } from '../values/people/timeline.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import type { Moment } from './moment.js';
import type { PeopleDraft } from './people-draft.js';

/** Puts an entry into the timeline of a tag. The next one was taken from its holder now. */
export function putEntry(
  draft: PeopleDraft,
  moment: Moment,
  { tag, ...entry }: Pick<TimelineEntry, 'since' | 'holder' | 'why'> & { readonly tag: TallyId },
): void {
  const { entries } = draft.timeline(tag);
  const former = entries.find(({ since }) => since === entry.since);
  const before = standing({ entries }).findLast(({ since }) => since < entry.since);
  const put: TimelineEntry = {
    ...entry,
    stamp: moment.stampAfter(former?.stamp),
    ...(former && { over: former.stamp }),
    ...(before?.holder !== undefined && { after: before.holder }),
  };
  draft.putTimeline({ tag, entries: withNext(withEntry(entries, put), put.since, moment) });
}

/** Says that an entry was a mistake. */
export function undoEntry(
  draft: PeopleDraft,
  moment: Moment,
  {
    timeline: { tag, entries },
    entry: { since, why, stamp },
  }: { readonly timeline: Timeline; readonly entry: TimelineEntry },
): void {
  const undone: TimelineEntry = { since, why, stamp: moment.stampAfter(stamp), over: stamp, isUndone: true };
  draft.putTimeline({ tag, entries: withNext(withEntry(entries, undone), since, moment) });
}

/** Writes anew from whom the entry after a second was taken. */
function withNext(
  entries: readonly TimelineEntry[],
  second: Timestamp,
  moment: Moment,
): readonly TimelineEntry[] {
  const next = standing({ entries }).find(({ since }) => since > second);
  if (next === undefined) return entries;
  const before = standing({ entries }).findLast(({ since }) => since < next.since);
  if (next.after === before?.holder && next.doubt === undefined) return entries;
  const { after: _, doubt: __, ...rest } = next;
  const after = before?.holder;
  return withEntry(entries, {
    ...rest,
    ...{ stamp: moment.stampAfter(next.stamp), over: next.stamp },
    ...(after !== undefined && { after }),
  });
}

function withEntry(entries: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  return [...entries.filter(({ since }) => since !== entry.since), entry].sort((a, b) => a.since - b.since);
}
