import type { Day, Entry, TallyId, Timestamp } from '@tallybook/domain';
import { joinFlags, type KnownScan } from '@tallybook/domain/record';
import { flaggedEntryColumns, toEntry, type FlaggedEntryRow } from '../rows/day-rows.js';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
import type { Transaction } from './transaction.js';

/** $1: site; of each tag: $2: day, $3: id. */
const selectEntries = `SELECT ${flaggedEntryColumns
  .split(', ')
  .map((column) => `e.${column}`)
  .join(', ')}
  FROM unnest($2::bigint[], $3::bytea[]) AS t (day, id)
  JOIN tallybook.entry e ON e.site = $1 AND e.day = t.day AND e.id = t.id`;

/** $1: site; of each scan: $2: day, $3: id, $4: time. */
const selectKnownScans = `SELECT s.day, s.id, s.at, s.flags FROM unnest($2::bigint[], $3::bytea[], $4::bigint[]) AS t (day, id, at)
  JOIN tallybook.scan s ON s.site = $1 AND s.day = t.day AND s.id = t.id AND s.at = t.at`;

/** $1: site, $2: days. */
const selectDayRows = `SELECT day, entries, latest_place AS "latestPlace" FROM tallybook.day
  WHERE site = $1 AND day = ANY ($2::bigint[])`;

/** $1: site; of each entry: $2: day, $3: id, $4: first, $5: last, $6: count, $7 and $8: flags of both, $9: place. */
const insertEntries = `INSERT INTO tallybook.entry (site, day, id, first_at, last_at, scans, first_flags, last_flags, place)
  SELECT $1, t.day, t.id, t.first_at, t.last_at, t.scans, t.first_flags, t.last_flags, t.place
  FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
    $9::bigint[]) AS t (day, id, first_at, last_at, scans, first_flags, last_flags, place)`;

/** Like {@link insertEntries}, but for present entries. Because the site is locked, it is known which entries are present. */
const updateEntries = `UPDATE tallybook.entry e SET first_at = t.first_at, last_at = t.last_at, scans = t.scans,
    first_flags = t.first_flags, last_flags = t.last_flags
  FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
    AS t (day, id, first_at, last_at, scans, first_flags, last_flags)
  WHERE e.site = $1 AND e.day = t.day AND e.id = t.id`;

/** $1: site; of each scan, once: $2: day, $3: id, $4: time, $5: flags. */
const upsertScans = `INSERT INTO tallybook.scan (site, day, id, at, flags)
  SELECT $1, t.day, t.id, t.at, t.flags
  FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[]) AS t (day, id, at, flags)
  ON CONFLICT (site, day, id, at) DO UPDATE SET flags = scan.flags | excluded.flags`;

/** $1: site, $2: revision; of each day: $3: day, $4: number of entries, $5: latest place. */
const upsertDays = `INSERT INTO tallybook.day (site, day, entries, latest_place, revision)
  SELECT $1, t.day, t.entries, t.latest_place, $2
  FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS t (day, entries, latest_place)
  ON CONFLICT (site, day) DO UPDATE
    SET entries = excluded.entries, latest_place = excluded.latest_place, revision = excluded.revision`;

/** An entry in a {@link DayDraft}. */
export interface DraftEntry {
  entry: Entry;
  /** Of the first and of the last scan. */
  flags: readonly [number, number];
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

interface ScanRow extends KnownScan {
  readonly day: Day;
  readonly id: Buffer;
}

/** Names a scan. */
export interface ScanKey {
  readonly day: Day;
  readonly id: TallyId;
  readonly at: Timestamp;
}

type DayScan = ScanKey & KnownScan;

/** The rows on which additions depend, in the state after earlier additions. */
export class DayDraft {
  readonly #entries = new Map<string, DraftEntry>();
  /** The flags of scans between the first and the last one. */
  readonly #scans = new Map<string, number>();
  readonly #days = new Map<Day, KnownDay>();
  readonly #changedScans = new Map<string, DayScan>();

