import {
  isReservedTallyId,
  type Day,
  type PeopleStore,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { givenAt, type ErasedScans, type KnownScan } from '@tallybook/domain/record';
import type { Transaction } from '../../database/transaction.js';
import { bytesOfId } from '../../rows/stored-values.js';
import type { PostgresDatabase } from '../../database/postgres-database.js';
import { toChange, type ChangeColumns } from '../../rows/change-rows.js';
import { stampColumns, stampOf, type StampColumns } from '../../rows/name-rows.js';
import { personTable } from '../../rows/people-rows.js';
import { personOf } from './find-tags.js';
import { touchCorrections } from '../postgres-correction-store.js';

interface EntryRow {
  readonly day: Day;
  readonly first: Timestamp;
  readonly last: Timestamp;
  readonly firstFlags: number;
  readonly lastFlags: number;
}

interface ScanRow extends KnownScan {
  readonly day: Day;
}

/** $1: site, $2: id, $3: days. */
const selectEntries = `SELECT day, first_at AS first, last_at AS last, first_flags AS "firstFlags",
  last_flags AS "lastFlags" FROM tallybook.entry
  WHERE site = $1 AND id = $2 AND day = ANY ($3::bigint[])`;
const selectScans =
  'SELECT day, at, flags FROM tallybook.scan WHERE site = $1 AND id = $2 AND day = ANY ($3::bigint[])';

/** Erases those scans of a tag on some days that fall under the erasure. A day without entries no longer has a record. */
async function eraseEntries(
  transaction: Transaction,
  { id, isGone }: ErasedScans,
  days: readonly Day[],
): Promise<void> {
  const entries = await transaction.rows<EntryRow>(selectEntries, bytesOfId(id), days);
  const between = await transaction.rows<ScanRow>(selectScans, bytesOfId(id), days);
  const emptied: Day[] = [];
  const changed: Day[] = [];
  for (const { day, first, last, firstFlags, lastFlags } of entries) {
    const all = new Map<Timestamp, KnownScan>();
    for (const scan of between) if (scan.day === day) all.set(scan.at, scan);
    all.set(first, { at: first, flags: firstFlags });
    all.set(last, { at: last, flags: lastFlags });
    const left = [...all.values()].filter(({ at }) => !isGone(at)).sort((a, b) => a.at - b.at);
    if (left.length === all.size) continue;
    changed.push(day);
    if (left.length === 0) emptied.push(day);
    await writeLeft(transaction, [bytesOfId(id), day], left);
  }
  if (changed.length > 0) await touchDays(transaction, changed, emptied);
}

/** Writes the remaining scans of an entry. */
async function writeLeft(
  transaction: Transaction,
  key: readonly unknown[],
  left: readonly KnownScan[],
): Promise<void> {
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined || last === undefined) {
    await transaction.write('DELETE FROM tallybook.scan WHERE site = $1 AND id = $2 AND day = $3', ...key);
    await transaction.write('DELETE FROM tallybook.entry WHERE site = $1 AND id = $2 AND day = $3', ...key);
    return;
  }
  await transaction.write(
    'DELETE FROM tallybook.scan WHERE site = $1 AND id = $2 AND day = $3 AND NOT (at = ANY ($4::bigint[]))',
    ...key,
    // The first and the last one are in the entry.
    left.slice(1, -1).map(({ at }) => at),
  );
  await transaction.write(
    `UPDATE tallybook.entry SET first_at = $4, last_at = $5, scans = $6, first_flags = $7, last_flags = $8
      WHERE site = $1 AND id = $2 AND day = $3`,
    ...[...key, first.at, last.at, left.length, first.flags, last.flags],
  );
}

/** @param emptied Days that lost an entry. */
async function touchDays(
  transaction: Transaction,
  changed: readonly Day[],
  emptied: readonly Day[],
): Promise<void> {
  await transaction.write(
    `UPDATE tallybook.day SET revision = $2, entries = entries - (CASE WHEN day = ANY ($4::bigint[]) THEN 1 ELSE 0 END)
      WHERE site = $1 AND day = ANY ($3::bigint[])`,
    ...[transaction.revision, changed, emptied],
  );
  const gone = await transaction.write(
    'DELETE FROM tallybook.day WHERE site = $1 AND day = ANY ($2::bigint[]) AND entries <= 0 RETURNING day',
    emptied,
  );
  if (gone.length > 0) transaction.touch('days');
}

interface ChangeRow extends ChangeColumns {
  readonly seq: number;
  readonly writtenAt: Timestamp;
}

interface CorrectionColumns {
  readonly number: number;
  readonly day: Day;
  readonly at: Timestamp;
}

/** Days, and rows of other kinds, that are written together. */
const DAYS_AT_ONCE = 16;
const ROWS_AT_ONCE = 500;

/**
 * Erases all rows about a tag, some at a time, so that other writes come in between. After an interruption, call it again: it
 * goes on with the remaining rows. Another server may do the same at the same time.
 *
 * @param end Ends the erasure, in a transaction after the last rows.
 */
