import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAMAGE_MARK, syncDirectory } from './store-directory.js';

/** Longest reason, in characters. */
const REASON_LENGTH_MAX = 500;

/**
 * Leaves a mark in the directory of an open store, durably: damage was found that an opening does not see. The next opening counts
 * the mark as damage; a repair removes it.
 *
 * @param reason For people.
 * @returns Whether the disk took it.
 */
export async function leaveDamageMark(directory: string, reason: string): Promise<boolean> {
  try {
    const file = await open(join(directory, DAMAGE_MARK), 'w', 0o600);
    try {
      await file.writeFile(`${reason}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncDirectory(directory);
    return true;
  } catch {
    // A disk that is full or read-only. The file may be there and empty, which says enough.
    return false;
  }
}

/** The reason for the mark, `undefined` if there is none. Rejects as the file system does. */
export async function readDamageMark(directory: string): Promise<string | undefined> {
  try {
    const text = (await readFile(join(directory, DAMAGE_MARK), 'utf8')).trim();
    return text === '' ? 'damage was found when it was open last' : text.slice(0, REASON_LENGTH_MAX);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function removeDamageMark(directory: string): Promise<void> {
  await rm(join(directory, DAMAGE_MARK), { force: true });
}