  static async read(transaction: Transaction, scans: readonly ScanKey[]): Promise<DayDraft> {
    const draft = new DayDraft();
    if (scans.length === 0) return draft;
    const tags = [...new Map(scans.map((scan) => [nameOf(scan.day, scan.id), scan])).values()];
    const days = [...new Set(scans.map(({ day }) => day))];
    const [entryRows, dayRows] = await Promise.all([
      transaction.rows<FlaggedEntryRow>(
        selectEntries,
        tags.map(({ day }) => day),
        tags.map(({ id }) => bytesOfId(id)),
      ),
      transaction.rows<DayRow>(selectDayRows, days),
    ]);
    for (const row of entryRows) {
      const entry = toEntry(row);
      const { day, place, firstFlags, lastFlags } = row;
      const flags = [firstFlags, lastFlags] as const;
      draft.#entries.set(nameOf(day, entry.id), { entry, flags, day, place, isNew: false, isChanged: false });
    }
    for (const { day, entries, latestPlace } of dayRows) {
      draft.#days.set(day, { isNew: false, entries, latestPlace, isChanged: false });
    }
    await draft.#readScans(transaction, scans);
    return draft;
  }

  /** Only scans between the first and the last of their entry may have a row. */
  async #readScans(transaction: Transaction, scans: readonly ScanKey[]): Promise<void> {
    const between = scans.filter(({ day, id, at }) => {
      const entry = this.find(day, id)?.entry;
      return entry !== undefined && at > entry.first && at < entry.last;
    });
    if (between.length === 0) return;
    const rows = await transaction.rows<ScanRow>(selectKnownScans, ...columnsOf(between));
    for (const { day, id, at, flags } of rows) this.#scans.set(`${nameOf(day, idOfBytes(id))} ${at}`, flags);
  }

  find(day: Day, id: TallyId): DraftEntry | undefined {
    return this.#entries.get(nameOf(day, id));
  }

  /** The flags of a scan; `undefined` if it is not known. */
  flagsOf(known: DraftEntry, at: Timestamp): number | undefined {
    const end = endsOf(known).find((each) => each.at === at);
    return end?.flags ?? this.#scans.get(`${nameOf(known.day, known.entry.id)} ${at}`);
  }

  /** Replaces the known entry, and puts a row for each scan that now lies between the first and the last one. */
  keep(day: Day, entry: Entry, scans: readonly KnownScan[]): void {
    const known = this.find(day, entry.id);
    const flags: [number, number] = [0, 0];
    for (const scan of [...(known === undefined ? [] : endsOf(known)), ...scans]) {
      if (scan.at > entry.first && scan.at < entry.last) this.#putScan({ day, id: entry.id, ...scan });
      if (scan.at === entry.first) flags[0] = joinFlags(flags[0], scan.flags);
      if (scan.at === entry.last) flags[1] = joinFlags(flags[1], scan.flags);
    }
    const dayRow = this.#dayOf(day);
    dayRow.isChanged = true;
    if (known === undefined) {
      dayRow.entries++;
      const place = ++dayRow.latestPlace;
      this.#entries.set(nameOf(day, entry.id), { entry, flags, day, place, isNew: true, isChanged: true });
    } else {
      known.entry = entry;
      known.flags = flags;
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
    const scans = [...this.#changedScans.values()];
    if (scans.length > 0) {
      transaction.send(
        upsertScans,
        ...columnsOf(scans),
        scans.map(({ flags }) => flags),
      );
    }
    transaction.send(
      upsertDays,
      transaction.revision,
      days.map(([day]) => day),
      days.map(([, row]) => row.entries),
      days.map(([, row]) => row.latestPlace),
    );
    if (days.some(([, { isNew }]) => isNew)) transaction.touch('days');
  }

  #putScan(scan: DayScan): void {
    const name = `${nameOf(scan.day, scan.id)} ${scan.at}`;
    const before = this.#scans.get(name);
    const flags = joinFlags(before ?? 0, scan.flags);
    if (flags === before) return;
    this.#scans.set(name, flags);
    this.#changedScans.set(name, { ...scan, flags });
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

function endsOf({ entry: { first, last }, flags }: DraftEntry): readonly KnownScan[] {
  return [
    { at: first, flags: flags[0] },
    { at: last, flags: flags[1] },
  ];
}

function valuesOf(entries: readonly DraftEntry[]): readonly unknown[] {
  return [
    entries.map(({ day }) => day),
    entries.map(({ entry }) => bytesOfId(entry.id)),
    entries.map(({ entry }) => entry.first),
    entries.map(({ entry }) => entry.last),
    entries.map(({ entry }) => entry.count),
    entries.map(({ flags }) => flags[0]),
    entries.map(({ flags }) => flags[1]),
  ];
}

function columnsOf(scans: readonly ScanKey[]): readonly unknown[] {
  return [scans.map(({ day }) => day), scans.map(({ id }) => bytesOfId(id)), scans.map(({ at }) => at)];
}

function nameOf(day: Day, id: TallyId): string {
  return `${day} ${id}`;
}
