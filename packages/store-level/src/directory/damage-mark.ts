import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAMAGE_MARK, syncDirectory } from './store-directory.js';

/** Longest reason, in characters. */
const REASON_LENGTH_MAX = 500;

/**
 * Durably leaves a mark in the directory of an open store after damage that an opening does not detect. The next opening treats
 * the mark as damage; a repair removes it.
 *
 * @param reason For people.
 * @returns Whether the mark was written.
 */
export async function leaveDamageMark(directory: string, reason: string): Promise<boolean> {
  try {
    {
      await using file = await open(join(directory, DAMAGE_MARK), 'w', 0o600);
      await file.writeFile(`${reason}\n`);
      await file.sync();
    }
    await syncDirectory(directory);
    return true;
  } catch {
    // The disk is full or read-only. An empty file may be there: it counts as a mark too.
    return false;
  }
}

/** The reason for the mark; `undefined` if there is no mark. Rejects as the file system does. */
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
