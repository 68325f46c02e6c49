import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withDirectoryLock } from '../level/directory-lock.js';
import { isBeingReplaced, isStoreFile, repairFolders, syncDirectory } from './store-directory.js';

/*
 * How the files of a store are replaced. Wherever this is interrupted, either all old files count or all new ones. The directory
 * of the store itself is not replaced: a disk may be mounted there, or only root may change the folder above it. The name of a
 * folder in the directory shows the progress:
 *
 *   repair-new        is being filled with the new files       -> the old ones count, this folder is removed
 *   repair-complete   is filled; old ones move to damaged-N    -> the new ones count
 *   repair-moving     the new ones move into the directory     -> the new ones count
 *
 * If it is interrupted after the first step, the next opening of the store finishes the work.
 */
const ASIDE = /^damaged-(\d+)$/;

/**
 * Replaces the files of a store. The caller holds the lock of the directory.
 *
 * @param fill Makes the new files in the given folder and syncs them. If it rejects, nothing has changed.
 * @returns The folder with the old ones.
 */
export async function replaceFiles(
  directory: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(directory, repairFolders.new);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    await fill(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return takeOver(directory, folder);
}

/**
 * Replaces the files of a store by those in a folder of its directory, which all are synced. The caller holds the lock of the
 * directory.
 *
 * @returns The folder with the old ones.
 */
export async function takeOver(directory: string, folder: string): Promise<string> {
  await syncDirectory(folder);
  const aside = await makeAside(directory);
  await rename(folder, join(directory, repairFolders.complete));
  await syncDirectory(directory);
  await finish(directory);
  return aside;
}

/** Finishes an interrupted replacement, if there is one. The caller has claimed the directory. */
export async function finishReplacing(directory: string): Promise<void> {
  if (isBeingReplaced(await readdir(directory))) await withDirectoryLock(directory, () => finish(directory));
}

/** The same for a caller that holds the lock of the directory. */
export async function finish(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (!isBeingReplaced(names)) return;
  if (names.includes(repairFolders.complete)) {
    const aside = join(directory, `damaged-${lastAside(names)}`);
    for (const name of names.filter((each) => isStoreFile(each) && each !== 'LOCK')) {
      await rename(join(directory, name), join(aside, name));
    }
    await syncDirectory(aside);
    await rename(join(directory, repairFolders.complete), join(directory, repairFolders.moving));
    await syncDirectory(directory);
  }
  const moving = join(directory, repairFolders.moving);
  await rm(join(moving, 'LOCK'), { force: true });
  for (const name of await readdir(moving)) await rename(join(moving, name), join(directory, name));
  await syncDirectory(directory);
  await rm(moving, { recursive: true });
}

/** Makes the folder for the old files, or uses an empty one that an interrupted repair has left. */
async function makeAside(directory: string): Promise<string> {
  const last = lastAside(await readdir(directory));
  const aside = join(directory, `damaged-${last}`);
  if (last > 0 && (await readdir(aside)).length === 0) return aside;
  const next = join(directory, `damaged-${last + 1}`);
  await mkdir(next, { mode: 0o700 });
  return next;
}

/** The largest number of a folder with old files; 0 if there is no such folder. */
function lastAside(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(ASIDE.exec(name)?.[1] ?? 0)));
}
