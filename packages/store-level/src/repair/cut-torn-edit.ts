import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTornEdit } from '../leveldb-files/version-edits.js';
import { inspectFiles, type FileDamage } from './inspect-files.js';

/**
 * Cuts a torn edit off the manifest of a store, if that is its only damage.
 *
 * LevelDB syncs an edit before it relies on it, and removes the files of the state before only after that. So an edit that a power cut
 * has torn did not take effect, and the state before is complete. But LevelDB refuses the manifest if the file has the full length and
 * the disk lacks some of its bytes. If files of the state before are missing, the edit did take effect, and the manifest stays as it is.
 *
 * Call it while nobody else writes.
 *
 * @param damages From {@link inspectFiles}.
 * @returns The damages that are left: none if it was cut.
 */
export async function cutTornEdit(
  directory: string,
  damages: readonly FileDamage[],
): Promise<readonly FileDamage[]> {
  const [damage] = damages;
  if (damage === undefined || damages.length > 1 || !damage.file.startsWith('MANIFEST-')) return damages;
  const path = join(directory, damage.file);
  // The damage may be that it is missing or cannot be read.
  const bytes = await readFile(path).catch(() => undefined);
  const end = bytes && findTornEdit(bytes);
  if (end === undefined) return damages;
  const left = await inspectFiles(directory, undefined, end);
  if (left.damages.length > 0) return damages;
  await using file = await open(path, 'r+');
  await file.truncate(end);
  await file.sync();
  return [];
}
