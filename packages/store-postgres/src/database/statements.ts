import type { Statement } from '../connection/statement.js';
import { firstFreeParameter as free, siteAssignments, siteColumns } from './site-row.js';

/** Makes the row of a site, if it has none. $1: site, $2: origin. */
export const insertSite =
  'INSERT INTO tallybook.site (site, origin, erasure_key) VALUES ($1, $2, $3) ON CONFLICT (site) DO NOTHING';

/** $1: site. */
export const selectSite: Statement = {
  name: 'site',
  text: `SELECT ${siteColumns} FROM tallybook.site WHERE site = $1`,
};

/** $1: site. */
export const lockSite: Statement = { name: 'lock-site', text: `${selectSite.text} FOR UPDATE` };

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
export const finish: Statement = {
  name: 'finish',
  text: `WITH told AS (
    INSERT INTO tallybook.change (site, seq, written_at, kind, day, id, body)
    SELECT $1, t.seq, $${free + 2}, t.kind, t.day, t.id, t.body
    FROM unnest($${free + 3}::bigint[], $${free + 4}::text[], $${free + 5}::bigint[],
      $${free + 6}::bytea[], $${free + 7}::text[]) AS t (seq, kind, day, id, body)
  ), done AS (
    INSERT INTO tallybook.writer (site, writer, batch, written_at)
    VALUES ($1, $${free}, $${free + 1}, ${databaseNow})
    ON CONFLICT (site, writer) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
  )
  UPDATE tallybook.site SET ${siteAssignments} WHERE site = $1`,
};

/** $1: site, $2: consumers, $3: cursors. */
export const upsertPositions: Statement = {
  name: 'positions',
  text: `INSERT INTO tallybook.position (site, consumer, cursor)
    SELECT $1, t.consumer, t.cursor FROM unnest($2::text[], $3::bigint[]) AS t (consumer, cursor)
    ON CONFLICT (site, consumer) DO UPDATE SET cursor = excluded.cursor`,
};

/** The oldest changes. $1: site, $2: how many. */
export const selectOldest = `SELECT seq, written_at AS "writtenAt" FROM tallybook.change
  WHERE site = $1 ORDER BY seq LIMIT $2`;

/** $1: site, $2: cursor. */
export const deleteThrough = 'DELETE FROM tallybook.change WHERE site = $1 AND seq <= $2';
