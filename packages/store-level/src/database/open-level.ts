import { TallybookError } from '@tallybook/domain';
import { CountedLevel } from './counted-level.js';
import { JournalEnd } from './journal-end.js';
import { readDamageMark } from '../directory/damage-mark.js';
import { withDirectoryLock } from '../level/directory-lock.js';
import { isOlder, migrate, requireFormat, stamp, versionOf } from '../rows/format-row.js';
import { describeDamages, inspectFiles, cutTornEdit } from '../repair/inspect-files.js';
import { commitKey, formatKey, identityKey } from '../rows/keys.js';
import { damagedStore } from '../level/level-errors.js';
import { LogRoom } from './log-room.js';
import { NumberReader } from '../leveldb-files/numbers.js';
import { openRaw, type RawLevel } from '../level/raw-level.js';
import { finishReplacing } from '../directory/replace-files.js';
import { isSealed, unseal } from '../rows/seal.js';
import { isNewStore, isUnfinished, removeStoreFiles, syncDirectory } from '../directory/store-directory.js';
import {
  acknowledgedOf,
  countMissing,
  readAcknowledgedCommits,
  AcknowledgedCommits,
  type CommitCount,
  latestCommits,
} from '../directory/acknowledged-commits.js';

/** Called before a store is brought to another format, while it is closed and no other process can open it. */
export type BeforeMigration = (stored: CommitCount) => Promise<void>;

export interface OpenedLevel {
  readonly level: CountedLevel;
  /** Whether the store was just made. */
  readonly isNew: boolean;
  /** Whether the number of the latest commit is unknown: then a loss of the latest commits cannot be detected. */
  readonly isEndUnknown: boolean;
}

/**
 * Opens the store of a directory, and makes a new one if there is none.
 *
 * @param options `onOpening`: called after the check of the files, when another thread has begun to open them.
 * @throws {TallybookError} `STORE_CORRUPT` with a description of the damage. The files are unchanged then, with one exception: if
 * only the latest commits are missing, LevelDB has rewritten the rest.
 */
export async function openLevel(
  directory: string,
  {
    beforeMigration,
    onOpening,
  }: { readonly beforeMigration?: BeforeMigration; readonly onOpening?: (() => void) | undefined } = {},
): Promise<OpenedLevel> {
  await finishReplacing(directory);
  if (await isUnfinished(directory)) await removeUnfinished(directory);
  const mark = await readDamageMark(directory);
  if (mark !== undefined) throw damagedStore(directory, mark);
  const isMissing = await isNewStore(directory);
  const tables = isMissing ? 0 : await countSoundTables(directory);
  const raw = await openRaw(directory, isMissing, onOpening);
  return closingOnFailure(raw, async () => {
    // LevelDB does not sync the directory. On F2FS and Btrfs a power cut could remove its files, and acknowledged rows with them.
    if (isMissing) await syncDirectory(directory);
    // A store without rows is new, or lost power before its first commit.
    const isNew = (await raw.keys({ limit: 1 }).all()).length === 0;
    const acknowledged = readAcknowledgedCommits(directory);
    if (isNew) {
      if (tables > 0 || acknowledged.length > 0) {
        throw damagedStore(directory, 'all of its rows are missing');
      }
      await stamp(raw);
    }
    const level = await count(directory, raw, { acknowledged, beforeMigration });
    const { commits, identity } = level.acknowledged;
    // A store without a commit is new, or was just repaired.
    const isEndUnknown = commits > 0 && acknowledgedOf({ identity }, acknowledged) === undefined;
    return { level, isNew, isEndUnknown };
  });
}

/** Removes a store whose making was interrupted by a power cut. Nobody writes while this process has the lock. */
function removeUnfinished(directory: string): Promise<void> {
  return withDirectoryLock(directory, async () => {
    if (await isUnfinished(directory)) await removeStoreFiles(directory);
  });
}

/**
 * Opens the store that was open before. Rejects if it is missing, and makes no new one.
 *
 * @param before Identity and commits of the store when it was open.
 * @param beforeMigration Absent for a copy that is only read.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if the directory holds another store; `STORE_CORRUPT` if it holds an older copy.
 */
export async function reopenLevel(
  directory: string,
  before: CommitCount | undefined,
  beforeMigration?: BeforeMigration,
): Promise<CountedLevel> {
  const raw = await openRaw(directory, false);
  return closingOnFailure(raw, async () => {
    const level = await count(directory, raw, { acknowledged: before && [before], beforeMigration });
    if (before === undefined || level.acknowledged.identity.equals(before.identity)) return level;
    await level.close();
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `${directory} holds another store than before: put the former disk back`,
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

/** Checks that all files of a store are there and sound. Resolves with the number of its tables. */
async function countSoundTables(directory: string): Promise<number> {
  const { damages, tables } = await inspectFiles(directory);
  if (damages.length === 0) return tables.length;
  // Another process could change files while they are checked. Nobody writes while this process has the lock.
  return withDirectoryLock(directory, async () => {
    const { damages, tables } = await cutTornEdit(directory, await inspectFiles(directory));
    const [first] = damages;
    if (first === undefined) return tables.length;
    throw damagedStore(directory, describeDamages(damages), { details: { file: first.file } });
  });
}

/**
 * Checks format, identity and commits of a LevelDB, and continues to count its commits.
 *
 * @param acknowledged The acknowledged commits, from their files or from the time when the store was open.
 */
async function count(
  directory: string,
  opened: RawLevel,
  {
    acknowledged = readAcknowledgedCommits(directory),
    beforeMigration,
  }: {
    readonly acknowledged?: readonly CommitCount[] | undefined;
    readonly beforeMigration: BeforeMigration | undefined;
  },
): Promise<CountedLevel> {
  const [format, identityRow, commitRow] = await opened.getMany([formatKey, identityKey, commitKey]);
  const identity = unsealed(identityKey, identityRow);
  if (versionOf(format) === undefined && (acknowledged.length > 0 || (await holdsSealedRows(opened)))) {
    throw damagedStore(directory, 'the row of its format is damaged');
  }
  requireFormat(directory, format);
  const commits = unsealed(commitKey, commitRow);
  if (identity === undefined || (commits === undefined && commitRow !== undefined)) {
    throw damagedStore(directory, 'the rows that describe it are damaged');
  }
  const stored = { identity, commits: commits === undefined ? 0 : new NumberReader(commits).next() };
  const missing = countMissing(stored, acknowledged);
  if (missing > 0) {
    throw damagedStore(directory, `${latestCommits(missing, 'acknowledged commit')} missing`);
  }
  let raw = opened;
  if (isOlder(format) && beforeMigration !== undefined) {
    await opened.close();
    await withDirectoryLock(directory, () => beforeMigration(stored));
    raw = await openRaw(directory, false);
  }
  return closingOnFailure(raw, async () => {
    await migrate(raw, format);
    const journal = await JournalEnd.of(raw, identity);
    const acknowledgedCommits = new AcknowledgedCommits(directory, stored);
    const room = new LogRoom(directory);
    return new CountedLevel(raw, { acknowledged: acknowledgedCommits, room, journal }, stored);
  });
}

/** Whether this program wrote the LevelDB, even if the row of its format is damaged. */
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
