import {
  addScan,
  mergeEntries,
  type Day,
  type DetailedEntry,
  type Entry,
  type RecordOutcome,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { afterErasure, joinFlags, knownScans } from '@tallybook/domain/record';
import { DayDraft, type ScanKey } from './day-draft.js';
import type { Transaction } from './transaction.js';
import type { Batch } from './writer/write-queue.js';

/** A scan or an entry to add to a day. */
export type DayAddition =
  | {
      readonly kind: 'scan';
      readonly day: Day;
      readonly id: TallyId;
      readonly at: Timestamp;
      readonly source: ScanSource | undefined;
    }
  | { readonly kind: 'entries'; readonly day: Day; readonly entries: readonly DetailedEntry[] };

/** About how many rows a scan or an entry changes: an entry, a scan and a change of the journal. */
export const ROWS_OF_AN_ENTRY = 3;

/** Adds scans and entries to days, one after another, with a few statements for all of them. */
export const addToDays: Batch<DayAddition, RecordOutcome | undefined> = Object.assign(addAll, {
  readsFirst: true,
});

async function addAll(
  transaction: Transaction,
  items: readonly DayAddition[],
): Promise<readonly (RecordOutcome | undefined)[]> {
  const draft = await DayDraft.read(transaction, items.flatMap(scansOf));
  await transaction.locked();
  const allowed = await withoutErased(transaction, items);
  const outcomes = allowed.map((item) => {
    if (item.kind === 'scan') return record(transaction, draft, item);
    merge(transaction, draft, item);
    return undefined;
  });
  draft.write(transaction);
  return outcomes;
}

/** Leaves out additions that are not later than an erasure: another server may have erased a tag meanwhile. */
async function withoutErased(
  transaction: Transaction,
  items: readonly DayAddition[],
): Promise<readonly DayAddition[]> {
  const erased = await transaction.erasures();
  if (erased.isEmpty) return items;
  return items.map((item) => {
    const entries = item.kind === 'entries' ? item.entries : [addScan(undefined, item.id, item.at)];
    const left = entries.flatMap(
      (entry) => afterErasure(entry, (at) => erased.isRefused(entry.id, at)) ?? [],
    );
    return item.kind === 'scan' && left.length === 1
      ? item
      : { kind: 'entries', day: item.day, entries: left };
  });
}

function record(
  transaction: Transaction,
  draft: DayDraft,
  { day, id, at, source }: DayAddition & { readonly kind: 'scan' },
): RecordOutcome {
  const { reader, filed, flags = 0 } = source ?? {};
  const known = draft.find(day, id);
  const outcome = known === undefined ? 'counted' : 'already-counted';
  const before = known && draft.flagsOf(known, at);
  if (known === undefined || before === undefined) {
    draft.keep(day, addScan(known?.entry, id, at), [{ at, flags }]);
    const given = { ...(filed && { filed }), ...(flags !== 0 && { flags }) };
    transaction.tell({ kind: 'scan', day, id, at, reader, outcome, ...given });
  } else if (joinFlags(before, flags) !== before) {
    draft.keep(day, known.entry, [{ at, flags }]);
    transaction.tell({ kind: 'day', day, action: 'merged' });
  }
  return outcome;
}

function merge(
  transaction: Transaction,
  draft: DayDraft,
  { day, entries }: DayAddition & { readonly kind: 'entries' },
): void {
  let hasChanged = false;
  for (const other of entries) {
    const known = draft.find(day, other.id);
    const merged = mergeEntries(known?.entry, other);
    const scans = knownScans(other);
    const isKnown =
      known !== undefined &&
      isSameEntry(known.entry, merged) &&
      scans.every(({ at, flags }) => {
        const before = draft.flagsOf(known, at);
        return before !== undefined && joinFlags(before, flags) === before;
      });
    if (isKnown) continue;
    draft.keep(day, merged, scans);
    hasChanged = true;
  }
  if (hasChanged) transaction.tell({ kind: 'day', day, action: 'merged' });
}

function scansOf(item: DayAddition): readonly ScanKey[] {
  const { day } = item;
  if (item.kind === 'scan') return [{ day, id: item.id, at: item.at }];
  return item.entries.flatMap((entry) => knownScans(entry).map(({ at }) => ({ day, id: entry.id, at })));
}

function isSameEntry(one: Entry, other: Entry): boolean {
  return one.first === other.first && one.last === other.last && one.count === other.count;
}
