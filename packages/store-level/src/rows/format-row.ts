import { randomBytes } from 'node:crypto';
import { quote, TallybookError } from '@tallybook/domain';
import { formatKey, identityKey } from './keys.js';
import type { RawLevel } from '../level/raw-level.js';
import { seal } from './seal.js';

const FORMAT = 'tallybook';
/** Version of the storage format that is written. */
const VERSION = 4;
/** Older versions, which can be read. Version 2 has no journal, and neither has rows of several audit entries. */
const OLDER_VERSIONS: readonly unknown[] = [2, 3];
/** Length of the identity of a store, in bytes. */
export const IDENTITY_BYTES = 8;

/** Writes the rows that mark a LevelDB as a store. */
export async function stamp(raw: RawLevel): Promise<void> {
  const identity = seal(identityKey, randomBytes(IDENTITY_BYTES));
  await raw.batch().put(formatKey, formatRow()).put(identityKey, identity).write({ sync: true });
}

/** Migrates a store of an older version to this version. What the older one does not have is empty. */
export async function migrate(raw: RawLevel, row: Buffer | undefined): Promise<void> {
  if (!OLDER_VERSIONS.includes(versionOf(row))) return;
  await raw.batch().put(formatKey, formatRow()).write({ sync: true });
}

function formatRow(): Buffer {
  return Buffer.from(JSON.stringify({ format: FORMAT, version: VERSION }));
}

/**
 * Checks that a format row is of this program, and of this version or an older one.
 *
 * @throws {TallybookError} `STORE_FORMAT_UNSUPPORTED` if it is not.
 */
export function requireFormat(path: string, row: Buffer | undefined): void {
  const version = versionOf(row);
  if (version === VERSION || OLDER_VERSIONS.includes(version)) return;
  const found =
    version === undefined ? 'rows of another program' : `storage format version ${quote(version)}`;
  throw new TallybookError(
    'STORE_FORMAT_UNSUPPORTED',
    `${path} holds ${found}; this program reads and writes storage format version ${VERSION}, and reads versions ${OLDER_VERSIONS.join(' and ')}`,
    { details: { path, supported: VERSION } },
  );
}

/** The version in a format row; `undefined` if the row is missing or not of this program. */
export function versionOf(row: Buffer | undefined): unknown {
  if (row === undefined) return undefined;
  try {
    const { format, version } = JSON.parse(row.toString()) as Readonly<Record<string, unknown>>;
    return format === FORMAT ? version : undefined;
  } catch {
    return undefined;
  }
}
