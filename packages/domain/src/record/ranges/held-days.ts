import type { Holders } from '../../people/holders.js';
import type { PersonId } from '../../values/people/person.js';
import type { Snapshot } from '../../ports/record/snapshot-source.js';
import type { Day } from '../../values/day.js';
import type { Entry } from '../../values/record/attendance-day.js';
import type { Timestamp } from '../../values/timestamp.js';

/** The parts of a snapshot from which ranges of days are made. */
export type RangeSnapshot = Pick<
  Snapshot,
  'names' | 'persons' | 'timelines' | 'groups' | 'days' | 'scans' | typeof Symbol.asyncDispose
>;

/** An entry of a day, or its part that belongs to one holder of the tag. */
export interface HeldEntry extends Entry {
  /** Absent if nobody held the tag. */
  readonly person?: PersonId;
  /** The tag was lost then: it counts for nobody. */
  readonly isLost?: true;
}

/** A day whose entries are divided by holder. */
export interface HeldDay {
  readonly day: Day;
  /** By first scan, as in the record; the parts of an entry one after another. */
  readonly entries: readonly HeldEntry[];
}

/** Days with the holders of their tags. Rejects as `Snapshot` does. */
export async function* heldDays(
  snapshot: RangeSnapshot,
  holders: Holders,
  from: Day,
  to: Day,
): AsyncGenerator<HeldDay, void, undefined> {
  for await (const { day, entries } of snapshot.days(from, to)) {
    const held: HeldEntry[] = [];
    for (const entry of entries) {
      const { id, first, last } = entry;
      if (holders.boundaries(id, first, last).length === 0)
        held.push({ ...entry, ...holders.holderOf(id, first) });
      else held.push(...divide(entry, await snapshot.scans(day, id), holders));
    }
    yield { day, entries: held };
  }
}

/** Divides an entry by the seconds of its scans. Scans of unknown seconds go to the holder at the first one. */
export function divide(
  { id, first, last, count, isCorrected }: Entry,
  scans: readonly Timestamp[],
  holders: Pick<Holders, 'holderOf'>,
): readonly HeldEntry[] {
  const seconds = [...new Set([first, ...scans.filter((at) => at > first && at < last), last])];
  const parts: { owner: ReturnType<Holders['holderOf']>; seconds: Timestamp[] }[] = [];
  for (const at of seconds.sort((a, b) => a - b)) {
    const owner = holders.holderOf(id, at);
    const same = parts.find(
      (part) => part.owner.person === owner.person && part.owner.isLost === owner.isLost,
    );
    if (same === undefined) parts.push({ owner, seconds: [at] });
    else same.seconds.push(at);
  }
  const unknown = Math.max(count - seconds.length, 0);
  return parts.map(({ owner, seconds: its }, index) => ({
    id,
    first: its[0] ?? first,
    last: its.at(-1) ?? last,
    count: its.length + (index === 0 ? unknown : 0),
    ...(isCorrected && { isCorrected }),
    ...owner,
  }));
}
