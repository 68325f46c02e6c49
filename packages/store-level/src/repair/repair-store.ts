import { join } from 'node:path';
import type { Day } from '@tallybook/domain';
import { decodeEntry, encodeDay, encodeSequence } from '../rows/codec.js';
import { removeDamageMark } from '../directory/damage-mark.js';
import { withDirectoryLock } from '../level/directory-lock.js';
import { inspectFiles, type StoreFiles } from './inspect-files.js';
import { ErasedRows } from './erased-rows.js';
import { dayKey, dayOfKey, entryKey, isErasureKey, momentKey, scanOfKey } from '../rows/keys.js';
import { JournalSurvey } from './journal-survey.js';
import { requireFormat, stamp, versionOf } from '../rows/format-row.js';
import { getNow, openRaw, type RawLevel } from '../level/raw-level.js';
import { readProvisional } from '../queries/read-provisional.js';
import { finish, replaceFiles } from '../directory/replace-files.js';
import { isMeaningful, kindOf, RowCounter, type RowCounts } from '../rows/row-kinds.js';
import { forgetProgress } from '../rows/service/station-rows.js';
import { writeRows, type Row } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { salvage } from './salvage.js';
import { occupiedBytes, requireFree, withStoreDirectory } from '../directory/store-directory.js';
import { surveyRows, type Findings, type Survey } from './survey-rows.js';

/** Findings and result of a repair. */
export interface RepairReport extends Findings {
  /** The folder with the old files; `undefined` if nothing was changed. */
  readonly keptIn: string | undefined;
}

/** Rows that are written at a time. */
const BATCH_ROWS = 1_000;
/** Bytes that a LevelDB takes in addition to its tables. */
const EXTRA_BYTES = 1 << 20;

/** Repairs the store at a path: see `LevelDatabase.repair`. */
export function repairStore(path: string): Promise<RepairReport> {
  return withStoreDirectory(path, (directory) => repairDirectory(directory));
}

/**
 * Repairs the store of a directory that the caller has claimed.
 *
 * @param refusal The error with which LevelDB refused a store whose files are sound: then the store counts as damaged.
 */
export function repairDirectory(directory: string, refusal?: string): Promise<RepairReport> {
  return withDirectoryLock(directory, async () => {
    await finish(directory);
    const files = await inspectFiles(directory);
    // If the store has no other damage, bytes after the last sound record of a log were never acknowledged.
    const sound = await surveyRows(directory, files, { readsTornRecords: false });
    // A row of the format with wrong bits is damage if other rows show that this program wrote the store.
    if (sound.format !== undefined && (versionOf(sound.format) !== undefined || !sound.isOurs))
      requireFormat(directory, sound.format);
    const { findings, latestSequence } = sound;
    if (findings.damages.length === 0 && refusal === undefined) {
      // The damage that was found before is gone: LevelDB has joined the table with others, or the memory was faulty.
      await removeDamageMark(directory);
      return { ...findings, lostChanges: 0, keptIn: undefined };
    }
    const all = await surveyRows(directory, files, { latestSequence });
    // If the row of the format is lost, a row with a right seal shows that this program wrote the store.
    if (all.format === undefined && all.findings.damagedRows > 0 && !all.isOurs) {
      requireFormat(directory, undefined);
    }
    await requireRoom(directory, files);
    let { saved } = all.findings;
    const keptIn = await replaceFiles(directory, async (folder) => {
      saved = await fill(folder, directory, files, { ...all, latestSequence });
    });
    // The report describes the damage before the rescue of rows.
    const { missingCommits, isMissingAtMost } = findings;
    const damages = refusal === undefined ? findings.damages : [refusal, ...findings.damages];
    return { ...all.findings, damages, missingCommits, isMissingAtMost, saved, keptIn };
  });
}

/** Makes a new store from the rows that can be saved. */
async function fill(
  folder: string,
  directory: string,
  files: StoreFiles,
  { latestSequence, erasures, format }: Pick<Survey, 'latestSequence' | 'erasures' | 'format'>,
): Promise<RowCounts> {
  await using raw = await openRaw(folder, true);
  await stamp(raw, format);
  const entries = new Map<Day, number>();
  let areEntriesWritten = false;
  const journal = new JournalSurvey();
  const writer = new BatchWriter(raw);
  // Erasures first: a row counts as erased if it is older than the row of its erasure. So the next repair does not take the
  // rows of this store for erased ones.
  for (const row of erasures) await writer.add(row);
  await writer.flush();
  const erased = new ErasedRows(erasures);
  for await (const row of salvage(directory, files, {}, { latestSequence })) {
    if (!isMeaningful(row) || isErasureKey(row.key) || erased.has(row)) continue;
    journal.add(row);
    const kind = kindOf(row.key);
    // The row of a day says how many entries it has: those that are left.
    if (kind === 'days') continue;
    if (kind === 'scans') {
      // All entries come before all scans. A scan without its entry would hide the same scan when it is sent again.
      if (!areEntriesWritten) await writer.flush();
      areEntriesWritten = true;
      if (!isInEntry(raw, row.key)) continue;
    }
    if (kind === 'entries') entries.set(dayOfKey(row.key), (entries.get(dayOfKey(row.key)) ?? 0) + 1);
    // Changes that were acknowledged to a station may be lost, so the station must send its whole record again.
    await writer.add(kind === 'stations' ? { key: row.key, value: forgetProgress(row.value) } : row);
  }
  for (const [day, count] of entries) await writer.add({ key: dayKey(day), value: encodeDay(count) });
  for (const row of journal.complete(Math.floor(Date.now() / 1_000))) await writer.add(row);
  await writer.flush();
  // The row of its moment identifies a scan.
  for (const { sequence, ...scan } of await readProvisional(raw)) {
    await writer.add({ key: momentKey(scan), value: encodeSequence(sequence) });
  }
  await writer.flush();
  const counter = new RowCounter();
  for await (const key of raw.keys()) counter.add(key);
  return counter.counts;
}

/** Whether the scan of a key lies between the first and the last scan of its entry. */
function isInEntry(raw: RawLevel, key: Buffer): boolean {
  const { day, id, at } = { day: dayOfKey(key), ...scanOfKey(key) };
  const row = entryKey(day, id);
  const value = getNow(raw, row);
  if (value === undefined) return false;
  const { entry } = decodeEntry(id, unseal(row, value));
  return at > entry.first && at < entry.last;
}

/** @throws {TallybookError} `STORE_WRITE_FAILED` if the disk has no room for a second store beside the damaged one. */
async function requireRoom(directory: string, { tables, logs }: StoreFiles): Promise<void> {
  const sizes = await Promise.all([...tables, ...logs].map((file) => occupiedBytes(join(directory, file))));
  const needed = sizes.reduce((sum, size) => sum + size, EXTRA_BYTES);
  await requireFree(directory, needed, `repairing ${directory}`);
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
    // All rows must be on the disk before the new files replace the old ones.
    await writeRows(this.#raw, rows);
  }
}
