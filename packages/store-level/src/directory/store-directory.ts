import { mkdir, open, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quote, TallybookError } from '@tallybook/domain';
import { toOpenError } from '../level/level-errors.js';
import { SUMS_FILE } from './table-sums.js';
import { ACKNOWLEDGED_FILES } from './acknowledged-commits.js';

const SPACE_PROBE = 'space-probe';
/** See `damage-mark.ts`. */
export const DAMAGE_MARK = 'DAMAGED';

/**
 * The directories that are open in this process, by their real paths.
 *
 * LevelDB's lock keeps other processes out. Within one process a second attempt to open fails too, but in failing
 * it closes the lock file, and with that POSIX drops the lock of the whole process: then another process can open
 * the directory and write into it. So a second attempt must never reach LevelDB.
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
 * Makes a directory and those above it that are missing, for their owner only. The recursive `mkdir` of Node never
 * returns where nothing can be made, below /proc for example.
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

/** The only file, beside locks and notes, if the power went while LevelDB created a store: it names no data yet. */
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
 * Names that may be in a folder without a store: left by a repair, a publisher or a service that was killed, or of file systems at
 * their top.
 */
const NEIGHBOUR = /^(?:damaged-\d+|repair-new|outbox|control\.sock|setup-code|lost|lost\+found)$/;

/** Tells whether a name is that of a file of a store. */
export function isStoreFile(name: string): boolean {
  return STORE_FILE.test(name) || [...NOTES, ...ACKNOWLEDGED_FILES, DAMAGE_MARK, SUMS_FILE].includes(name);
}

/**
 * Tells whether the power went while LevelDB made a store: it does not sync its first manifest, which may then be empty
 * or torn. Nothing was written to the store, since {@link syncDirectory} comes before the first write.
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

/** Removes the files of a store, CURRENT last: until then it is as {@link isUnfinished} says. */
export async function removeStoreFiles(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => STORE_FILE.test(name) && name !== 'CURRENT');
  for (const name of [...names, 'CURRENT']) await rm(join(directory, name), { force: true });
}

/** Makes the names in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Tells, by the names in a directory, whether new files are complete but not all in their place. */
export function isBeingReplaced(names: readonly string[]): boolean {
  return names.includes(repairFolders.complete) || names.includes(repairFolders.moving);
}

/**
 * Tells whether a directory holds no store yet: not even one that is damaged, which must not be taken for a new one.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if it holds something else, because that may be a mistake in the path.
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
 * Checks that a store that was there still is. Where a disk was mounted that is gone there is an empty folder of the disk
 * below, and LevelDB would leave files in it.
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

/** Bytes that LevelDB writes when it opens, beside the table that it makes of its log. */
const OPENING_BYTES = 65_536;

/** The size of the blocks that `stat` counts, on every file system. */
const STAT_BLOCK_BYTES = 512;

/** How many bytes of a file are on the disk. The room in a log, see `log-room.ts`, is not. */
export async function occupiedBytes(path: string): Promise<number> {
  const { size, blocks } = await stat(path);
  return Math.min(size, blocks * STAT_BLOCK_BYTES);
}

/**
 * Checks that the disk takes what LevelDB writes when it opens: a table as large as its log, and a little more.
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
 * Tells whether a directory holds a store, damaged or not, without making or changing anything.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if it holds something else, or cannot be looked into.
 */
export async function holdsStore(path: string): Promise<boolean> {
  try {
    return !(await isNewStore(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw toOpenError(path, error);
  }
}
