import { mkdir, readdir, realpath } from 'node:fs/promises';
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
  await mkdir(path, { recursive: true, mode: 0o700 });
  const directory = await realpath(path);
  if (claimed.has(directory)) {
    throw new TallybookError('STORE_LOCKED', `${path} is open in this process already`, {
      details: { path },
    });
  }
  claimed.add(directory);
  return directory;
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
