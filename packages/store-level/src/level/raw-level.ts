import { Level } from 'level';

/** LevelDB with keys and values as they are. */
export type RawLevel = Level<Buffer, Buffer>;

/** Changes that are made together. */
export type Batch = ReturnType<RawLevel['batch']>;

/**
 * How much is written before LevelDB makes a table of it, and merges that with others soon after. Twice its default, so that a
 * card gets half as many of both; it is memory too, while it fills.
 */
const WRITE_BUFFER_BYTES = 8 * 1_048_576;

/** The value of a row, at once. Level's types say that there always is one. */
export function getNow(level: RawLevel, key: Buffer): Buffer | undefined {
  return level.getSync(key);
}

/**
 * Opens a LevelDB and looks at none of its rows.
 *
 * @param onOpening Is called when another thread has begun to.
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
