import type { Cursor, Day } from '@tallybook/domain';
import type { PostgresDatabase } from './postgres-database.js';

/** The changes of the journal about scans of a day. $1: site, $2: day. */
const selectTold = `SELECT seq FROM tallybook.change WHERE site = $1 AND kind = 'scan' AND day = $2`;
const selectLatest = 'SELECT seq FROM tallybook.site WHERE site = $1';
const deleteDay = 'DELETE FROM tallybook.day WHERE site = $1 AND day = $2 RETURNING day';
const deleteEntries = 'DELETE FROM tallybook.entry WHERE site = $1 AND day = $2';
const deleteScans = 'DELETE FROM tallybook.scan WHERE site = $1 AND day = $2';

/** $1: site, $2: cursors, $3: cursor after which there may be more, $4: day. */
const deleteTold = `DELETE FROM tallybook.change
  WHERE site = $1 AND (seq = ANY ($2::bigint[]) OR (seq > $3 AND kind = 'scan' AND day = $4)) RETURNING seq`;

/** Removes the record of a day and the changes about its scans. The journal is searched before that, while others write. */
export async function removeDay(database: PostgresDatabase, day: Day): Promise<boolean> {
  const { site } = database;
  const { told, latest } = await database.read(async (connection) => {
    const [[row], found] = [
      await connection.query<{ seq: Cursor }>(selectLatest, [site]),
      await connection.query<{ seq: Cursor }>(selectTold, [site, day]),
    ];
    return { told: found.map(({ seq }) => seq), latest: row?.seq ?? 0 };
  });
  return await database.write(async (transaction) => {
    const removed = await transaction.write(deleteDay, [site, day]);
    if (removed.length === 0) return false;
    transaction.send(deleteEntries, [site, day]);
    transaction.send(deleteScans, [site, day]);
    const gone = await transaction.write(deleteTold, [site, told, latest, day]);
    transaction.forget(gone.length);
    transaction.touch('days');
    transaction.tell({ kind: 'day', day, action: 'removed' });
    return true;
  }, told.length);
}
