import type { AttendanceDay, Entry, Snapshot, Timestamp } from '@tallybook/domain';

/** So many reads are under way at a time: waiting for a database takes longer than its work. */
const AT_ONCE = 64;

/** The entries of a day, each with its scans that are known one by one, in the order of the entries. */
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
