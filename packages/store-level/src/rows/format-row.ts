import { randomBytes } from 'node:crypto';
import { quote, TallybookError } from '@tallybook/domain';
import { formatKey, identityKey, siteKeyKey } from './keys.js';
import type { Batch, RawLevel } from '../level/raw-level.js';
import { seal } from './seal.js';
import { tagDigests } from './tag-digests.js';

const FORMAT = 'tallybook';
/** Length of the identity of a store, in bytes. */
export const IDENTITY_BYTES = 8;

/** The step from the version before to a version of the storage format. */
export interface Migration {
  readonly version: number;
  /**
   * The changes, batch by batch. A power cut may end them after any batch: then the next opening begins again with what is there.
   * Until the last batch the store may be repaired, so `row-kinds` must know the rows of both versions.
   */
  readonly batches: (raw: RawLevel) => AsyncIterable<Batch>;
}

/** The storage format of this program. It is an object so that tests can put a made-up version into it. */
export const storageFormat: {
  /** The version that is written. */
  readonly version: number;
  /** From the oldest version that can be read: one for each later version, ascending. */
  readonly migrations: readonly Migration[];
} = { version: 1, migrations: [] };

/**
 * Writes the rows that mark a LevelDB as a store.
 *
 * @param row The format row of the store that the other rows come from; without a known version they are of the present one.
 */
export async function stamp(raw: RawLevel, row?: Buffer): Promise<void> {
  const format = row !== undefined && isSupported(versionOf(row)) ? row : formatRow(storageFormat.version);
  const identity = seal(identityKey, randomBytes(IDENTITY_BYTES));
  const siteKey = seal(siteKeyKey, Buffer.from(tagDigests.newKey(), 'hex'));
  const batch = raw.batch().put(formatKey, format).put(identityKey, identity).put(siteKeyKey, siteKey);
  await batch.write({ sync: true });
}

/**
 * Brings a store of an older version to the present one. Each write is synced before the next begins, and the version is written
 * last.
 */
export async function migrate(raw: RawLevel, row: Buffer | undefined): Promise<void> {
  const found = Number(versionOf(row));
  for (const { version, batches } of storageFormat.migrations) {
    if (version <= found) continue;
    for await (const batch of batches(raw)) await batch.write({ sync: true });
    await raw.batch().put(formatKey, formatRow(version)).write({ sync: true });
  }
}

/** Whether a store of a supported version has to be migrated. */
export function isOlder(row: Buffer | undefined): boolean {
  return versionOf(row) !== storageFormat.version;
}

function formatRow(version: number): Buffer {
  return Buffer.from(JSON.stringify({ format: FORMAT, version }));
}

/**
 * Checks that a format row is of this program, and of a version that it can read.
 *
 * @throws {TallybookError} `STORE_FORMAT_UNSUPPORTED` if it is not.
 */
export function requireFormat(path: string, row: Buffer | undefined): void {
  const version = versionOf(row);
  if (isSupported(version)) return;
  const found =
    version === undefined ? 'rows of another program' : `storage format version ${quote(version)}`;
  const { version: latest, migrations } = storageFormat;
  const oldest = latest - migrations.length;
  const supported = oldest === latest ? `version ${latest}` : `versions ${oldest} to ${latest}`;
  throw new TallybookError(
    'STORE_FORMAT_UNSUPPORTED',
    `${path} holds ${found}; this program supports storage format ${supported}`,
    { details: { path, supported: latest } },
  );
}

function isSupported(version: unknown): boolean {
  const { version: latest, migrations } = storageFormat;
  return version === latest || migrations.some((migration) => migration.version - 1 === version);
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
