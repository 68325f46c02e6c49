import { getHeapStatistics } from 'node:v8';
import type { AttendanceDay, Day, DetailedEntry, Entry, TallyId, Timestamp } from '@tallybook/domain';
import { detailedEntry, requireHeapFor, type KnownScan } from '@tallybook/domain/record';
import type { SiteRows } from '../connection/session.js';
import { bytesOfId, idOfBytes } from './stored-values.js';

/*
 * The rows of a day: one for the day, with the number of its entries; one for each entry; and one for each known scan between the
 * first and the last one of its entry. The entry itself holds these two, so a tag that comes and goes once a day costs no scan
 * row.
 */

/** A row of `tallybook.entry`. */
export interface EntryRow {
  readonly day: Day;
  readonly id: Buffer;
  readonly first: Timestamp;
  readonly last: Timestamp;
  readonly count: number;
  /** Place among the entries of its day in the order of recording. */
  readonly place: number;
}

export const entryColumns = 'day, id, first_at AS "first", last_at AS "last", scans AS "count", place';

/** An {@link EntryRow} with the flags of its first and of its last scan. */
export interface FlaggedEntryRow extends EntryRow {
  readonly firstFlags: number;
  readonly lastFlags: number;
}

export const flaggedEntryColumns: string = `${entryColumns}, first_flags AS "firstFlags", last_flags AS "lastFlags"`;

/** Bytes of heap for each tag that a day may have: a row of the driver takes 600, and several days may be in memory. */
export const HEAP_OF_TAG = 1_800;

const selectDay = `SELECT ${entryColumns} FROM tallybook.entry WHERE site = $1 AND day = $2 ORDER BY first_at, place LIMIT $3`;

const selectDetails = `SELECT ${flaggedEntryColumns} FROM tallybook.entry WHERE site = $1 AND day = $2 ORDER BY first_at, place LIMIT $3`;

const selectScansOfDay =
  'SELECT id, at, flags FROM tallybook.scan WHERE site = $1 AND day = $2 ORDER BY id, at';

const selectDays = 'SELECT day FROM tallybook.day WHERE site = $1 AND day BETWEEN $2 AND $3 ORDER BY day';

const selectScans = `SELECT first_at AS at FROM tallybook.entry WHERE site = $1 AND day = $2 AND id = $3
  UNION SELECT last_at FROM tallybook.entry WHERE site = $1 AND day = $2 AND id = $3
  UNION SELECT at FROM tallybook.scan WHERE site = $1 AND day = $2 AND id = $3
  ORDER BY at`;

export function toEntry({ id, first, last, count }: EntryRow): Entry {
  return { id: idOfBytes(id), first, last, count };
}

export async function readDay(site: SiteRows, day: Day): Promise<AttendanceDay | undefined> {
  const rows = await readEntries<EntryRow>(site, selectDay, day);
  return rows.length === 0 ? undefined : { day, entries: rows.map(toEntry) };
}

/** {@link readDay}, with the known scans of each entry. */
export async function readDetails(
  site: SiteRows,
  day: Day,
): Promise<AttendanceDay<DetailedEntry> | undefined> {
  const rows = await readEntries<FlaggedEntryRow>(site, selectDetails, day);
  if (rows.length === 0) return undefined;
  const between = new Map<TallyId, KnownScan[]>();
  for (const { id, at, flags } of await site.rows<KnownScan & { readonly id: Buffer }>(
    selectScansOfDay,
    day,
  )) {
    const tag = idOfBytes(id);
    const ofTag = between.get(tag);
    if (ofTag === undefined) between.set(tag, [{ at, flags }]);
    else ofTag.push({ at, flags });
  }
  const entries = rows.map((row) => {
    const entry = toEntry(row);
    // Between two reads, a scan may have become the first or the last one.
    const inside = (between.get(entry.id) ?? []).filter(({ at }) => at > entry.first && at < entry.last);
    const first = { at: entry.first, flags: row.firstFlags };
    const last = entry.last === entry.first ? [] : [{ at: entry.last, flags: row.lastFlags }];
    return detailedEntry(entry, [first, ...inside, ...last]);
  });
  return { day, entries };
}

async function readEntries<R extends EntryRow>(
  site: SiteRows,
  statement: string,
  day: Day,
): Promise<readonly R[]> {
  const most = Math.floor(getHeapStatistics().heap_size_limit / HEAP_OF_TAG);
  const rows = await site.rows<R>(statement, day, most + 1);
  requireHeapFor(`day ${day}`, rows.length, most);
  return rows;
}

export async function readDays(site: SiteRows, from: Day, to: Day): Promise<readonly Day[]> {
  return (await site.rows<{ day: Day }>(selectDays, from, to)).map(({ day }) => day);
}

export async function readScans(site: SiteRows, day: Day, id: TallyId): Promise<readonly Timestamp[]> {
  return (await site.rows<{ at: Timestamp }>(selectScans, day, bytesOfId(id))).map(({ at }) => at);
}
