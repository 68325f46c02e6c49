/** The row of a site: counters of its journal and of its data. */
export interface SiteRow {
  readonly origin: string;
  /** The latest cursor of the journal. */
  readonly seq: number;
  /** The largest cursor among the changes that were removed because they were the oldest. */
  readonly forgotten: number;
  /** How many changes the journal has. */
  readonly kept: number;
  /**
   * Number of transactions with changes. The revisions below are the number of the latest transaction that changed that set of
   * data.
   */
  readonly revision: number;
  readonly namesRevision: number;
  readonly peopleRevision: number;
  readonly daysRevision: number;
  readonly correctionsRevision: number;
  readonly accessRevision: number;
  readonly erasuresRevision: number;
  readonly stationsRevision: number;
  /** The latest sequence ever given to a provisional scan, and the latest number ever given to a correction. */
  readonly provisionalNumber: number;
  readonly correctionNumber: number;
  /** The key of the erasures that the site makes. */
  readonly erasureKey: string;
}

/** Sets of data whose revisions are in the row of the site. */
export type Subject = 'names' | 'people' | 'days' | 'corrections' | 'access' | 'erasures' | 'stations';

const columns = {
  origin: 'origin',
  seq: 'seq',
  forgotten: 'forgotten',
  kept: 'kept',
  revision: 'revision',
  namesRevision: 'names_revision',
  peopleRevision: 'people_revision',
  daysRevision: 'days_revision',
  correctionsRevision: 'corrections_revision',
  accessRevision: 'access_revision',
  erasuresRevision: 'erasures_revision',
  stationsRevision: 'stations_revision',
  provisionalNumber: 'provisional_number',
  correctionNumber: 'correction_number',
  erasureKey: 'erasure_key',
} as const satisfies Record<keyof SiteRow, string>;

/** The columns of `tallybook.site` for a {@link SiteRow}. */
const siteColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The row with new numbers. People read the numbers of corrections, so these stay shorter. */
export function raisedRow(row: SiteRow, to: number, correctionNumber: number): SiteRow {
  return {
    ...row,
    seq: to,
    revision: to,
    namesRevision: to,
    peopleRevision: to,
    daysRevision: to,
    correctionsRevision: to,
    accessRevision: to,
    erasuresRevision: to,
    stationsRevision: to,
    provisionalNumber: to,
    correctionNumber,
  };
}

const changing = Object.entries(columns).filter(([name]) => name !== 'origin') as [keyof SiteRow, string][];

/** The first parameter after those of {@link siteAssignments}. */
const firstFree = changing.length + 3;

/**
 * The assignments of `SET` for all columns that can change. Their values begin with the parameter $3. $2 is the revision that the
 * transaction has read: if the row has another one, the lock of the row was lost, and a NULL that the column refuses rolls
 * everything back.
 */
const siteAssignments = changing
  .map(([name, column], index) => {
    const value = `$${index + 3}`;
    return `${column} = ${name === 'revision' ? `CASE WHEN revision = $2 THEN ${value}::bigint END` : value}`;
  })
  .join(', ');

export function siteValues(row: SiteRow): readonly unknown[] {
  return changing.map(([name]) => row[name]);
}

/** Makes the row of a site, if it has none. $1: site, $2: origin. */
export const insertSite =
  'INSERT INTO tallybook.site (site, origin, erasure_key) VALUES ($1, $2, $3) ON CONFLICT (site) DO NOTHING';

/** $1: site. */
export const selectSite: string = `SELECT ${siteColumns} FROM tallybook.site WHERE site = $1`;

/** $1: site. */
export const lockSite: string = `${selectSite} FOR UPDATE`;

/**
 * The time of the database, in seconds since 1970. The clock of a server may be wrong: by it, servers that write now could look
 * as if they were gone.
 */
const databaseNow = 'floor(extract(epoch FROM now()))::bigint';

/** Deletes the rows of servers that have not written for some time. $1: site, $2: that time in seconds. */
export const deleteOldWriters: string = `DELETE FROM tallybook.writer
  WHERE site = $1 AND written_at < ${databaseNow} - $2::bigint`;

/** $1: site, $2: writer. */
export const selectBatch = 'SELECT batch FROM tallybook.writer WHERE site = $1 AND writer = $2';

/**
 * The end of a transaction in one statement: the row of the site, the mark that this transaction happened, and the journal.
 * Parameters after the values of the row: writer, batch, time; arrays of cursors, kinds, days, ids and bodies.
 */
export const finish: string = `WITH told AS (
  INSERT INTO tallybook.change (site, seq, written_at, kind, day, id, body)
  SELECT $1, t.seq, $${firstFree + 2}, t.kind, t.day, t.id, t.body
  FROM unnest($${firstFree + 3}::bigint[], $${firstFree + 4}::text[], $${firstFree + 5}::bigint[],
    $${firstFree + 6}::bytea[], $${firstFree + 7}::text[]) AS t (seq, kind, day, id, body)
), done AS (
  INSERT INTO tallybook.writer (site, writer, batch, written_at)
  VALUES ($1, $${firstFree}, $${firstFree + 1}, ${databaseNow})
  ON CONFLICT (site, writer) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
)
UPDATE tallybook.site SET ${siteAssignments} WHERE site = $1`;

/** $1: site, $2: consumers, $3: cursors. */
export const upsertPositions = `INSERT INTO tallybook.position (site, consumer, cursor)
  SELECT $1, t.consumer, t.cursor FROM unnest($2::text[], $3::bigint[]) AS t (consumer, cursor)
  ON CONFLICT (site, consumer) DO UPDATE SET cursor = excluded.cursor`;

/** The oldest changes. $1: site, $2: how many. */
export const selectOldest = `SELECT seq, written_at AS "writtenAt" FROM tallybook.change
  WHERE site = $1 ORDER BY seq LIMIT $2`;

/** $1: site, $2: cursor. */
export const deleteThrough = 'DELETE FROM tallybook.change WHERE site = $1 AND seq <= $2';
