import { join } from 'node:path';
import { sealedRows } from './damaged-block.js';
import { findChanges } from './find-changes.js';
import type { FileDamage, StoreFiles } from './inspect-files.js';
import { formatKey } from '../rows/keys.js';
import { readMendedLog } from '../leveldb-files/log-file.js';
import { readWornFile } from '../leveldb-files/worn-bytes.js';
import type { SavedRow } from '../rows/row-kinds.js';
import { isSealed, unseal } from '../rows/seal.js';
import { mendBlock, type RowVersion } from '../leveldb-files/table-block.js';
import { TableFile, type Rescue } from '../leveldb-files/table-file.js';
import { readBatch } from '../leveldb-files/write-batch.js';

/** A saved row, and information about the place where it was found. */
export interface SalvagedRow extends SavedRow {
  /** Whether LevelDB's own checksum is wrong at its place. */
  readonly isRescued: boolean;
  readonly sequence: number;
}

export interface SalvageOptions {
  /** Whether to look for rows also in places where LevelDB's own checksum is wrong, or a record is torn. Default: yes. */
  readonly isRescuing?: boolean;
  /**
   * The largest sequence number in sound places. A row in a damaged table with a much larger number counts as older than all
   * others, because the seal does not cover the number.
   */
  readonly latestSequence?: number;
}

/** Called for lost data. */
export interface LossReport {
  readonly onDamage: (damage: FileDamage) => void;
  /** The latest state of a row is damaged. An older one takes its place if there is one. */
  readonly onDamagedRow: () => void;
  /** Changes of a batch that cannot be read, by the count in its header. Later changes may have replaced them. */
  readonly onLostChanges: (count: number) => void;
  /** More than one bit of a block of a table is wrong, so its rows are not all known. */
  readonly onBrokenBlock: () => void;
}

/**
 * The rows of a store in the order of their keys, read from its files directly. Each row comes in its newest state with the right
 * seal. Changes nothing.
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
  { isRescuing = true, latestSequence = Infinity }: SalvageOptions = {},
): AsyncGenerator<SalvagedRow, void, undefined> {
  const sources = [
    ...files.tables.map((file) => readTable(directory, file, latestSequence + LATER_MAX, report)),
    readLogs(directory, files.logs, report),
  ];
  for await (const found of byKey(merge(sources))) {
    const versions = isRescuing ? found : found.filter(({ isDoubtful }) => !isDoubtful);
    const row = versions.length === 0 ? undefined : newestOf(versions, report);
    if (row !== undefined) yield row;
  }
}

/**
 * The newest sound one of all states of a row, which are given newest first; `undefined` if the row was deleted, or no state is
 * sound.
 */
function newestOf(versions: readonly RowVersion[], { onDamagedRow }: LossReport): SalvagedRow | undefined {
  const good = versions.findIndex((version) => version.value === undefined || isGood(version));
  if (good !== 0) onDamagedRow();
  const version = versions[good];
  if (version?.value === undefined) return undefined;
  const { key, value, isDoubtful, sequence } = version;
  return { key, value: key.equals(formatKey) ? value : unseal(key, value), isRescued: isDoubtful, sequence };
}

function isGood({ key, value }: RowVersion): boolean {
  return value !== undefined && (key.equals(formatKey) || isSealed(key, value));
}

/** Groups the states of each row. */
async function* byKey(
  versions: AsyncIterable<RowVersion>,
): AsyncGenerator<readonly RowVersion[], void, undefined> {
  let same: RowVersion[] = [];
  for await (const version of versions) {
    if (same[0] !== undefined && !same[0].key.equals(version.key)) {
      yield same;
      same = [];
    }
    same.push(version);
  }
  if (same.length > 0) yield same;
}

/** How far the sequence number of a row in a damaged table may exceed those of all sound rows. */
const LATER_MAX = 100_000;

type Source = AsyncGenerator<readonly RowVersion[], void, undefined>;

async function* readTable(
  directory: string,
  file: string,
  sequenceMax: number,
  { onDamage, onBrokenBlock }: LossReport,
): Source {
  const note = (reason: string): void => {
    onDamage({ file, reason });
  };
  const rescue: Rescue = {
    ...sealedRows,
    rowsOfDamaged: (bytes, around) => {
      if (mendBlock(bytes) === undefined) onBrokenBlock();
      return sealedRows.rowsOfDamaged(bytes, around);
    },
  };
  try {
    await using table = await TableFile.openWorn(join(directory, file));
    for await (const versions of table.read(note, rescue)) {
      const isPossible = versions.every((each) => !each.isDoubtful || each.sequence <= sequenceMax);
      yield isPossible ? versions : versions.map((each) => possible(each, sequenceMax)).sort(compare);
    }
  } catch (error) {
    note(`it cannot be read: ${String(error)}`);
  }
}

function possible(version: RowVersion, sequenceMax: number): RowVersion {
  return version.isDoubtful && version.sequence > sequenceMax ? { ...version, sequence: 0 } : version;
}

/** The rows of all logs, oldest first. */
async function* readLogs(directory: string, files: readonly string[], report: LossReport): Source {
  const versions: RowVersion[] = [];
  for (const file of files) {
    try {
      const bytes = await readWornFile(join(directory, file));
      for (const version of versionsIn(bytes, versions.at(-1)?.sequence, report)) versions.push(version);
    } catch (error) {
      report.onDamage({ file, reason: `it cannot be read: ${String(error)}` });
    }
  }
  yield versions.sort(compare);
}

/** The rows of a log in the order in which they were written. */
function* versionsIn(
  bytes: Buffer,
  previous: number | undefined,
  { onLostChanges }: LossReport,
): Generator<RowVersion, void, undefined> {
  const batches = readMendedLog(bytes).parts.map(({ bytes: part, isRecord }) => ({
    part,
    versions: isRecord ? readBatch(part) : undefined,
  }));
  let after = previous;
  for (const [index, { part, versions }] of batches.entries()) {
    let found = versions;
    if (found === undefined) {
      const before = batches[index + 1]?.versions?.[0]?.sequence;
      const changes = findChanges(part, { after, before, mayJump: index === 0 });
      if (changes.lost > 0) onLostChanges(changes.lost);
      found = changes.versions;
    }
    yield* found;
    after = found.at(-1)?.sequence ?? after;
  }
}

/** Merges sorted sources into one sorted source. */
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

/** Reads a source one row at a time. */
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

/** Orders rows by key, and those of the same key newest first. */
function compare(a: RowVersion, b: RowVersion): number {
  return a.key.compare(b.key) || b.sequence - a.sequence;
}
