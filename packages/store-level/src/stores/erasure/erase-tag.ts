import {
  DAY_MAX,
  isReservedTallyId,
  type Change,
  type Day,
  type PersonId,
  type TallyId,
} from '@tallybook/domain';
import { givenAt, type ErasedScans } from '@tallybook/domain/record';
import { deletionOf } from '../../database/group-commit.js';
import { decodeSound } from '../../queries/read-journal.js';
import type { LevelDatabase } from '../../database/level-database.js';
import { subjects } from '../../database/revisions.js';
import { eraseScans, hasDay } from '../../rows/day-rows.js';
import {
  changeKey,
  changeRange,
  dayKey,
  entryKey,
  idOfMomentKey,
  momentKey,
  momentRange,
  nameKey,
  provisionalKey,
  scanRangeOf,
} from '../../rows/keys.js';
import { findName, keysOfNames } from '../../rows/name-rows.js';
import { lastResortOf, personRows, timelineRows } from '../../rows/people-rows.js';
import { readDays } from '../../queries/read-day.js';
import { readProvisional } from '../../queries/read-provisional.js';
import { isSealed, unseal } from '../../rows/seal.js';
import { tagOfRow } from '../../rows/tag-of-row.js';
import { LevelView, type StoredRow } from '../level-view.js';
import { allCorrections, correctionKey, correctionOfKey } from '../../rows/correction-rows.js';

/** Days that are read, and written, together. */
const DAYS_OF_PAGE = 512;
const DAYS_OF_WRITE = 16;
/** Rows that are read, or written, together. */
const ROWS_OF_PAGE = 1_000;

/** Ends an erasure, in one commit with the removal of its last rows. */
export type Ending = (last: readonly Buffer[]) => Promise<void>;

/**
 * Erases all rows about a tag, some at a time, so that other writes come in between. After a power cut, call it again: it goes on
 * with the remaining rows.
 */
export async function eraseTag(database: LevelDatabase, tag: ErasedScans, end: Ending): Promise<void> {
  await eraseName(database, tag);
  await eraseDays(database, tag);
  await eraseProvisional(database, tag);
  await eraseCorrections(database, tag);
  await eraseChanges(database, tag, end);
}

/**
 * Erases the name, unless it is later than the erasure, or that of a holder. A name of unknown time is erased too, unless another
 * holder followed.
 */
async function eraseName(database: LevelDatabase, { id, isGone, isClosed }: ErasedScans): Promise<void> {
  const keys = keysOfNames([id]);
  await write(database, [subjects.mapping], {
    keys: [...keys, timelineRows.keyOf(id)],
    decide: (rows) => {
      if (rows.has(timelineRows.keyOf(id))) return;
      const at = givenAt(findName(rows, id)?.stamp);
      if (at === undefined ? isClosed === true : !isGone(at)) return;
      for (const key of keys) rows.delete(key);
    },
  });
}

async function eraseDays(database: LevelDatabase, { id, isGone }: ErasedScans): Promise<void> {
  const days = await database.read((level) => readDays(level, 0 as Day, DAY_MAX));
  for (let start = 0; start < days.length; start += DAYS_OF_PAGE) {
    const page = days.slice(start, start + DAYS_OF_PAGE);
    const rows = await database.read((level) => level.getMany(page.map((day) => entryKey(day, id))));
    const its = page.filter((_, index) => rows[index] !== undefined);
    for (let n = 0; n < its.length; n += DAYS_OF_WRITE) {
      await eraseSomeDays(database, its.slice(n, n + DAYS_OF_WRITE), { id, isGone });
    }
  }
}

async function eraseSomeDays(
  database: LevelDatabase,
  days: readonly Day[],
  { id, isGone }: ErasedScans,
): Promise<void> {
  await write(database, [subjects.list, ...days.map((day) => subjects.day(day))], {
    keys: days.flatMap((day) => [dayKey(day), entryKey(day, id)]),
    ranges: days.map((day) => scanRangeOf(day, id)),
    decide: (rows) => {
      for (const day of days) if (hasDay(rows, day)) eraseScans(rows, day, id, isGone);
    },
  });
}

async function eraseProvisional(
  database: LevelDatabase,
  { id, isGone, isClosed }: ErasedScans,
): Promise<void> {
  const scans = await database.read((level) => readProvisional(level, undefined, () => undefined));
  const stay = new Set<string>();
  const keys: Buffer[] = [];
  for (const scan of scans) {
    if (scan.id !== id) continue;
    if (scan.filing === undefined ? isClosed !== true : isGone(scan.filing.at))
      keys.push(provisionalKey(scan.sequence));
    else stay.add(momentKey(scan).toString('hex'));
  }
  // Also moments without a scan: damage may leave such rows.
  const moments = await database.read((level) => level.keys(momentRange).all());
  for (const key of moments) {
    if (isOf(key, id) && !stay.has(key.toString('hex'))) keys.push(key);
  }
  for (let n = 0; n < keys.length; n += ROWS_OF_PAGE) {
    await database.write(deletionOf(keys.slice(n, n + ROWS_OF_PAGE)));
  }
}

function isOf(key: Buffer, id: TallyId): boolean {
  try {
    return idOfMomentKey(key) === id;
  } catch {
    return false;
  }
}

