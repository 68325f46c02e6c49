import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { withDirectoryLock } from '../level/directory-lock.js';
import { toOpenError } from '../level/level-errors.js';
import { openRaw } from '../level/raw-level.js';
import { IDENTITY_BYTES } from '../rows/format-row.js';
import { identityKey } from '../rows/keys.js';
import { seal } from '../rows/seal.js';
import { AcknowledgedCommits, readAcknowledgedCommits } from './acknowledged-commits.js';
import { copyForReading, removeExpiry, requireCopy, type MigrationCopy } from './migration-copy.js';
import { finish, takeOver } from './replace-files.js';
import { syncDirectory } from './store-directory.js';

/**
 * Puts back the copy of a store from before its migration, and removes the present files. The caller has claimed the directory.
 *
 * The copy itself is moved, by the steps of a repair: after a power cut the next opening finishes them, that of the older program
 * too. Until then the present files count, and the copy stays one.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no copy.
 */
export function rollBack(directory: string): Promise<void> {
  return withDirectoryLock(directory, async () => {
    await finish(directory);
    const copy = await requireCopy(directory);
    await renewIdentity(copy);
    await removeExpiry(copy);
    const aside = await takeOver(directory, copy.path);
    await rm(aside, { recursive: true });
    await syncDirectory(directory);
  });
}

/**
 * Does work with a copy of the copy, in a folder that is removed afterwards.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no copy.
 */
export async function withFormer<T>(directory: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await copyForReading(await requireCopy(directory)).catch((error: unknown) => {
    throw toOpenError(directory, error);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Gives the copy another identity, which is the origin of the journal: the cursors of what is rolled back are given again, so
 * whoever follows the journal must not take them for the same changes. The row is the same in all formats.
 */
async function renewIdentity({ path }: MigrationCopy): Promise<void> {
  const commits = Math.max(0, ...readAcknowledgedCommits(path).map((each) => each.commits));
  const identity = randomBytes(IDENTITY_BYTES);
  {
    await using raw = await openRaw(path, false);
    await raw.batch().put(identityKey, seal(identityKey, identity)).write({ sync: true });
  }
  new AcknowledgedCommits(path, { identity, commits }).close();
}
