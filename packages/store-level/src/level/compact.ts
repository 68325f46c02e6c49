import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawLevel } from './raw-level.js';

/** `FIRST` is before all keys, `LAST` after all keys. */
const FIRST = Buffer.alloc(0);
const LAST = Buffer.alloc(1, 0xff);

/** A method that Level has only in Node. */
interface Compactable {
  compactRange(start: Buffer, end: Buffer, options: { readonly keyEncoding: 'buffer' }): Promise<void>;
}

/** Makes LevelDB write all of its tables anew. Replaced and deleted rows that nobody reads any more are left out. */
export function compactAll(raw: RawLevel): Promise<void> {
  return (raw as unknown as Compactable).compactRange(FIRST, LAST, { keyEncoding: 'buffer' });
}

/** Removes the notes that LevelDB made before its latest opening. */
export async function removeOldNotes(directory: string): Promise<void> {
  await rm(join(directory, 'LOG.old'), { force: true });
}
