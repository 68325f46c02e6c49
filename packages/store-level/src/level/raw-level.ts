import { Level } from 'level';

/** LevelDB with keys and values as they are. */
export type RawLevel = Level<Buffer, Buffer>;

/** Changes that are made together. */
export type Batch = ReturnType<RawLevel['batch']>;

/** Opens a LevelDB and looks at none of its rows. */
export async function openRaw(directory: string, createIfMissing: boolean): Promise<RawLevel> {
  const raw: RawLevel = new Level(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing,
  });
  await raw.open();
  return raw;
}
