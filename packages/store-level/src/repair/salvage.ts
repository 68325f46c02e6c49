import { join } from 'node:path';
import { readLog } from '../leveldb-files/log-file.js';
import { readWornFile } from '../leveldb-files/read-file.js';
import { logRowAt, readBatch, tableRowAt, type RowVersion } from '../leveldb-files/stored-rows.js';
import { TableFile } from '../leveldb-files/table-file.js';
import { formatKey } from '../rows/keys.js';
import type { SavedRow } from '../rows/row-kinds.js';
import { isSealed, unseal } from '../rows/seal.js';
import type { FileDamage, StoreFiles } from './inspect-files.js';
import { scanRows } from './scan-rows.js';

/** A saved row, and information about the place where it was found. */
export interface SalvagedRow extends SavedRow {
  /** Whether LevelDB's own checksum is wrong at its place. */
  readonly isRescued: boolean;
  readonly sequence: number;
}

export interface SalvageOptions {
  /** Whether to look for rows also in torn and damaged records of logs. Default: yes. */
  readonly readsTornRecords?: boolean;
  /**
   * The largest sequence number in sound places. A row in a damaged table with a much larger number counts as older than all
   * others, because the seal does not cover the number.
   */
  readonly latestSequence?: number;
}

/** Called for lost data. */
export interface LossReport {
  readonly onDamage?: (damage: FileDamage) => void;
  /** The latest state of a row is damaged. An older one takes its place if there is one. */
  readonly onDamagedRow?: () => void;
  /** Changes of a log that cannot be read, by the sequence numbers around them. Later changes may have replaced them. */
  readonly onLostChanges?: (count: number) => void;
  /** A block of a table is damaged, so its rows are not all known. */
  readonly onBrokenBlock?: () => void;
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
  { readsTornRecords = true, latestSequence = Infinity }: SalvageOptions = {},
): AsyncGenerator<SalvagedRow, void, undefined> {
  const sources = [
    ...files.tables.map((file) => readTable(directory, file, latestSequence + LATER_MAX, report)),
    readLogs(directory, files.logs, report, readsTornRecords),
  ];
  for await (const versions of byKey(merge(sources))) {
    const row = newestOf(versions, report);
    if (row !== undefined) yield row;
  }
}

/**
 * The newest sound one of all states of a row, which are given newest first; `undefined` if the row was deleted, or no state is
 * sound.
 */
function newestOf(versions: readonly RowVersion[], { onDamagedRow }: LossReport): SalvagedRow | undefined {
  const good = versions.findIndex((version) => version.value === undefined || isGood(version));
  if (good !== 0) onDamagedRow?.();
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
    onDamage?.({ file, reason });
  };
  const rescue = (bytes: Buffer): readonly RowVersion[] => {
    onBrokenBlock?.();
    const found = scanRows(bytes, tableRowAt).map(({ key, value, sequence }) => ({
      ...{ key, value, isDoubtful: true },
      // The number is not part of the checksum. A row with an impossible one counts as older than all others.
      sequence: sequence > sequenceMax ? 0 : sequence,
    }));
    return found.sort(compare);
  };
  try {
    await using table = await TableFile.open(join(directory, file), { isWorn: true });
    yield* table.read(note, rescue);
  } catch (error) {
    note(`it cannot be read: ${String(error)}`);
  }
}

/** The bytes of a record of a log, or of a place without a sound one. */
interface LogPart {
  readonly file: string;
  readonly bytes: Buffer;
  /** The rows of a record. */
  readonly versions: readonly RowVersion[] | undefined;
}

/** The rows of all logs. */
async function* readLogs(
  directory: string,
  files: readonly string[],
  report: LossReport,
  readsTornRecords: boolean,
): Source {
  const parts: LogPart[] = [];
  for (const file of files) {
    try {
      for (const { bytes, isRecord } of readLog(await readWornFile(join(directory, file))).parts)
        parts.push({ file, bytes, versions: isRecord ? readBatch(bytes) : undefined });
    } catch (error) {
      report.onDamage?.({ file, reason: `it cannot be read: ${String(error)}` });
    }
  }
  const read = readsTornRecords ? parts : parts.filter(({ versions }) => versions !== undefined);
  yield [...versionsIn(read, report)].sort(compare);
}

/** Larger than all sequence numbers of a store. */
const UNKNOWN = 2 ** 48;

/**
 * The rows of logs in the order in which they were written. The sequence numbers of rows in damaged places are not known: they get
 * the smallest ones that keep this order.
 */
function* versionsIn(
  parts: readonly LogPart[],
  { onLostChanges }: LossReport,
): Generator<RowVersion, void, undefined> {
  let after: number | undefined;
  for (const [index, { bytes, versions }] of parts.entries()) {
    let all = versions;
    if (all === undefined) {
      const found = scanRows(bytes, (part, at) => logRowAt(part, at, 0));
      const next = parts.slice(index + 1).find((part) => part.versions?.[0] !== undefined);
      const before = next?.versions?.[0]?.sequence;
      // Between two logs, another one may be lost.
      if (before !== undefined && after !== undefined && parts[index - 1]?.file === next?.file)
        onLostChanges?.(Math.max(0, before - after - 1 - found.length));
      const first = after === undefined ? (before ?? UNKNOWN) - found.length : after + 1;
      all = found.map(({ key, value }, n) => ({ key, value, sequence: first + n, isDoubtful: true }));
    }
    yield* all;
    after = all.at(-1)?.sequence ?? after;
  }
}

/** Merges sorted sources into one sorted source. */
async function* merge(sources: readonly Source[]): AsyncGenerator<RowVersion, void, undefined> {
  const readers = sources.map((source) => rowByRow(source));
  const heads: (RowVersion | undefined)[] = [];
  try {
    for (const reader of readers) heads.push((await reader.next()).value);
    for (;;) {
      let least = 0;
      for (let n = 1; n < heads.length; n++) if (isBefore(heads[n], heads[least])) least = n;
      const head = heads[least];
      if (head === undefined) return;
      yield head;
      heads[least] = (await readers[least]?.next())?.value;
    }
  } finally {
    for (const reader of readers) await reader.return(undefined);
  }
}

async function* rowByRow(source: Source): AsyncGenerator<RowVersion, undefined, undefined> {
  for await (const rows of source) yield* rows;
  return undefined;
}

function isBefore(a: RowVersion | undefined, b: RowVersion | undefined): boolean {
  return a !== undefined && (b === undefined || compare(a, b) < 0);
}

/** Orders rows by key, and those of the same key newest first. */
function compare(a: RowVersion, b: RowVersion): number {
  return a.key.compare(b.key) || b.sequence - a.sequence;
}
