import { Level } from 'level';

/** LevelDB with keys and values as they are. */
export type RawLevel = Level<Buffer, Buffer>;

/** Changes that are made together. */
export type Batch = ReturnType<RawLevel['batch']>;

/**
 * Bytes after which LevelDB makes a table of the written rows, and soon merges that with others. Twice its default, so that a card
 * gets half as many of both; so many bytes are also in memory.
 */
const WRITE_BUFFER_BYTES = 8 * 1_048_576;

/** The value of a row, read on this thread. Level's types say that there always is one. */
export function getNow(level: RawLevel, key: Buffer): Buffer | undefined {
  return level.getSync(key);
}

/**
 * Opens a LevelDB and looks at none of its rows.
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
  });
  const opening = raw.open();
  onOpening?.();
  await opening;
  return raw;
}
