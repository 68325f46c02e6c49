import {
  addScan,
  mergeEntries,
  type Day,
  type Entry,
  type RecordOutcome,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { afterErasure } from '@tallybook/domain/record';
import type { Statement } from '../connection/session.js';
import { entryColumns, toEntry, type EntryRow } from '../rows/day-rows.js';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
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
  | { readonly kind: 'entries'; readonly day: Day; readonly entries: readonly Entry[] };

/** $1: site; of each tag: $2: day, $3: id. */
const selectEntries: Statement = {
  name: 'entries',
  text: `SELECT ${entryColumns
    .split(', ')
    .map((column) => `e.${column}`)
    .join(', ')}
    FROM unnest($2::bigint[], $3::bytea[]) AS t (day, id)
    JOIN tallybook.entry e ON e.site = $1 AND e.day = t.day AND e.id = t.id`,
};

/** $1: site; of each scan: $2: day, $3: id, $4: time. */
const selectKnownScans: Statement = {
  name: 'known-scans',
  text: `SELECT s.day, s.id, s.at FROM unnest($2::bigint[], $3::bytea[], $4::bigint[]) AS t (day, id, at)
    JOIN tallybook.scan s ON s.site = $1 AND s.day = t.day AND s.id = t.id AND s.at = t.at`,
};

/** $1: site, $2: days. */
const selectDayRows: Statement = {
  name: 'day-rows',
  text: `SELECT day, entries, latest_place AS "latestPlace" FROM tallybook.day
    WHERE site = $1 AND day = ANY ($2::bigint[])`,
};

/** $1: site; of each entry: $2: day, $3: id, $4: first, $5: last, $6: count, $7: place. */
const insertEntries: Statement = {
  name: 'add-entries',
  text: `INSERT INTO tallybook.entry (site, day, id, first_at, last_at, scans, place)
    SELECT $1, t.day, t.id, t.first_at, t.last_at, t.scans, t.place
    FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
      AS t (day, id, first_at, last_at, scans, place)`,
};

/** Like {@link insertEntries}, but for present entries. Because the site is locked, it is known which entries are present. */
const updateEntries: Statement = {
  name: 'change-entries',
  text: `UPDATE tallybook.entry e SET first_at = t.first_at, last_at = t.last_at, scans = t.scans
    FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[])
      AS t (day, id, first_at, last_at, scans)
    WHERE e.site = $1 AND e.day = t.day AND e.id = t.id`,
};

/** $1: site; of each scan: $2: day, $3: id, $4: time. */
const insertScans: Statement = {
  name: 'put-scans',
  text: `INSERT INTO tallybook.scan (site, day, id, at)
    SELECT $1, t.day, t.id, t.at FROM unnest($2::bigint[], $3::bytea[], $4::bigint[]) AS t (day, id, at)
    ON CONFLICT (site, day, id, at) DO NOTHING`,
};

/** $1: site, $2: revision; of each day: $3: day, $4: number of entries, $5: latest place. */
const upsertDays: Statement = {
  name: 'put-days',
  text: `INSERT INTO tallybook.day (site, day, entries, latest_place, revision)
    SELECT $1, t.day, t.entries, t.latest_place, $2
    FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS t (day, entries, latest_place)
    ON CONFLICT (site, day) DO UPDATE
      SET entries = excluded.entries, latest_place = excluded.latest_place, revision = excluded.revision`,
};

/** About how many rows a scan or an entry changes: an entry, a scan and a change of the journal. */
export const ROWS_OF_AN_ENTRY = 3;

interface KnownEntry {
  entry: Entry;
  readonly day: Day;
  readonly place: number;
  readonly isNew: boolean;
  isChanged: boolean;
}

interface KnownDay {
  readonly isNew: boolean;
  entries: number;
  latestPlace: number;
  isChanged: boolean;
}

interface DayRow {
  readonly day: Day;
  readonly entries: number;
  readonly latestPlace: number;
}

interface ScanRow {
  readonly day: Day;
  readonly id: Buffer;
  readonly at: Timestamp;
}

interface KnownScan {
  readonly day: Day;
  readonly id: TallyId;
  readonly at: Timestamp;
}

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
  const known = draft.find(day, id);
  const outcome = known === undefined ? 'counted' : 'already-counted';
  if (known === undefined || !draft.hasScan(known, at)) {
    draft.keep(day, addScan(known?.entry, id, at), [at]);
    const filed = source?.filed && { filed: source.filed };
    transaction.tell({ kind: 'scan', day, id, at, reader: source?.reader, outcome, ...filed });
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
    const scans = [other.first, other.last];
    const isKnown =
      known !== undefined &&
      isSameEntry(known.entry, merged) &&
      scans.every((at) => draft.hasScan(known, at));
    if (isKnown) continue;
    draft.keep(day, merged, scans);
    hasChanged = true;
  }
  if (hasChanged) transaction.tell({ kind: 'day', day, action: 'merged' });
}

/** The rows on which additions depend, in the state after earlier additions. */
class DayDraft {
  readonly #entries = new Map<string, KnownEntry>();
  readonly #scans = new Set<string>();
  readonly #days = new Map<Day, KnownDay>();
  readonly #newScans: KnownScan[] = [];

