import { Level } from 'level';
import { quote, TallybookError } from '@tallybook/domain';
import { formatKey } from './keys.js';
import { isNewStore } from './store-directory.js';

/** LevelDB with keys and values as they are. */
export type RawLevel = Level<Buffer, Buffer>;

const FORMAT = 'tallybook';
/** Version of the storage format that is written, and the only one that is read. */
const VERSION = 1;

/** Opens the store of a directory, and makes a new one if there is none. */
export async function openLevel(directory: string): Promise<RawLevel> {
  const isNew = await isNewStore(directory);
  return open(directory, isNew, async (level) => {
    // A store without rows is new, or the power went before it got this first one.
    if ((await level.keys({ limit: 1 }).all()).length === 0) await stamp(level);
    await checkFormat(level);
  });
}

/** Opens the store that was open before. A missing one is a failure now, and not the occasion to begin anew. */
export function reopenLevel(directory: string): Promise<RawLevel> {
  return open(directory, false, checkFormat);
}

async function open(
  directory: string,
  createIfMissing: boolean,
  check: (level: RawLevel) => Promise<void>,
): Promise<RawLevel> {
  const level: RawLevel = new Level(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing,
  });
  await level.open();
  try {
    await check(level);
    return level;
  } catch (error) {
    await level.close();
    throw error;
  }
}

async function stamp(level: RawLevel): Promise<void> {
  const value = Buffer.from(JSON.stringify({ format: FORMAT, version: VERSION }));
  await level.put(formatKey, value, { sync: true });
}

async function checkFormat(level: RawLevel): Promise<void> {
  const version = versionOf(await level.get(formatKey));
  if (version === VERSION) return;
  const found =
    version === undefined ? 'rows of another program' : `storage format version ${quote(version)}`;
  throw new TallybookError(
    'STORE_FORMAT_UNSUPPORTED',
    `${level.location} holds ${found}; this program reads and writes storage format version ${VERSION}`,
    { details: { path: level.location, supported: VERSION } },
  );
}

/** The version that a format row states, `undefined` if the row is missing or not one of this program. */
function versionOf(row: Buffer | undefined): unknown {
  if (row === undefined) return undefined;
  try {
    const { format, version } = JSON.parse(row.toString()) as Readonly<Record<string, unknown>>;
    return format === FORMAT ? version : undefined;
  } catch {
    return undefined;
  }
}
