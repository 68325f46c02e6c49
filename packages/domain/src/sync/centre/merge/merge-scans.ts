import type { ScanSource } from '../../../ports/record/day-store.js';
import { knownScans, type DetailedEntry } from '../../../values/record/known-scans.js';
import { afterErasure } from '../../../record/values/erasure.js';
import type { ScanItem } from '../../values/sync.js';
import type { TallyId } from '../../../values/tally-id.js';
import type { Merging, Of } from './merging.js';

/** How many scans are written at a time, so that a store can commit them together. */
const GROUP_SIZE = 64;

export async function mergeScans(items: readonly Of<'scan'>[], merging: Merging): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP_SIZE) {
    await Promise.all(items.slice(start, start + GROUP_SIZE).map((item) => mergeScan(item, merging)));
  }
}

async function mergeScan(item: Of<'scan'>, { parts, refusals }: Merging): Promise<void> {
  const { day, id, at } = item;
  if (!refusals.isKept(item) || refusals.isErased(item, item)) return;
  await refusals.unlessDamaged(item, () => parts.days.record(day, id, at, sourceOf(item)));
}

/** Merges entries whose scans are not all known one by one. */
export async function mergeEntries(item: Of<'entries'>, { parts, refusals }: Merging): Promise<void> {
  if (!refusals.isKept(item)) return;
  const { days, erasures } = parts;
  const entries: DetailedEntry[] = [];
  const single: DetailedEntry[] = [];
  const erased: TallyId[] = [];
  for (const entry of item.entries) {
    const left = afterErasure(entry, (at) => erasures.isRefused(entry.id, at));
    if (left === entry) entries.push(entry);
    else if (left === undefined) erased.push(entry.id);
    // Only these scans are certainly outside of the erasures.
    else single.push(left);
  }
  if (erased.length > 0) refusals.refuseErased(item, ...erased);
  // All checks and writes in one turn: an erasure that begins later finds the entries in the store.
  await refusals.unlessDamaged(item, () =>
    Promise.all([
      days.merge(item.day, entries),
      ...single.flatMap((entry) =>
        knownScans(entry).map(({ at, flags }) => days.record(item.day, entry.id, at, { flags })),
      ),
    ]),
  );
}

function sourceOf({ reader, filed, flags }: ScanItem): ScanSource {
  return { reader, ...(filed && { filed }), ...(flags !== undefined && { flags }) };
}
