import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError, type Day } from '@tallybook/domain';
import { decodeDay, encodeSequence } from './codec.js';
import { removeDamageMark } from './damage-mark.js';
import { withDirectoryLock } from './directory-lock.js';
import { inspectFiles, type FileDamage, type StoreFiles } from './inspect-files.js';
import { commitKey, dayOfKey, formatKey, identityKey, momentKey } from './keys.js';
import { toOpenError } from './level-errors.js';
import { mendDay } from './mend-day.js';
import { NumberReader } from './numbers.js';
import { countMissing, requireFormat, stamp } from './open-level.js';
import { openRaw, type RawLevel } from './raw-level.js';
import { readProvisional } from './read-provisional.js';
import { finish, replaceFiles } from './replace-files.js';
import { isMeaningful, kindOf, type RowCounts } from './row-kinds.js';
import { writeRows, type Row } from './rows.js';
import { salvage } from './salvage.js';
import { claimDirectory, holdsStore, occupiedBytes, releaseDirectory } from './store-directory.js';
import { readTestimony } from './witness.js';

/** What a repair found and did. */
export interface RepairReport {
  /** What was wrong, one thing each, for people; none if the store is sound, and then nothing was changed. */
  readonly damages: readonly string[];
  /** What the store holds now. */
  readonly saved: RowCounts;
  /**
   * Rows of which the latest state is not what was written; an older one took its place if there was one. What was in
   * blocks and files that are gone is not known, and not counted.
   */
  readonly damagedRows: number;
  /** Latest commits that were acknowledged and are gone, as far as is known. A commit may hold several writes. */
  readonly missingCommits: number;
  /**
   * Whether fewer may be missing, and also none: the row that says which store it is is gone, so nobody knows whether
   * what was acknowledged was so by this one.
   */
  readonly isMissingAtMost: boolean;
  /** The folder with the old files; `undefined` if nothing was changed. */
  readonly keptIn: string | undefined;
}

/** Rows that are written at a time. */
const BATCH_ROWS = 1_000;
/** What a LevelDB takes beside its tables, in bytes. */
const EXTRA_BYTES = 1 << 20;

/** Repairs the store at a path: see `LevelDatabase.repair`. */
export async function repairStore(path: string): Promise<RepairReport> {
  if (!(await holdsStore(path))) {
    throw new TallybookError('STORE_UNAVAILABLE', `there is no store at ${path}`, { details: { path } });
  }
  try {
    const directory = await claimDirectory(path);
    try {
      return await repairDirectory(directory);
    } finally {
      releaseDirectory(directory);
    }
  } catch (error) {
    throw toOpenError(path, error);
  }
}

/**
 * Repairs the store of a directory that the caller has claimed.
 *
 * @param refusal Why LevelDB does not open what looks sound, if that is so: then it is damaged whatever it looks like.
 */
export function repairDirectory(directory: string, refusal?: string): Promise<RepairReport> {
  return withDirectoryLock(directory, async () => {
    await finish(directory);
    const files = await inspectFiles(directory);
    const survey = await surveyRows(directory, files);
    if (survey.damages.length === 0 && refusal === undefined) {
      // What was found is gone: LevelDB has joined the table with others, or it was the memory.
      await removeDamageMark(directory);
      return { ...survey, keptIn: undefined };
    }
    await requireRoom(directory, files);
    let saved = survey.saved;
    const keptIn = await replaceFiles(directory, async (folder) => {
      saved = await fill(folder, directory, files);
    });
    const damages = refusal === undefined ? survey.damages : [refusal, ...survey.damages];
    return { ...survey, damages, saved, keptIn };
  });
}

