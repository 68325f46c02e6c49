import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TallyId } from '@tallybook/domain';
import { Turns } from '@tallybook/domain/record';
import type { LevelHandle } from './level-handle.js';
import { readLog } from '../leveldb-files/log-file.js';
import { readManifest } from '../leveldb-files/version-edits.js';
import { toWriteError } from '../level/level-errors.js';
import { getNow, type RawLevel } from '../level/raw-level.js';
import { readBatch, type RowVersion } from '../leveldb-files/stored-rows.js';
import { TableFile } from '../leveldb-files/table-file.js';
import { rowName, type Row } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { tagsOfRow } from '../rows/tag-of-row.js';

/** Rounds of deleting. LevelDB leaves deleted rows in a table if no newer table lies above it; deleting the rows again makes one. */
const ROUNDS = 3;

/**
 * Removes deleted and replaced rows of erased tags from the files of a LevelDB. LevelDB writes all tables anew; then all files
 * are read, to make sure.
 *
 * @returns Whether no such row is left. False while somebody keeps a former state readable.
 */
export async function scrubFiles(handle: LevelHandle, isErased: (id: TallyId) => boolean): Promise<boolean> {
  let stale: readonly Row[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    try {
      await commit(handle, stale);
      if (!(await handle.compact())) return false;
    } catch (error) {
      // LevelDB does not say that a compaction failed: the disk is full when the store is opened again.
      throw toWriteError(handle.path, error);
    }
    const found = await findStale(handle, isErased).catch(unlessReplaced);
    if (found?.length === 0) return true;
    stale = found ?? [];
  }
  return false;
}

async function commit(handle: LevelHandle, stale: readonly Row[]): Promise<void> {
  const level = await handle.writable();
  // The last row too: LevelDB notes the last key that it has written anew, and that key must not be of an erased tag.
  const rows = [...stale, ...(await lastRow(level.raw))];
  try {
    await level.commit(rows);
  } catch (error) {
    handle.distrust();
    throw error;
  }
}

/** Ignores the error of a missing table: LevelDB may join tables while they are read. */
function unlessReplaced(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** The row after all others. */
async function lastRow(raw: RawLevel): Promise<readonly Row[]> {
  const rows = await raw.iterator({ reverse: true, limit: 1 }).all();
  return rows.map(([key, sealed]) => ({ key, value: unseal(key, sealed) }));
}

/** Rows of erased tags of which the files hold a deleted or a former state. Each comes with its present value. */
async function findStale(handle: LevelHandle, isErased: (id: TallyId) => boolean): Promise<readonly Row[]> {
  const { raw } = await handle.writable();
  const versions = new Map<string, { readonly key: Buffer; count: number }>();
  const seen = new Map<TallyId, boolean>();
  const isErasedTag = ({ id }: { readonly id: TallyId }): boolean => {
    const known = seen.get(id) ?? isErased(id);
    seen.set(id, known);
    return known;
  };
  const isOfErased = (row: RowVersion): boolean => tagsOfRow(row.key, plain(row)).some(isErasedTag);
  const turns = new Turns(setImmediate, () => performance.now());
  for await (const rows of readAll(handle.directory)) {
    for (const row of rows) {
      if (turns.isOver) await turns.next();
      if (!isOfErased(row)) continue;
      const name = rowName(row.key);
      const version = versions.get(name) ?? { key: row.key, count: 0 };
      versions.set(name, version);
      if (row.value !== undefined) version.count++;
    }
  }
  const stale: Row[] = [];
  for (const { key, count } of versions.values()) {
    const sealed = getNow(raw, key);
    if (sealed === undefined) stale.push({ key, value: undefined });
    else if (count > 1) {
      stale.push({ key, value: unseal(key, sealed) });
    }
  }
  return stale;
}

/** The value without its seal; empty for a deleted row, which has only its key. */
function plain({ key, value }: RowVersion): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  try {
    return unseal(key, value);
  } catch {
    return value;
  }
}

/** All states of all rows in all files, and the keys in the list of the files, which has no values. */
async function* readAll(directory: string): AsyncGenerator<readonly RowVersion[], void, undefined> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (/\.(?:ldb|sst)$/.test(name)) {
      await using table = await TableFile.open(path);
      yield* table.read(() => undefined);
    } else if (name.startsWith('MANIFEST-')) {
      const keys: Buffer[] = [];
      readManifest(await readFile(path), (key) => keys.push(key));
      yield keys.map((key) => ({ key, value: undefined, sequence: 0, isDoubtful: false }));
    } else if (name.endsWith('.log')) {
      for (const { bytes, isRecord } of readLog(await readFile(path)).parts) {
        if (isRecord) yield readBatch(bytes);
      }
    }
  }
}
