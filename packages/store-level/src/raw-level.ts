import { Level } from 'level';

/** LevelDB with keys and values as they are. */
export type RawLevel = Level<Buffer, Buffer>;

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
