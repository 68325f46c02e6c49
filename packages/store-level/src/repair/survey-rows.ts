import { counted, type Day } from '@tallybook/domain';
import { decodeDay } from '../rows/codec.js';
import { versionOf } from '../rows/format-row.js';
import type { FileDamage, StoreFiles } from './inspect-files.js';
import { JournalSurvey } from './journal-survey.js';
import { commitKey, dayOfKey, formatKey, identityKey, isErasureKey } from '../rows/keys.js';
import { NumberReader } from '../leveldb-files/numbers.js';
import { isMeaningful, kindOf, RowCounter, type RowCounts } from '../rows/row-kinds.js';
import { salvage, type SalvageOptions, type SalvagedRow } from './salvage.js';
import { countMissing, readAcknowledgedCommits, latestCommits } from '../directory/acknowledged-commits.js';

/** Findings from reading all rows of a store. */
export interface Findings {
  /** A description of each damage, for people. Empty if the store is sound: then nothing was changed. */
  readonly damages: readonly string[];
  /** The rows that the store holds now. */
  readonly saved: RowCounts;
  /** Saved rows that were found in damaged places: the checksum of each row shows that it is sound. */
  readonly rescuedRows: number;
  /**
   * Rows whose latest state is damaged; an older state took its place if there was one. Rows of lost blocks and files are unknown
   * and not counted.
   */
  readonly damagedRows: number;
  /**
   * Lost changes of rows in damaged commits, as far as these commits say how many changes they had. Later changes may have
   * replaced them.
   */
  readonly lostChanges: number;
  /**
   * Blocks of tables in which more than one bit is wrong: an unknown number of their rows may be lost. Blocks of a table with a
   * damaged index are not counted.
   */
  readonly brokenBlocks: number;
  /**
   * Latest acknowledged commits that are missing or damaged, as far as is known. A commit may hold several writes; readable
   * writes of a damaged commit are rescued.
   */
  readonly missingCommits: number;
  /**
   * Whether `missingCommits` is only an upper bound: the row with the identity of the store is lost, so the acknowledged commits
   * may be those of another store.
   */
  readonly isMissingAtMost: boolean;
}

export interface Survey {
  readonly findings: Findings;
  /** The largest sequence number of a row. */
  readonly latestSequence: number;
  /** The row of the format, if it is sound. */
  readonly format: Buffer | undefined;
  /** The rows of erasures: older rows of their persons must not come back. */
  readonly erasures: readonly SalvagedRow[];
  /** Whether any row was written by this program. */
  readonly isOurs: boolean;
}

/** Reads all rows and writes nothing. */
export async function surveyRows(
  directory: string,
  files: StoreFiles,
  options: SalvageOptions,
): Promise<Survey> {
  const damages = new Set(files.damages.map(describe));
  const counter = new RowCounter();
  const announced = new Map<Day, number>();
  const found = new Map<Day, number>();
  const journal = new JournalSurvey();
  let rescuedRows = 0;
  let damagedRows = 0;
  let lostChanges = 0;
  let brokenBlocks = 0;
  let latestSequence = 0;
  let identity: Buffer | undefined;
  let commits = 0;
  let format: Buffer | undefined;
  const erasures: SalvagedRow[] = [];
  const report = {
    onDamage: (damage: FileDamage) => damages.add(describe(damage)),
    onDamagedRow: () => damagedRows++,
    onLostChanges: (count: number) => (lostChanges += count),
    onBrokenBlock: () => brokenBlocks++,
  };
  for await (const row of salvage(directory, files, report, options)) {
    const { key, value, sequence } = row;
    if (!row.isRescued) latestSequence = Math.max(latestSequence, sequence);
    if (key.equals(formatKey)) format = value;
    else if (key.equals(identityKey)) identity = value;
    else if (key.equals(commitKey)) commits = new NumberReader(value).next();
    else if (!isMeaningful(row)) damagedRows++;
    else {
      counter.add(key);
      journal.add(row);
      if (isErasureKey(key)) erasures.push(row);
      if (row.isRescued) rescuedRows++;
      if (kindOf(key) === 'days') announced.set(dayOfKey(key), decodeDay(value));
      if (kindOf(key) === 'entries') found.set(dayOfKey(key), (found.get(dayOfKey(key)) ?? 0) + 1);
    }
  }
  const isOurs = identity !== undefined || found.size > 0 || announced.size > 0 || counter.counts.names > 0;
  const acknowledged = readAcknowledgedCommits(directory);
  const isMissingAtMost = identity === undefined && (acknowledged[0]?.commits ?? 0) > commits;
  // If the row with its identity is lost, the identity in the files of acknowledged commits is used.
  const stored = { identity: identity ?? acknowledged[0]?.identity ?? Buffer.alloc(0), commits };
  const missingCommits = countMissing(stored, acknowledged);
  if (identity === undefined) damages.add('the rows that describe the store are missing');
  if (format !== undefined && versionOf(format) === undefined)
    damages.add('the row of its format is damaged');
  if (damagedRows > 0) damages.add(`${counted(damagedRows, 'row is', 'rows are')} damaged`);
  if (missingCommits > 0) {
    damages.add(`${isMissingAtMost ? 'up to ' : ''}${latestCommits(missingCommits)} missing or damaged`);
  }
  for (const day of new Set([...announced.keys(), ...found.keys()])) {
    const [should, does] = [announced.get(day) ?? 0, found.get(day) ?? 0];
    if (should !== does)
      damages.add(`day ${day} should have ${counted(should, 'entry', 'entries')} and has ${does}`);
  }
  if (journal.damage !== undefined) damages.add(journal.damage);
  const findings = {
    damages: [...damages],
    saved: counter.counts,
    rescuedRows,
    damagedRows,
    lostChanges,
    brokenBlocks,
    missingCommits,
    isMissingAtMost,
  };
  return { findings, latestSequence, format, erasures, isOurs };
}

function describe({ file, reason }: FileDamage): string {
  return `${file}: ${reason}`;
}