export async function eraseTag(
  database: PostgresDatabase,
  tag: ErasedScans,
  people: Pick<PeopleStore, 'lastResortOf'>,
  end: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const id = bytesOfId(tag.id);
  const staying = await database.write(async (transaction): Promise<Omit<Staying, 'stay'>> => {
    const [held] = await transaction.rows('SELECT 1 FROM tallybook.tag WHERE site = $1 AND id = $2', id);
    // The name of a tag with a timeline is its holder's.
    if (held !== undefined) return { isHeld: true, isNameStaying: true };
    const [row] = await transaction.rows<StampColumns>(
      `SELECT ${stampColumns} FROM tallybook.name WHERE site = $1 AND id = $2 FOR UPDATE`,
      id,
    );
    if (row === undefined) return { isHeld: false, isNameStaying: false };
    const at = givenAt(stampOf(row));
    const isGone = at === undefined ? tag.isClosed !== true : tag.isGone(at);
    if (!isGone) return { isHeld: false, isNameStaying: true };
    await transaction.write('DELETE FROM tallybook.name WHERE site = $1 AND id = $2', id);
    transaction.touch('names');
    return { isHeld: false, isNameStaying: false };
  });

  const days = await database.rows<{ day: Day }>(
    'SELECT day FROM tallybook.entry WHERE site = $1 AND id = $2 ORDER BY day',
    id,
  );
  for (const some of slices(days, DAYS_AT_ONCE)) {
    const group = some.map(({ day }) => day);
    await database.write((transaction) => eraseEntries(transaction, tag, group), ROWS_AT_ONCE);
  }

  const scans = await database.rows<{ sequence: number; body: string }>(
    'SELECT sequence, body FROM tallybook.provisional WHERE site = $1 AND id = $2',
    id,
  );
  const held = scans.filter(({ body }) => isGoneScan(body, tag)).map(({ sequence }) => sequence);
  for (const sequences of slices(held, ROWS_AT_ONCE)) {
    await database.write(async (transaction) => {
      await transaction.write(
        'DELETE FROM tallybook.provisional WHERE site = $1 AND sequence = ANY ($2::bigint[])',
        sequences,
      );
    }, sequences.length);
  }

  const findCorrections = (): Promise<readonly CorrectionColumns[]> =>
    database.rows('SELECT number, day, at FROM tallybook.correction WHERE site = $1 AND id = $2', id);
  const corrections = await findCorrections();
  const wrong = corrections.filter(({ at }) => tag.isGone(at));
  for (const some of slices(wrong, ROWS_AT_ONCE)) {
    await database.write(async (transaction) => {
      await transaction.write(
        'DELETE FROM tallybook.correction WHERE site = $1 AND number = ANY ($2::bigint[])',
        some.map(({ number }) => number),
      );
      await touchCorrections(
        transaction,
        some.map(({ day }) => day),
      );
    }, some.length);
  }

  const changes = await database.rows<ChangeRow>(
    'SELECT seq, written_at AS "writtenAt", kind, day, id, body FROM tallybook.change WHERE site = $1 AND id = $2',
    id,
  );
  // Read after the changes: so a change without a correction is about a correction that was removed.
  const right = (await findCorrections()).filter(({ at }) => !tag.isGone(at));
  const stay = new Set(right.map(({ number }) => number));
  const old = changes.filter((row) => isGoneChange(row, tag, { ...staying, stay })).map(({ seq }) => seq);
  for (const cursors of slices(old, ROWS_AT_ONCE)) {
    await database.write((transaction) => deleteChanges(transaction, cursors), cursors.length);
  }
  const theirs = await findPersonChanges(database, people, tag.id);
  for (const some of slices(theirs, ROWS_AT_ONCE)) {
    const cursors = some.map(({ seq }) => seq);
    await database.write((transaction) => deleteChanges(transaction, cursors), cursors.length);
  }
  await database.write(end);
}

/** The changes of the person of a tag of last resort, unless they are still there: they were named anew. */
async function findPersonChanges(
  database: PostgresDatabase,
  people: Pick<PeopleStore, 'lastResortOf'>,
  tag: TallyId,
): Promise<readonly { readonly seq: number }[]> {
  if (!isReservedTallyId(tag)) return [];
  const changes = await database.rows<{ seq: number; body: string }>(
    `SELECT seq, body FROM tallybook.change WHERE site = $1 AND kind = 'person'`,
  );
  const theirs = changes.filter(({ body }) => {
    const person = personOf(body);
    return person !== undefined && people.lastResortOf(person) === tag;
  });
  const [first] = theirs;
  const person = first && personOf(first.body);
  if (person === undefined) return [];
  const rows = await database.rows(
    'SELECT 1 FROM tallybook.person WHERE site = $1 AND id = $2',
    personTable.bytesOf(person),
  );
  return rows.length === 0 ? theirs : [];
}

async function deleteChanges(transaction: Transaction, cursors: readonly number[]): Promise<void> {
  const gone = await transaction.write(
    'DELETE FROM tallybook.change WHERE site = $1 AND seq = ANY ($2::bigint[]) RETURNING seq',
    cursors,
  );
  transaction.forget(gone.length);
}

/** Whether a scan is erased. A damaged scan is erased too. */
function isGoneScan(body: string, { isGone, isClosed }: ErasedScans): boolean {
  try {
    const { filing } = JSON.parse(body) as { readonly filing?: { readonly at: Timestamp } };
    return filing === undefined ? isClosed !== true : isGone(filing.at);
  } catch {
    return true;
  }
}

/** Rows of a tag that stay: its name, and the corrections with these numbers. */
interface Staying {
  readonly isNameStaying: boolean;
  /** Whether the tag has a timeline: it is another holder's. */
  readonly isHeld: boolean;
  readonly stay: ReadonlySet<number>;
}

function isGoneChange(
  row: ChangeRow,
  { isGone, isClosed }: ErasedScans,
  { isNameStaying, isHeld, stay }: Staying,
): boolean {
  try {
    const change = toChange(row, row.seq);
    if (change.kind === 'correction') return !stay.has(change.number);
    if (change.kind === 'name') return !isNameStaying || isGone(row.writtenAt);
    if (change.kind === 'tag') return !isHeld;
    if (change.kind === 'provisional') return isClosed !== true;
    return change.kind !== 'scan' || isGone(change.at);
  } catch {
    return true;
  }
}

export function* slices<T>(all: readonly T[], size: number): Generator<readonly T[], void, undefined> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
