import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CountedLevel } from './counted-level.js';
import { reopenLevel } from './open-level.js';
import { isStoreFile } from '../directory/store-directory.js';

/** Where a copy is put: the first folder with room. The first one is in memory. */
const PLACES = ['/dev/shm', tmpdir()];
const TABLE = /\.(?:ldb|sst)$/;
/** What LevelDB makes itself, and says nothing of the rows. */
const NOT_COPIED = /^(?:LOCK|LOG|LOG\.old|space-probe)$/;

/** A store that can be read, elsewhere. */
export interface ReadingCopy {
  readonly level: CountedLevel;
  readonly folder: string;
}

/**
 * Opens a store whose disk is full, to read it. LevelDB writes when it opens. So it opens a folder elsewhere with links to
 * the tables, which it never changes, and copies of the other files, which are a few megabytes at most.
 *
 * The lock is a link too: no other process can open the store meanwhile. The caller has claimed the directory.
 *
 * Rejects with what the last attempt failed with.
 */
export async function openReadingCopy(directory: string): Promise<ReadingCopy> {
  let failure: unknown;
  for (const place of PLACES) {
    const folder = folderIn(place, directory);
    try {
      await fill(folder, directory);
      return { level: await reopenLevel(folder, undefined), folder };
    } catch (error) {
      failure = error;
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw failure;
}

/** Removes the copies of a store, also those that a killed process has left. The caller has the lock of the store. */
export async function removeReadingCopies(directory: string): Promise<void> {
  for (const place of PLACES) await rm(folderIn(place, directory), { recursive: true, force: true });
}

/** The same for each process that opens the store, so that what one leaves is found. */
function folderIn(place: string, directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(place, `tallybook-reading-${process.getuid?.() ?? 0}-${name}`);
}

async function fill(folder: string, directory: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  // Fails if somebody else has made it meanwhile: it holds who was there.
  await mkdir(folder, { mode: 0o700 });
  await symlink(join(directory, 'LOCK'), join(folder, 'LOCK'));
  for (const name of await readdir(directory)) {
    const [from, to] = [join(directory, name), join(folder, name)];
    if (TABLE.test(name)) await symlink(from, to);
    else if (isStoreFile(name) && !NOT_COPIED.test(name)) await copyFile(from, to);
  }
}
