import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CountedLevel } from './counted-level.js';
import { reopenLevel } from './open-level.js';
import { isCopied } from '../directory/store-directory.js';

/** Folders for a copy: the first one with room is used. `/dev/shm` is in memory. */
const PLACES = ['/dev/shm', tmpdir()];
const TABLE = /\.(?:ldb|sst)$/;

/** A readable copy of a store in another folder. */
export interface ReadingCopy {
  readonly level: CountedLevel;
  readonly folder: string;
}

/**
 * Opens a store whose disk is full, to read it. LevelDB writes when it opens. So it opens another folder, with links to the
 * tables and copies of the other files. LevelDB never changes a table; the copies are a few megabytes at most.
 *
 * The file LOCK is a link too, so no other process can open the store meanwhile. The caller has claimed the directory.
 *
 * Rejects with the error of the last attempt.
 */
export async function openReadingCopy(directory: string): Promise<ReadingCopy> {
  let failure: unknown;
  for (const place of PLACES) {
    let folder: string | undefined;
    try {
      // Every user may write to these folders, so the new folder needs a name that nobody can guess.
      folder = await mkdtemp(join(place, `${prefixFor(directory)}-`));
      await fill(folder, directory);
      const level = await reopenLevel(folder, undefined);
      await removeReadingCopies(directory, folder);
      return { level, folder };
    } catch (error) {
      failure = error;
      if (folder !== undefined) await removeReadingCopy(folder);
    }
  }
  throw failure;
}

/** Removes a copy. If that fails, the next opening tries again. */
export async function removeReadingCopy(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/**
 * Removes the copies of a store that killed processes have left. The caller has the lock of the store. A folder of another user,
 * or one that cannot be removed, stays: the store opens all the same.
 *
 * @param used The copy to keep.
 */
export async function removeReadingCopies(directory: string, used?: string): Promise<void> {
  const prefix = prefixFor(directory);
  for (const place of PLACES) {
    const names = await readdir(place).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const folder = join(place, name);
      if (folder !== used && (await isOwnFolder(folder))) await removeReadingCopy(folder);
    }
  }
}

async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === (process.getuid?.() ?? stats.uid);
}

/** The prefix of the names of all copies of a store. A later process finds the copies by it. */
function prefixFor(directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return `tallybook-reading-${process.getuid?.() ?? 0}-${name}`;
}

async function fill(folder: string, directory: string): Promise<void> {
  await symlink(join(directory, 'LOCK'), join(folder, 'LOCK'));
  for (const name of await readdir(directory)) {
    const [from, to] = [join(directory, name), join(folder, name)];
    if (TABLE.test(name)) await symlink(from, to);
    else if (isCopied(name)) await copyFile(from, to);
  }
}
