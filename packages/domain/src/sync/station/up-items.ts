import type { CorrectionStore } from '../../record/ports/correction-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { ErasureStore } from '../../record/ports/erasure-store.js';
import type { JournalEntry } from '../../ports/record/journal.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { StampedNames } from '../ports/stamped-names.js';
import { knownScans, partsOf, type DetailedEntry } from '../../values/record/known-scans.js';
import type { Change } from '../../values/record/change.js';
import { DAY_MAX, type Day } from '../../values/day.js';
import {
  SYNC_MAX_ENTRIES,
  SYNC_MAX_SCANS,
  type ScanItem,
  type SyncItem,
  type UpItem,
} from '../values/sync.js';
import { allDownItems, toErasureItem } from '../items/down-items.js';
import { tagsOfPersons } from '../../people/tags-of-persons.js';
import { peopleItemsOf, rowKeysOf } from '../items/people-items.js';
import { toNameItem } from '../items/name-items.js';
import { soundOr } from '../items/sound-rows.js';

export interface UpDependencies {
  /** The record without corrections: not a `CorrectedDayStore`. */
  readonly days: DayStore;
  readonly stamped: StampedNames;
  readonly people?: PeopleStore | undefined;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'list'>;
}

/** Makes items for the centre from changes of a station's journal, in their order, with the present data: each name once. */
export async function* upItemsOf(
  entries: readonly JournalEntry[],
  parts: UpDependencies,
): AsyncGenerator<SyncItem, void, undefined> {
  // A name, a person or a timeline is sent once, at its last change, because each item has the present one.
  const last = new Map<string, number>();
  for (const { cursor, change } of entries) {
    const key = keyOf(change);
    if (key !== undefined) last.set(key, cursor);
  }
  for (const { cursor, change } of entries) {
    const key = keyOf(change);
    if (key !== undefined && last.get(key) !== cursor) continue;
    for await (const item of itemsOf(change, parts)) yield { ...item, cursor };
  }
}

function keyOf(change: Change): string | undefined {
  if (change.kind === 'person') return change.person;
  if (change.kind === 'group') return `group ${change.group}`;
  if (change.kind === 'carried') return change.row && `carried ${change.row}`;
  return change.kind === 'name' || change.kind === 'tag' ? `${change.kind} ${change.id}` : undefined;
}

async function* itemsOf(
  change: Change,
  { days, stamped, people, corrections, erasures }: UpDependencies,
): AsyncGenerator<UpItem, void, undefined> {
  switch (change.kind) {
    case 'scan':
      yield toScanItem(change);
      return;
    case 'name': {
      const names = await stamped.get([change.id]);
      // After the name: the tag may get a holder, and the holder's name, in between.
      if ((await tagsOfPersons(people, [change.id])).size === 0) yield* names.map(toNameItem);
      return;
    }
    case 'person':
    case 'tag':
    case 'group':
    case 'carried':
      yield* await peopleItemsOf(people, rowKeysOf(change));
      return;
    case 'correction': {
      const correction = await soundOr(() => corrections.find(change.number));
      if (correction !== undefined) yield { kind: 'correction', correction };
      return;
    }
    case 'day':
      // Removing a day concerns this device alone.
      if (change.action === 'merged') yield* dayItems(change.day, days);
      return;
    case 'erased': {
      const all = await erasures.list();
      yield* all.filter(({ digest }) => digest === change.digest).map(toErasureItem);
      return;
    }
    // A provisional scan is sent when it is filed. After a repair, the whole record is sent.
    case 'provisional':
    case 'repaired':
  }
}

function toScanItem({ day, id, at, reader, filed, flags }: Extract<Change, { kind: 'scan' }>): ScanItem {
  return {
    ...{ kind: 'scan', day, id, at },
    ...(reader !== undefined && { reader }),
    ...(filed && { filed }),
    ...(flags !== undefined && { flags }),
  };
}

/** The whole record of a station: erasures, names, corrections, and the days, ascending. */
export async function* allUpItems(parts: UpDependencies): AsyncGenerator<UpItem, void, undefined> {
  yield* allDownItems(parts);
  for (const day of await parts.days.list(0 as Day, DAY_MAX)) yield* dayItems(day, parts.days);
}

/**
 * A day: the scans of each entry whose scans are all known, so that the centre can count them, and the others as entries.
 * Damaged data is left out.
 */
async function* dayItems(day: Day, days: DayStore): AsyncGenerator<UpItem, void, undefined> {
  let entries: DetailedEntry[] = [];
  let scans = 0;
  for (const entry of (await soundOr(() => days.details(day)))?.entries ?? []) {
    const known = knownScans(entry);
    if (entry.count <= known.length) {
      for (const { at, flags } of known)
        yield { kind: 'scan', day, id: entry.id, at, ...(flags !== 0 && { flags }) };
      continue;
    }
    for (const part of partsOf(entry)) {
      scans += part.scans?.length ?? 0;
      if (entries.length === SYNC_MAX_ENTRIES || (scans > SYNC_MAX_SCANS && entries.length > 0)) {
        yield { kind: 'entries', day, entries };
        [entries, scans] = [[], part.scans?.length ?? 0];
      }
      entries.push(part);
    }
  }
  if (entries.length > 0) yield { kind: 'entries', day, entries };
}
