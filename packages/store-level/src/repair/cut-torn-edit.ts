import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTornEdit } from '../leveldb-files/version-edits.js';
import { inspectFiles, type StoreFiles } from './inspect-files.js';

/**
 * Cuts a torn edit off the manifest of a store, if that is its only damage.
 *
 * LevelDB syncs an edit before it relies on it, and removes the files of the state before only after that. So an edit that a power cut
 * has torn did not take effect, and the state before is complete. But LevelDB refuses the manifest if the file has the full length and
 * the disk lacks some of its bytes. If files of the state before are missing, the edit did take effect, and the manifest stays as it is.
 *
 * Call it while nobody else writes.
 *
 * @param files From {@link inspectFiles}.
 * @returns The files of the state before, without damage, if it was cut; else `files`.
 */
export async function cutTornEdit(directory: string, files: StoreFiles): Promise<StoreFiles> {
  const [damage, ...others] = files.damages;
  if (damage === undefined || others.length > 0 || !damage.file.startsWith('MANIFEST-')) return files;
  const path = join(directory, damage.file);
  // The damage may be that it is missing or cannot be read.
  const bytes = await readFile(path).catch(() => undefined);
  const end = bytes && findTornEdit(bytes);
  if (end === undefined) return files;
  const before = await inspectFiles(directory, end);
  if (before.damages.length > 0) return files;
  await using file = await open(path, 'r+');
  await file.truncate(end);
  await file.sync();
  return before;
}
