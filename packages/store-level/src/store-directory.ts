import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TallybookError } from '@tallybook/domain';

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
      throw new TallybookError('STORE_UNAVAILABLE', `${path} is not a folder`, {
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

const LEVELDB_FILE = /^(?:MANIFEST-\d+|\d+\.(?:ldb|sst|log))$/;
/** All there is, beside locks and notes, if the power went while LevelDB created a store: it names no data yet. */
const FIRST_MANIFEST = 'MANIFEST-000001';

/**
 * Tells whether a directory holds no store yet.
 *
 * @throws {TallybookError} `STORE_CORRUPT` if it holds one without its file CURRENT: LevelDB would take it for a
 * new one and delete the data.
 */
export async function isNewStore(directory: string): Promise<boolean> {
  const files = await readdir(directory);
  if (files.includes('CURRENT')) return false;
  const orphan = files.find((file) => LEVELDB_FILE.test(file) && file !== FIRST_MANIFEST);
  if (orphan === undefined) return true;
  throw new TallybookError(
    'STORE_CORRUPT',
    `${directory} holds data (${orphan}) but not the file CURRENT; restore the directory as a whole`,
    { details: { path: directory } },
  );
}

/** What LevelDB writes when it opens, beside the table that it makes of its log. */
const OPENING_BYTES = 65_536;

/**
 * Checks that the disk takes what LevelDB writes when it opens: a table as large as its log, and a little more.
 *
 * Rejects as the file system does.
 */
export async function requireSpace(directory: string): Promise<void> {
  const logs = (await readdir(directory)).filter((file) => file.endsWith('.log'));
  const sizes = await Promise.all(logs.map(async (file) => (await stat(join(directory, file))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, OPENING_BYTES);
  const probe = join(directory, 'space-probe');
  try {
    await writeFile(probe, Buffer.alloc(bytes), { flush: true });
  } finally {
    await rm(probe, { force: true });
  }
}

/** Tells whether a directory holds a store, without making or changing anything. */
export async function holdsStore(path: string): Promise<boolean> {
  try {
    return !(await isNewStore(path));
  } catch (error) {
    // Whether it is damaged or may not be looked into, opening says more.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