/** Reads everything and writes nothing. */
async function surveyRows(directory: string, files: StoreFiles): Promise<Omit<RepairReport, 'keptIn'>> {
  const damages = new Set(files.damages.map(describe));
  const counter = new RowCounter();
  const announced = new Map<Day, number>();
  const found = new Map<Day, number>();
  let damagedRows = 0;
  let identity: Buffer | undefined;
  let commits = 0;
  let format: Buffer | undefined;
  const rows = salvage(directory, files, {
    onDamage: (damage) => damages.add(describe(damage)),
    onDamagedRow: () => damagedRows++,
  });
  for await (const row of rows) {
    const { key, value } = row;
    if (key.equals(formatKey)) format = value;
    else if (key.equals(identityKey)) identity = value;
    else if (key.equals(commitKey)) commits = new NumberReader(value).next();
    else if (!isMeaningful(row)) damagedRows++;
    else {
      counter.add(key);
      if (kindOf(key) === 'days') announced.set(dayOfKey(key), decodeDay(value));
      if (kindOf(key) === 'entries') found.set(dayOfKey(key), (found.get(dayOfKey(key)) ?? 0) + 1);
    }
  }
  // Without the row of its format, a store is known by a row that has the checksum of this program.
  const isOurs = identity !== undefined || found.size > 0 || announced.size > 0 || counter.counts.names > 0;
  if (format !== undefined || (damagedRows > 0 && !isOurs)) requireFormat(directory, format);

  const testimony = readTestimony(directory);
  const isMissingAtMost = identity === undefined && (testimony?.commits ?? 0) > commits;
  // Without its own identity it is taken for the one that the witness knows.
  const stored = { identity: identity ?? testimony?.identity ?? Buffer.alloc(0), commits };
  const missingCommits = countMissing(stored, testimony);
  if (identity === undefined) damages.add('the rows that describe the store are missing');
  if (damagedRows > 0) damages.add(`${damagedRows} rows are damaged`);
  if (missingCommits > 0) {
    damages.add(`${isMissingAtMost ? 'up to ' : ''}the latest ${missingCommits} commits are missing`);
  }
  for (const day of new Set([...announced.keys(), ...found.keys()])) {
    const [should, does] = [announced.get(day) ?? 0, found.get(day) ?? 0];
    if (should !== does) damages.add(`day ${day} should have ${should} entries and has ${does}`);
  }
  return { damages: [...damages], saved: counter.counts, damagedRows, missingCommits, isMissingAtMost };
}

/** Makes a new store of the rows that can be saved. */
async function fill(folder: string, directory: string, files: StoreFiles): Promise<RowCounts> {
  const raw = await openRaw(folder, true);
  try {
    await stamp(raw);
    const days = new Set<Day>();
    const writer = new BatchWriter(raw);
    const ignored = (): void => undefined;
    for await (const row of salvage(directory, files, { onDamage: ignored, onDamagedRow: ignored })) {
      if (!isMeaningful(row)) continue;
      const kind = kindOf(row.key);
      if (kind === 'days' || kind === 'entries' || kind === 'scans') days.add(dayOfKey(row.key));
      await writer.add(row);
    }
    await writer.flush();
    for (const day of days) for (const row of await mendDay(raw, day)) await writer.add(row);
    // By its moment a scan is known again.
    for (const { sequence, ...scan } of await readProvisional(raw)) {
      await writer.add({ key: momentKey(scan), value: encodeSequence(sequence) });
    }
    await writer.flush();
    const counter = new RowCounter();
    for await (const key of raw.keys()) counter.add(key);
    return counter.counts;
  } finally {
    await raw.close();
  }
}

/** @throws {TallybookError} `STORE_WRITE_FAILED` if the disk has no room for a second store beside the damaged one. */
async function requireRoom(directory: string, { tables, logs }: StoreFiles): Promise<void> {
  const sizes = await Promise.all([...tables, ...logs].map((file) => occupiedBytes(join(directory, file))));
  const needed = sizes.reduce((sum, size) => sum + size, EXTRA_BYTES);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= needed) return;
  throw new TallybookError(
    'STORE_WRITE_FAILED',
    `repairing ${directory} needs ${needed} bytes free beside it, and there are ${bavail * bsize}; nothing was changed`,
    { details: { path: directory, needed } },
  );
}

class BatchWriter {
  readonly #raw: RawLevel;
  #rows: Row[] = [];

  constructor(raw: RawLevel) {
    this.#raw = raw;
  }

  async add(row: Row): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= BATCH_ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    // When the files are put in the place of the old ones, all must be on the disk.
    await writeRows(this.#raw, rows);
  }
}

class RowCounter {
  readonly #counts = { names: 0, days: 0, entries: 0, scans: 0, provisional: 0 };

  get counts(): RowCounts {
    return { ...this.#counts };
  }

  /** Counts a row, if it is one of data. */
  add(key: Buffer): void {
    const kind = kindOf(key);
    if (kind !== undefined) this.#counts[kind]++;
  }
}

function describe({ file, reason }: FileDamage): string {
  return `${file}: ${reason}`;
}
