import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileDamage, StoreFiles } from './inspect-files.js';
import { formatKey } from './keys.js';
import { readLog } from './log-file.js';
import { isSealed, unseal } from './seal.js';
import { TableFile, type RowVersion } from './table-file.js';
import { readBatch } from './write-batch.js';

/** A row that is what was written, not sealed. */
export interface SavedRow {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Is told what is lost. */
export interface LossReport {
  readonly onDamage: (damage: FileDamage) => void;
  /** The latest state of a row is not what was written. An older one takes its place if there is one. */
  readonly onDamagedRow: () => void;
}

/**
 * The rows of a store in the order of their keys, read from its files directly: of each the newest state that is
 * what was written, by its own checksum. Changes nothing.
 *
 * ```
 * tables, each in the order of its keys \
 *                                        > merged by key, newest first -> the first good one of each key
 * logs, sorted                          /
 * ```
 */
export async function* salvage(
  directory: string,
  files: StoreFiles,
  report: LossReport,
): AsyncGenerator<SavedRow, void, undefined> {
  const sources = [
    ...files.tables.map((file) => readTable(directory, file, report)),
    ...files.logs.map((file) => readLogRows(directory, file, report)),
  ];
  let key: Buffer | undefined;
  let state: 'latest' | 'older' | 'settled' = 'settled';
  for await (const version of merge(sources)) {
    if (key?.equals(version.key) !== true) {
      key = version.key;
      state = 'latest';
    }
    if (state === 'settled' || !isCredible(version)) continue;
    const row = version.value === undefined ? undefined : openSaved(version.key, version.value);
    if (row !== undefined || version.value === undefined) {
      state = 'settled';
      if (row !== undefined) yield row;
    } else if (state === 'latest') {
      state = 'older';
      report.onDamagedRow();
    }
  }
}

/** What LevelDB's own checksum does not vouch for counts only if that of the row itself does. */
function isCredible({ key, value, isDoubtful }: RowVersion): boolean {
  return !isDoubtful || (value !== undefined && isSealed(key, value));
}

function openSaved(key: Buffer, value: Buffer): SavedRow | undefined {
  if (key.equals(formatKey)) return { key, value };
  try {
    return { key, value: unseal(key, value) };
  } catch {
    return undefined;
  }
}

type Source = AsyncGenerator<readonly RowVersion[], void, undefined>;

async function* readTable(directory: string, file: string, { onDamage }: LossReport): Source {
  const note = (reason: string): void => {
    onDamage({ file, reason });
  };
  try {
    await using table = await TableFile.open(join(directory, file));
    yield* table.read(note);
  } catch (error) {
    note(`it cannot be read: ${String(error)}`);
  }
}

async function* readLogRows(directory: string, file: string, { onDamage }: LossReport): Source {
  try {
    const { records, doubtful } = readLog(await readFile(join(directory, file)));
    yield [
      ...records.flatMap((record) => readBatch(record, false)),
      ...doubtful.flatMap((record) => readBatch(record, true)),
    ].sort(compare);
  } catch (error) {
    onDamage({ file, reason: `it cannot be read: ${String(error)}` });
  }
}

/** Joins sources that are sorted into one that is. */
async function* merge(sources: readonly Source[]): AsyncGenerator<RowVersion, void, undefined> {
  const cursors: Cursor[] = [];
  try {
    for (const source of sources) {
      const cursor = new Cursor(source);
      cursors.push(cursor);
      await cursor.fill();
    }
    for (;;) {
      let first: Cursor | undefined;
      for (const cursor of cursors) {
        if (cursor.head === undefined) continue;
        if (first?.head === undefined || compare(cursor.head, first.head) < 0) first = cursor;
      }
      if (first?.head === undefined) return;
      yield first.head;
      await first.advance();
    }
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

/** Where the reading of a source stands. */
class Cursor {
  head: RowVersion | undefined;
  readonly #source: Source;
  #rows: readonly RowVersion[] = [];
  #next = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  async advance(): Promise<void> {
    this.head = this.#rows[this.#next++];
    if (this.head === undefined) await this.fill();
  }

  async fill(): Promise<void> {
    do {
      const { value, done } = await this.#source.next();
      if (done === true) return;
      this.#rows = value;
    } while (this.#rows.length === 0);
    this.head = this.#rows[0];
    this.#next = 1;
  }

  async close(): Promise<void> {
    await this.#source.return();
  }
}

/** By key, and of one key the newest first. */
function compare(a: RowVersion, b: RowVersion): number {
  return a.key.compare(b.key) || b.sequence - a.sequence;
}
