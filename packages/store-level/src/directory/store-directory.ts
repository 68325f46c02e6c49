import { mkdir, open, readdir, readFile, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quote, TallybookError } from '@tallybook/domain';
import { toOpenError } from '../level/level-errors.js';
import { ACKNOWLEDGED_FILES } from './acknowledged-commits.js';

const SPACE_PROBE = 'space-probe';
/** See `damage-mark.ts`. */
export const DAMAGE_MARK = 'DAMAGED';

/**
 * The directories that are open in this process, by their real paths.
 *
 * LevelDB's lock keeps other processes out. Within one process a second attempt to open fails too, but it closes the lock file,
 * and then POSIX drops the lock of the whole process. After that, another process could open the directory and write into it. So
 * a second attempt must never reach LevelDB.
 */
const claimed = new Set<string>();

/**
 * Makes the directory if it is missing, for its owner only, and claims it.
 *
 * @returns Its real path, which {@link releaseDirectory} takes.
 * @throws {TallybookError} `STORE_LOCKED` if it is claimed already.
 */
export async function claimDirectory(path: string): Promise<string> {
  await makeDirectory(path);
  const directory = await realpath(path);
  if (claimed.has(directory)) {
    throw new TallybookError('STORE_LOCKED', `${path} is open in this process already`, {
      details: { path },
    });
  }
  claimed.add(directory);
  return directory;
}

/**
 * Makes a directory and all missing directories above it, for their owner only. The recursive `mkdir` of Node never returns in a
 * place where nothing can be made, for example below /proc.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      if ((await stat(path)).isDirectory()) return;
      throw new TallybookError('STORE_UNAVAILABLE', `${path} is not a folder; choose one with --store`, {
        cause: error,
        details: { path },
      });
    }
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

export function releaseDirectory(directory: string): void {
  claimed.delete(directory);
}

/**
 * The first manifest of a store, which names no data yet. If power was lost while LevelDB made the store, it may be the only file
 * beside locks and notes.
 */
const FIRST_MANIFEST = 'MANIFEST-000001';
const NOTES = ['LOCK', 'LOG', 'LOG.old', SPACE_PROBE, FIRST_MANIFEST];
const STORE_FILE = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:ldb|sst|log|dbtmp))$/;
/** Folders in which a repair works; see `replace-files.ts`. */
export const repairFolders = {
  new: 'repair-new',
  complete: 'repair-complete',
  moving: 'repair-moving',
} as const;
/**
 * Names that may be in a folder without a store: left by a repair, a migration, a rollback, a publisher or a killed service, stored settings, or
 * made by a file system in its top folder.
 */
const NEIGHBOUR =
  /^(?:damaged-\d+|before-\d+(?:\.tmp|\.removed)?|rolled-back-.+\.jsonl|repair-new|control\.sock|setup-code|settings\.json|\.(?:settings\.json|restore)\.unfinished|lost|lost\+found)$/;

/** Whether a store may have a file with this name. */
export function isStoreFile(name: string): boolean {
  return STORE_FILE.test(name) || [...NOTES, ...ACKNOWLEDGED_FILES, DAMAGE_MARK].includes(name);
}

/** Files without rows. LevelDB makes them itself. */
const NOT_COPIED = /^(?:LOCK|LOG|LOG\.old|space-probe)$/;

/** Whether a copy of a store needs the file with this name. */
export function isCopied(name: string): boolean {
  return isStoreFile(name) && !NOT_COPIED.test(name);
}

/**
 * Whether power was lost while LevelDB made a store. LevelDB does not sync its first manifest, so that file may be empty or torn
 * then. Nothing was written to such a store: {@link syncDirectory} comes before the first write.
 */
export async function isUnfinished(directory: string): Promise<boolean> {
  const names = await readdir(directory);
  if (!names.includes('CURRENT') || ACKNOWLEDGED_FILES.some((name) => names.includes(name))) return false;
  if (names.some((name) => /\.(?:ldb|sst)$/.test(name))) return false;
  if ((await readFile(join(directory, 'CURRENT'), 'latin1')) !== `${FIRST_MANIFEST}\n`) return false;
  const logs = names.filter((name) => name.endsWith('.log'));
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.every((size) => size === 0);
}

/** Removes the files of a store, CURRENT last: so {@link isUnfinished} stays true until all are removed. */
export async function removeStoreFiles(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => STORE_FILE.test(name) && name !== 'CURRENT');
  for (const name of [...names, 'CURRENT']) await rm(join(directory, name), { force: true });
}

