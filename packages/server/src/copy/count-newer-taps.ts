import type { DetailedEntry, Snapshot } from '@tallybook/domain';
import { knownScans } from '@tallybook/domain/record';
import type { FullStorage } from '../config/stores.js';

type Snapshots = Pick<FullStorage, 'snapshots'>;

/** Counts the taps that a store has and its former state has not. It takes as long as reading both. */
export async function countNewerTaps(present: Snapshots, former: Snapshots): Promise<number> {
  await using now = await present.snapshots.take();
  await using then = await former.snapshots.take();
  // A provisional tap that has got its time since is taken off here, and counted with its day below.
  let taps = (await countProvisional(now)) - (await countProvisional(then));
  const formerDays = then.details()[Symbol.asyncIterator]();
  let other = await formerDays.next();
  for await (const { day, entries } of now.details()) {
    while (other.done !== true && other.value.day < day) other = await formerDays.next();
    const before = other.done !== true && other.value.day === day ? other.value.entries : [];
    const byTag = new Map(before.map((entry) => [entry.id, entry]));
    for (const entry of entries) taps += newerTaps(entry, byTag.get(entry.id));
  }
  return Math.max(0, taps);
}

function newerTaps(entry: DetailedEntry, former: DetailedEntry | undefined): number {
  if (former === undefined) return entry.count;
  const known = new Set(knownScans(former).map(({ at }) => at));
  const added = knownScans(entry).filter(({ at }) => !known.has(at)).length;
  // Of some taps only the number is stored.
  return Math.max(added, entry.count - former.count);
}

/** Counts the taps that are in no day yet. */
async function countProvisional(snapshot: Snapshot): Promise<number> {
  let count = 0;
  for await (const { filing } of snapshot.provisional()) if (filing?.isRecorded !== true) count++;
  return count;
}
