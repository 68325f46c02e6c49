import { TallybookError } from '@tallybook/domain';
import { latestCommits } from '../rows/counted.js';
import { CountedLevel } from './counted-level.js';
import { readDamageMark } from '../directory/damage-mark.js';
import { withDirectoryLock } from '../level/directory-lock.js';
import { requireFormat, stamp, versionOf } from '../rows/format-row.js';
import { describeDamages, inspectFiles } from '../repair/inspect-files.js';
import { commitKey, formatKey, identityKey } from '../rows/keys.js';
import { damagedStore } from '../level/level-errors.js';
import { LogRoom } from './log-room.js';
import { NumberReader } from '../leveldb-files/numbers.js';
import { openRaw, type RawLevel } from '../level/raw-level.js';
import { finishReplacing } from '../directory/replace-files.js';
import { isSealed, unseal } from '../rows/seal.js';
import { isNewStore, isUnfinished, removeStoreFiles, syncDirectory } from '../directory/store-directory.js';
import { TableSums } from '../directory/table-sums.js';
import { countMissing, readTestimony, Witness, type Testimony } from '../directory/acknowledged-commits.js';

export interface OpenedLevel {
  readonly level: CountedLevel;
  /** Whether there was nothing in it. */
  readonly isNew: boolean;
}

/**
 * Opens the store of a directory, and makes a new one if there is none.
 *
 * @throws {TallybookError} `STORE_CORRUPT` saying what is damaged. Then nothing was changed, except that LevelDB has
 * rewritten what can be read if the only damage is that the latest commits are missing.
 */
export async function openLevel(directory: string): Promise<OpenedLevel> {
  await finishReplacing(directory);
  if (await isUnfinished(directory)) await removeUnfinished(directory);
  const mark = await readDamageMark(directory);
  if (mark !== undefined) throw damagedStore(directory, mark);
  const isMissing = await isNewStore(directory);
  const tables = isMissing ? 0 : await countSoundTables(directory);
  const raw = await openRaw(directory, isMissing);
  return closingOnFailure(raw, async () => {
    // LevelDB does not: on file systems without a journal for all files, its files could be gone with what they hold.
    if (isMissing) await syncDirectory(directory);
    // A store without rows is new, or the power went before it got its first ones.
    const isNew = (await raw.keys({ limit: 1 }).all()).length === 0;
    if (isNew) {
      if (tables > 0 || readTestimony(directory) !== undefined) {
        throw damagedStore(directory, 'all of its rows are missing');
      }
      await stamp(raw);
    }
    return { level: await count(directory, raw), isNew };
  });
}

/** Removes what the power left of a store that was being made. Nobody writes while this process has the lock. */
function removeUnfinished(directory: string): Promise<void> {
  return withDirectoryLock(directory, async () => {
    if (await isUnfinished(directory)) await removeStoreFiles(directory);
  });
}

/**
 * Opens the store that was open before. A missing one is a failure now, and not the occasion to begin anew.
 *
 * @param before What it was when it was open.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if it is another one; `STORE_CORRUPT` if it is an older copy.
 */
export async function reopenLevel(directory: string, before: Testimony | undefined): Promise<CountedLevel> {
  const raw = await openRaw(directory, false);
  return closingOnFailure(raw, async () => {
    const level = await count(directory, raw, before);
    if (before === undefined || level.testimony.identity.equals(before.identity)) return level;
    await level.close();
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `${directory} holds another store than before: put the disk back that was there`,
      { details: { path: directory } },
    );
  });
}

async function closingOnFailure<T>(raw: RawLevel, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/**
 * Checks that all files of a store are there and sound.
 *
 * @returns How many tables it has.
 */
async function countSoundTables(directory: string): Promise<number> {
  const sums = await TableSums.read(directory);
  const { damages, tables } = await inspectFiles(directory, sums);
  if (damages.length === 0) {
    await sums.write();
    return tables.length;
  }
  // Another process that is writing changes files while they are looked at. Nobody writes while this one has the lock.
  return withDirectoryLock(directory, async () => {
    const { damages, tables } = await inspectFiles(directory);
    const [first] = damages;
    if (first === undefined) return tables.length;
    throw damagedStore(directory, describeDamages(damages), { details: { file: first.file } });
  });
}

/**
 * Checks what a LevelDB says of itself, and begins to count its commits.
 *
 * @param testimony What is known of its commits from elsewhere.
 */
async function count(
  directory: string,
  raw: RawLevel,
  testimony: Testimony | undefined = readTestimony(directory),
): Promise<CountedLevel> {
  const [format, identityRow, commitRow] = await raw.getMany([formatKey, identityKey, commitKey]);
  const identity = unsealed(identityKey, identityRow);
  if (versionOf(format) === undefined && (testimony !== undefined || (await holdsSealedRows(raw)))) {
    throw damagedStore(directory, 'the row of its format is damaged');
  }
  requireFormat(directory, format);
  const commits = unsealed(commitKey, commitRow);
  if (identity === undefined || (commits === undefined && commitRow !== undefined)) {
    throw damagedStore(directory, 'the rows that describe it are damaged');
  }
  const stored = { identity, commits: commits === undefined ? 0 : new NumberReader(commits).next() };
  const missing = countMissing(stored, testimony);
  if (missing > 0) {
    throw damagedStore(directory, `${latestCommits(missing, 'acknowledged commit')} missing`);
  }
  return new CountedLevel(raw, new Witness(directory, stored), new LogRoom(directory), stored);
}

/** Whether a LevelDB was written by this program, whatever became of the row that says so. */
async function holdsSealedRows(raw: RawLevel): Promise<boolean> {
  const [row] = await raw.iterator({ gt: formatKey, limit: 1 }).all();
  return row !== undefined && isSealed(...row);
}

function unsealed(key: Buffer, sealed: Buffer | undefined): Buffer | undefined {
  try {
    return sealed === undefined ? undefined : unseal(key, sealed);
  } catch {
    return undefined;
  }
}
