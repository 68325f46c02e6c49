import { Level } from 'level';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** LevelDB with keys and values as they are. */
export type RawLevel = Level<Buffer, Buffer>;

/** Changes that are made together. */
export type Batch = ReturnType<RawLevel['batch']>;

/**
 * Bytes of written rows after which LevelDB makes a table of them, and soon merges that table with others. Twice LevelDB's
 * default, so that a card has half as many tables to write and to merge. As many bytes are kept in memory.
 */
const WRITE_BUFFER_BYTES = 8 * 1_048_576;

/**
 * Tables are written plain, and each key whole. So a row in a damaged table is found by its own checksum alone. A card gets 2 % more
 * bytes for a tap.
 */
export const PLAIN_TABLES = { compression: false, blockRestartInterval: 1 } as const;

/** The value of a row, read on this thread; `undefined` if there is no row. Level's types leave out that case. */
export function getNow(level: RawLevel, key: Buffer): Buffer | undefined {
  return level.getSync(key);
}

/**
 * Opens a LevelDB without reading its rows.
 *
 * @param onOpening Called when another thread has begun to open it.
 */
export async function openRaw(
  directory: string,
  createIfMissing: boolean,
  onOpening?: () => void,
): Promise<RawLevel> {
  const raw: RawLevel = new Level(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing,
    writeBufferSize: WRITE_BUFFER_BYTES,
    ...PLAIN_TABLES,
  });
  const opening = raw.open();
  onOpening?.();
  await opening;
  return raw;
}

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
