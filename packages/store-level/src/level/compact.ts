import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawLevel } from './raw-level.js';

/** Before and after all keys. */
const FIRST = Buffer.alloc(0);
const LAST = Buffer.alloc(1, 0xff);

/** Methods that Level has on Node only. */
interface Compactable {
  compactRange(start: Buffer, end: Buffer, options: { readonly keyEncoding: 'buffer' }): Promise<void>;
}

/** Has LevelDB write all of its tables anew, without replaced or deleted rows that nobody reads any more. */
export function compactAll(raw: RawLevel): Promise<void> {
  return (raw as unknown as Compactable).compactRange(FIRST, LAST, { keyEncoding: 'buffer' });
}

/** Removes the notes of LevelDB about its work before it was opened last. */
export async function removeOldNotes(directory: string): Promise<void> {
  await rm(join(directory, 'LOG.old'), { force: true });
}
