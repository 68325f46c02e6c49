import type { Snapshot, SnapshotSource } from '../../ports/record/snapshot-source.js';
import type { AttendanceDay } from '../../values/record/attendance-day.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import { withMembers } from '../../with-members.js';
import { countingScans } from './correct-day.js';
import { correctWith } from './corrected-day-store.js';

/** Snapshots whose days and scans have their corrections applied, as in `CorrectedDayStore`. Backups read the source below instead. */
export class CorrectedSnapshotSource implements SnapshotSource {
  readonly #snapshots: SnapshotSource;

  constructor(snapshots: SnapshotSource) {
    this.#snapshots = snapshots;
  }

  async take(): Promise<Snapshot> {
    const snapshot = await this.#snapshots.take();
    return withMembers(snapshot, {
      days: (from, to) => correctedDays(snapshot, from, to),
      scans: async (day, id) => {
        const corrections: Correction[] = [];
        for await (const each of snapshot.corrections(day, day)) if (each.id === id) corrections.push(each);
        return countingScans(await snapshot.scans(day, id), corrections);
      },
    });
  }
}

interface DayOfCorrections {
  readonly day: Day;
  readonly corrections: readonly Correction[];
}

/** Goes through records and corrections side by side, one day of each in memory. */
async function* correctedDays(
  snapshot: Snapshot,
  from?: Day,
  to?: Day,
): AsyncGenerator<AttendanceDay, void, undefined> {
  const correct = async (
    { day, corrections }: DayOfCorrections,
    record?: AttendanceDay,
  ): Promise<readonly AttendanceDay[]> => {
    const scansOf = (id: Correction['id']): ReturnType<Snapshot['scans']> => snapshot.scans(day, id);
    const corrected = await correctWith(scansOf, { day, record, corrections });
    return corrected === undefined ? [] : [{ day, entries: corrected.entries }];
  };
  const corrections = byDay(snapshot.corrections(from, to));
  try {
    let next = (await corrections.next()).value;
    for await (const record of snapshot.days(from, to)) {
      for (; next !== undefined && next.day < record.day; next = (await corrections.next()).value) {
        yield* await correct(next);
      }
      if (next?.day !== record.day) yield record;
      else {
        yield* await correct(next, record);
        next = (await corrections.next()).value;
      }
    }
    for (; next !== undefined; next = (await corrections.next()).value) yield* await correct(next);
  } finally {
    await corrections.return(undefined);
  }
}

async function* byDay(
  corrections: AsyncIterable<Correction>,
): AsyncGenerator<DayOfCorrections, undefined, undefined> {
  let group: Correction[] = [];
  for await (const correction of corrections) {
    const [first] = group;
    if (first !== undefined && first.day !== correction.day) {
      yield { day: first.day, corrections: group };
      group = [];
    }
    group.push(correction);
  }
  const [first] = group;
  if (first !== undefined) yield { day: first.day, corrections: group };
  return undefined;
}
