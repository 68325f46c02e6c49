import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TallyId } from '@tallybook/domain';
import type { LevelHandle } from './level-handle.js';
import { readMendedLog } from '../leveldb-files/log-file.js';
import { TableFile, type RowVersion } from '../leveldb-files/table-file.js';
import { readBatch } from '../leveldb-files/write-batch.js';
import { rowName, type Row } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { tagOfRow } from '../rows/tag-of-row.js';

/** LevelDB leaves deleted rows where it sees no newer table above: deleting them again makes one. */
const ROUNDS = 3;

/**
 * Removes from the files of a LevelDB what they still hold of deleted and replaced rows of erased tags: LevelDB writes all
 * tables anew, and then they are read, to see whether it did.
 *
 * @returns Whether nothing is left. It is not while somebody reads a former state.
 */
export async function scrubFiles(handle: LevelHandle, isErased: (id: TallyId) => boolean): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    if (!(await handle.compact())) return false;
    const stale = await findStale(handle, isErased);
    if (stale.length === 0) return true;
    await (await handle.writable()).commit(stale);
  }
  return false;
}

/** The keys of erased tags that the files have although the store does not, or more than once, with what the store has. */
async function findStale(
  handle: LevelHandle,
  isErased: (id: TallyId) => boolean,
): Promise<readonly Row[]> {
  const { raw } = await handle.writable();
  const versions = new Map<string, { readonly key: Buffer; count: number }>();
  const seen = new Map<TallyId, boolean>();
  const isOfErased = (row: RowVersion): boolean => {
    const tag = tagOfRow(row.key, plain(row));
    if (tag === undefined) return false;
    const known = seen.get(tag.id) ?? isErased(tag.id);
    seen.set(tag.id, known);
    return known;
  };
  for await (const rows of readAll(handle.directory)) {
    for (const row of rows) {
      if (!isOfErased(row)) continue;
      const name = rowName(row.key);
      const its = versions.get(name) ?? { key: row.key, count: 0 };
      versions.set(name, its);
      its.count++;
    }
  }
  const stale: Row[] = [];
  for (const { key, count } of versions.values()) {
    const sealed = raw.getSync(key) as Buffer | undefined;
    if (count !== (sealed === undefined ? 0 : 1)) {
      stale.push({ key, value: sealed === undefined ? undefined : unseal(key, sealed) });
    }
  }
  return stale;
}

/** What a change told of is only in its value; that of a deleted row is not known. */
function plain({ key, value }: RowVersion): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  try {
    return unseal(key, value);
  } catch {
    return value;
  }
}

/** All states of all rows, in all files. */
async function* readAll(directory: string): AsyncGenerator<readonly RowVersion[], void, undefined> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (/\.(?:ldb|sst)$/.test(name)) {
      await using table = await TableFile.open(path);
      yield* table.read(() => undefined);
    } else if (name.endsWith('.log')) {
      for (const { bytes, isRecord } of readMendedLog(await readFile(path)).parts) {
        if (isRecord) yield readBatch(bytes);
      }
    }
  }
}