/** Makes the names of the files in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}

/** Whether a directory with these names has a complete set of new files that are not all in their place yet. */
export function isBeingReplaced(names: readonly string[]): boolean {
  return names.includes(repairFolders.complete) || names.includes(repairFolders.moving);
}

/**
 * Whether a directory holds no store yet. A damaged store counts as a store.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if it holds other files, because the path may be wrong.
 */
export async function isNewStore(directory: string): Promise<boolean> {
  const names = (await readdir(directory)).filter(
    (name) => !NOTES.includes(name) && !name.endsWith('.dbtmp'),
  );
  if (names.some(isStoreFile) || isBeingReplaced(names)) return false;
  const foreign = names.find((name) => !NEIGHBOUR.test(name));
  if (foreign === undefined) return true;
  throw new TallybookError(
    'STORE_UNAVAILABLE',
    `${directory} is not empty and holds no store (it has ${quote(foreign)}): choose an empty or a new folder with --store`,
    { details: { path: directory } },
  );
}

/**
 * Checks that a store is still there. When its disk is no longer mounted, an empty folder of another disk is in its place, and
 * LevelDB would leave files there.
 *
 * Rejects as the file system does, or with `STORE_UNAVAILABLE`.
 */
export async function requireStore(directory: string): Promise<void> {
  if (!(await isNewStore(directory))) return;
  throw new TallybookError(
    'STORE_UNAVAILABLE',
    `${directory} does not hold the store any more: is its disk mounted?`,
    { details: { path: directory } },
  );
}

/**
 * Checks that a disk has room.
 *
 * @param work What the room is for, in words.
 * @throws {TallybookError} `STORE_WRITE_FAILED` if it has not.
 */
export async function requireFree(directory: string, needed: number, work: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= needed) return;
  throw new TallybookError(
    'STORE_WRITE_FAILED',
    `${work} needs ${needed} free bytes on its disk, and ${bavail * bsize} are free; nothing was changed`,
    { details: { path: directory, needed } },
  );
}

/** Bytes that LevelDB writes when it opens, in addition to the table that it makes from its log. */
const OPENING_BYTES = 65_536;

/** The size of the blocks that `stat` counts, on every file system. */
const STAT_BLOCK_BYTES = 512;

/** How many bytes of a file are on the disk. The room in a log is not on the disk: see `log-room.ts`. */
export async function occupiedBytes(path: string): Promise<number> {
  const { size, blocks } = await stat(path);
  return Math.min(size, blocks * STAT_BLOCK_BYTES);
}

/**
 * Checks that the disk has room for the bytes that LevelDB writes when it opens: a table as large as its log, and a little more.
 *
 * Rejects as the file system does.
 */
export async function requireSpace(directory: string): Promise<void> {
  const logs = (await readdir(directory)).filter((file) => file.endsWith('.log'));
  const sizes = await Promise.all(logs.map((file) => occupiedBytes(join(directory, file))));
  const bytes = sizes.reduce((sum, size) => sum + size, OPENING_BYTES);
  const probe = join(directory, SPACE_PROBE);
  try {
    await writeFile(probe, Buffer.alloc(bytes), { flush: true });
  } finally {
    await rm(probe, { force: true });
  }
}

/**
 * Whether a directory holds a store, damaged or not. Changes nothing.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if it holds other files, or cannot be read.
 */
export async function holdsStore(path: string): Promise<boolean> {
  try {
    return !(await isNewStore(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw toOpenError(path, error);
  }
}

/**
 * Does work with the directory of a store, which is claimed meanwhile.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store; `STORE_LOCKED` if it is in use.
 */
export async function withStoreDirectory<T>(
  path: string,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  if (!(await holdsStore(path))) {
    throw new TallybookError('STORE_UNAVAILABLE', `there is no store at ${path}`, { details: { path } });
  }
  try {
    const directory = await claimDirectory(path);
    try {
      return await work(directory);
    } finally {
      releaseDirectory(directory);
    }
  } catch (error) {
    throw toOpenError(path, error);
  }
}

/** Names of LevelDB's logs. */
export const LOG_NAME: RegExp = /^(\d+)\.log$/;

/**
 * The names that match a pattern, by their numbers, ascending: the newest file comes last.
 *
 * @param pattern Matches the names; its first group is the number.
 */
export function numbered(names: readonly string[], pattern: RegExp): ReadonlyMap<number, string> {
  const found = names.flatMap((name) => {
    const [, digits] = pattern.exec(name) ?? [];
    return digits === undefined ? [] : [[Number(digits), name] as const];
  });
  return new Map(found.sort(([a], [b]) => a - b));
}
