import type { Day, Timestamp } from '@tallybook/domain';
import type { ErasedScans } from '@tallybook/domain/record';
import type { Transaction } from '../../database/transaction.js';
import { bytesOfId } from '../../rows/ids.js';

interface EntryRow {
  readonly day: Day;
  readonly first: Timestamp;
  readonly last: Timestamp;
}

interface ScanRow {
  readonly day: Day;
  readonly at: Timestamp;
}

/** $1: site, $2: id, $3: days. */
const selectEntries = `SELECT day, first_at AS first, last_at AS last FROM tallybook.entry
  WHERE site = $1 AND id = $2 AND day = ANY ($3::bigint[])`;
const selectScans =
  'SELECT day, at FROM tallybook.scan WHERE site = $1 AND id = $2 AND day = ANY ($3::bigint[])';

/** Erases those scans of a tag on some days that fall under the erasure. A day without entries no longer has a record. */
export async function eraseEntries(
  transaction: Transaction,
  { id, isGone }: ErasedScans,
  days: readonly Day[],
): Promise<void> {
  const key = [transaction.site, bytesOfId(id), days];
  const entries = await transaction.read<EntryRow>(selectEntries, key);
  const between = await transaction.read<ScanRow>(selectScans, key);
  const emptied: Day[] = [];
  const changed: Day[] = [];
  for (const { day, first, last } of entries) {
    const ofDay = between.filter((scan) => scan.day === day).map(({ at }) => at);
    const all = [...new Set([first, ...ofDay, last])].sort((a, b) => a - b);
    const left = all.filter((at) => !isGone(at));
    if (left.length === all.length) continue;
    changed.push(day);
    if (left.length === 0) emptied.push(day);
    await writeLeft(transaction, [transaction.site, bytesOfId(id), day], left);
  }
  if (changed.length > 0) await touchDays(transaction, changed, emptied);
}

/** Writes the remaining scans of an entry. */
async function writeLeft(
  transaction: Transaction,
  key: readonly unknown[],
  left: readonly Timestamp[],
): Promise<void> {
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined) {
    await transaction.write('DELETE FROM tallybook.scan WHERE site = $1 AND id = $2 AND day = $3', key);
    await transaction.write('DELETE FROM tallybook.entry WHERE site = $1 AND id = $2 AND day = $3', key);
    return;
  }
  await transaction.write(
    'DELETE FROM tallybook.scan WHERE site = $1 AND id = $2 AND day = $3 AND NOT (at = ANY ($4::bigint[]))',
    // The first and the last one are in the entry.
    [...key, left.slice(1, -1)],
  );
  await transaction.write(
    `UPDATE tallybook.entry SET first_at = $4, last_at = $5, scans = $6
      WHERE site = $1 AND id = $2 AND day = $3`,
    [...key, first, last, left.length],
  );
}

/** @param emptied Days that lost an entry. */
async function touchDays(
  transaction: Transaction,
  changed: readonly Day[],
  emptied: readonly Day[],
): Promise<void> {
  const { site, revision } = transaction;
  await transaction.write(
    `UPDATE tallybook.day SET revision = $2, entries = entries - (CASE WHEN day = ANY ($4::bigint[]) THEN 1 ELSE 0 END)
      WHERE site = $1 AND day = ANY ($3::bigint[])`,
    [site, revision, changed, emptied],
  );
  const gone = await transaction.write(
    'DELETE FROM tallybook.day WHERE site = $1 AND day = ANY ($2::bigint[]) AND entries <= 0 RETURNING day',
    [site, emptied],
  );
  if (gone.length > 0) transaction.touch('days');
}