async function eraseCorrections(database: LevelDatabase, tag: ErasedScans): Promise<void> {
  await using view = await LevelView.of(database);
  for await (const page of view.pages(allCorrections)) {
    const keys = page.filter(([key, sealed]) => isGoneRow(key, sealed, tag)).map(([key]) => key);
    if (keys.length === 0) continue;
    const days = new Set(keys.map((key) => correctionOfKey(key).day));
    await write(database, [subjects.corrections, ...[...days].map(subjects.correctionsOf)], deletionOf(keys));
  }
}

/**
 * Erases changes of the journal. The latest change is removed in one commit with the new one: otherwise the journal would lose
 * its latest cursor.
 */
async function eraseChanges(database: LevelDatabase, tag: ErasedScans, end: Ending): Promise<void> {
  let waiting: Buffer[] = [];
  {
    await using view = await LevelView.of(database);
    const [name, timeline] = await view.read((level, snapshot) =>
      level.getMany([nameKey(tag.id), timelineRows.keyOf(tag.id)], { snapshot }),
    );
    for await (const page of view.pages(changeRange(0))) {
      const stay = await findStaying(view, page, tag);
      const hasPerson = await isPersonOf(view, page, tag);
      for (const [key, sealed] of page) {
        const kind = changeOf(key, sealed, tag)?.kind;
        // Whatever their time: their data is erased, or in the change of the filed scan.
        const isOfPerson = personToldBy(key, sealed, tag) !== undefined;
        const goesAnyway =
          (kind === 'provisional' && tag.isClosed !== true) ||
          (kind === 'name' && name === undefined) ||
          (isOfPerson && !hasPerson);
        // The timeline of others, or a person of a later name: who has not read it yet must still do so.
        const staysAnyway = (kind === 'tag' && timeline !== undefined) || (isOfPerson && hasPerson);
        if (!staysAnyway && !stay.has(key) && (goesAnyway || isGoneRow(key, sealed, tag))) waiting.push(key);
      }
      const latest = changeKey(view.latest);
      if (waiting.length < ROWS_OF_PAGE) continue;
      await database.write(deletionOf(waiting.filter((key) => !key.equals(latest))));
      waiting = waiting.filter((key) => key.equals(latest));
    }
  }
  await end(waiting);
}

/** Whether the person of a tag of last resort, whose changes are on the page, is still there: they were named anew. */
async function isPersonOf(view: LevelView, page: readonly StoredRow[], tag: ErasedScans): Promise<boolean> {
  for (const [key, sealed] of page) {
    const person = personToldBy(key, sealed, tag);
    if (person === undefined) continue;
    const [row] = await view.read((level, snapshot) =>
      level.getMany([personRows.keyOf(person)], { snapshot }),
    );
    return row !== undefined;
  }
  return false;
}

/** The person that a change is about, if the tag is their tag of last resort. */
function personToldBy(key: Buffer, sealed: Buffer, { id }: ErasedScans): PersonId | undefined {
  const change = isReservedTallyId(id) ? decodeSound(key, sealed)?.change : undefined;
  return change?.kind === 'person' && lastResortOf(change.person) === id ? change.person : undefined;
}

/** Keys of the changes about remaining corrections of the tag. */
async function findStaying(
  view: LevelView,
  page: readonly StoredRow[],
  tag: ErasedScans,
): Promise<ReadonlySet<Buffer>> {
  const changes: Buffer[] = [];
  const corrections: Buffer[] = [];
  for (const [key, sealed] of page) {
    const correction = correctionToldBy(key, sealed, tag);
    if (correction === undefined) continue;
    changes.push(key);
    corrections.push(correction);
  }
  if (corrections.length === 0) return new Set();
  const rows = await view.read((level, snapshot) => level.getMany(corrections, { snapshot }));
  return new Set(
    changes.filter((_, index) => {
      const [key, row] = [corrections[index], rows[index]];
      return key !== undefined && row !== undefined && !isGoneRow(key, row, tag);
    }),
  );
}

/** The key of the correction of the tag that a change is about; `undefined` if the change is about something else. */
function correctionToldBy(key: Buffer, sealed: Buffer, tag: ErasedScans): Buffer | undefined {
  const change = changeOf(key, sealed, tag);
  return change?.kind === 'correction' ? correctionKey(change) : undefined;
}

/** The change, if it is about the tag; `undefined` if it is not, or is damaged. */
function changeOf(key: Buffer, sealed: Buffer, { id }: ErasedScans): Change | undefined {
  const change = decodeSound(key, sealed)?.change;
  return change !== undefined && 'id' in change && change.id === id ? change : undefined;
}

function isGoneRow(key: Buffer, sealed: Buffer, { id, isGone }: ErasedScans): boolean {
  if (!isSealed(key, sealed)) return false;
  const tag = tagOfRow(key, unseal(key, sealed));
  return tag?.id === id && (tag.at === undefined || isGone(tag.at));
}

/** Writes, and gives new revisions to all data that may have changed. */
function write(
  database: LevelDatabase,
  touched: readonly string[],
  { keys, ranges = [], decide }: Parameters<LevelDatabase['write']>[0],
): Promise<unknown> {
  return database.write({
    keys,
    ranges,
    decide: (rows) => {
      for (const subject of touched) rows.touch(subject);
      return decide(rows);
    },
  });
}
