import type { AttendanceDay, Entry, Snapshot, Timestamp } from '@tallybook/domain';

/** Number of simultaneous reads: waiting for a database takes longer than its work. */
const AT_ONCE = 64;

/** The entries of a day in their order, each with its individually known scans. */
export async function* knownScans(
  snapshot: Snapshot,
  { day, entries }: AttendanceDay,
): AsyncGenerator<{ readonly entry: Entry; readonly scans: readonly Timestamp[] }, void, undefined> {
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = entries.slice(start, start + AT_ONCE);
    yield* await Promise.all(
      some.map(async (entry) => ({ entry, scans: await snapshot.scans(day, entry.id) })),
    );
  }
}