  static async read(transaction: Transaction, scans: readonly KnownScan[]): Promise<DayDraft> {
    const draft = new DayDraft();
    if (scans.length === 0) return draft;
    const tags = [...new Map(scans.map((scan) => [nameOf(scan.day, scan.id), scan])).values()];
    const days = [...new Set(scans.map(({ day }) => day))];
    const [entryRows, dayRows] = await Promise.all([
      transaction.rows<EntryRow>(
        selectEntries,
        tags.map(({ day }) => day),
        tags.map(({ id }) => bytesOfId(id)),
      ),
      transaction.rows<DayRow>(selectDayRows, days),
    ]);
    for (const row of entryRows) {
      const entry = toEntry(row);
      const { day, place } = row;
      draft.#entries.set(nameOf(day, entry.id), { entry, day, place, isNew: false, isChanged: false });
    }
    for (const { day, entries, latestPlace } of dayRows) {
      draft.#days.set(day, { isNew: false, entries, latestPlace, isChanged: false });
    }
    await draft.#readScans(transaction, scans);
    return draft;
  }

  /** Only scans between the first and the last of their entry may have a row. */
  async #readScans(transaction: Transaction, scans: readonly KnownScan[]): Promise<void> {
    const between = scans.filter(({ day, id, at }) => {
      const entry = this.find(day, id)?.entry;
      return entry !== undefined && at > entry.first && at < entry.last;
    });
    if (between.length === 0) return;
    const rows = await transaction.rows<ScanRow>(selectKnownScans, ...columnsOf(between));
    for (const { day, id, at } of rows) this.#scans.add(`${nameOf(day, idOfBytes(id))} ${at}`);
  }

  find(day: Day, id: TallyId): KnownEntry | undefined {
    return this.#entries.get(nameOf(day, id));
  }

  hasScan({ day, entry: { id, first, last } }: KnownEntry, at: Timestamp): boolean {
    return at === first || at === last || this.#scans.has(`${nameOf(day, id)} ${at}`);
  }

  /** Replaces the known entry, and puts a row for each scan that now lies between the first and the last one. */
  keep(day: Day, entry: Entry, scans: readonly Timestamp[]): void {
    const known = this.find(day, entry.id);
    const ends = known === undefined ? [] : [known.entry.first, known.entry.last];
    for (const at of new Set([...ends, ...scans])) {
      if (at > entry.first && at < entry.last) this.#addScan({ day, id: entry.id, at });
    }
    const dayRow = this.#dayOf(day);
    dayRow.isChanged = true;
    if (known === undefined) {
      dayRow.entries++;
      const place = ++dayRow.latestPlace;
      this.#entries.set(nameOf(day, entry.id), { entry, day, place, isNew: true, isChanged: true });
    } else {
      known.entry = entry;
      known.isChanged = true;
    }
  }

  write(transaction: Transaction): void {
    const entries = [...this.#entries.values()].filter(({ isChanged }) => isChanged);
    const days = [...this.#days].filter(([, { isChanged }]) => isChanged);
    if (days.length === 0) return;
    const [added, changed] = [entries.filter(({ isNew }) => isNew), entries.filter(({ isNew }) => !isNew)];
    if (added.length > 0) {
      transaction.send(
        insertEntries,
        ...valuesOf(added),
        added.map(({ place }) => place),
      );
    }
    if (changed.length > 0) transaction.send(updateEntries, ...valuesOf(changed));
    if (this.#newScans.length > 0) transaction.send(insertScans, ...columnsOf(this.#newScans));
    transaction.send(
      upsertDays,
      transaction.revision,
      days.map(([day]) => day),
      days.map(([, row]) => row.entries),
      days.map(([, row]) => row.latestPlace),
    );
    if (days.some(([, { isNew }]) => isNew)) transaction.touch('days');
  }

  #addScan(scan: KnownScan): void {
    const name = `${nameOf(scan.day, scan.id)} ${scan.at}`;
    if (this.#scans.has(name)) return;
    this.#scans.add(name);
    this.#newScans.push(scan);
  }

  #dayOf(day: Day): KnownDay {
    let row = this.#days.get(day);
    if (row === undefined) {
      row = { isNew: true, entries: 0, latestPlace: 0, isChanged: false };
      this.#days.set(day, row);
    }
    return row;
  }
}

function scansOf(item: DayAddition): readonly KnownScan[] {
  const { day } = item;
  if (item.kind === 'scan') return [{ day, id: item.id, at: item.at }];
  return item.entries.flatMap(({ id, first, last }) => [first, last].map((at) => ({ day, id, at })));
}

function valuesOf(entries: readonly KnownEntry[]): readonly unknown[] {
  return [
    entries.map(({ day }) => day),
    entries.map(({ entry }) => bytesOfId(entry.id)),
    entries.map(({ entry }) => entry.first),
    entries.map(({ entry }) => entry.last),
    entries.map(({ entry }) => entry.count),
  ];
}

function columnsOf(scans: readonly KnownScan[]): readonly unknown[] {
  return [scans.map(({ day }) => day), scans.map(({ id }) => bytesOfId(id)), scans.map(({ at }) => at)];
}

function nameOf(day: Day, id: TallyId): string {
  return `${day} ${id}`;
}

function isSameEntry(one: Entry, other: Entry): boolean {
  return one.first === other.first && one.last === other.last && one.count === other.count;
}
