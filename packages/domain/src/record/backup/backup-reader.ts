import {
  invalidBackup,
  parseBackupLine,
  withoutZeros,
  type BackupCounts,
  type BackupRecord,
} from './backup.js';
import { TallybookError } from '../../errors.js';

/** The count for each kind of line. */
export const countOf = {
  person: 'persons',
  tag: 'tags',
  group: 'groups',
  carried: 'carried',
  name: 'names',
  entry: 'entries',
  correction: 'corrections',
  provisional: 'provisional',
} as const;

/** Counts of a backup without lines. */
export const noLines = (): Record<keyof BackupCounts, number> => ({
  ...{ persons: 0, tags: 0, groups: 0, carried: 0, names: 0, entries: 0, corrections: 0, provisional: 0 },
});

/**
 * Reads a backup line by line and checks that it is complete: it has an `end` if the head announces one, the counts in
 * the end are right, and no line follows the end.
 */
export class BackupReader {
  readonly #counts = noLines();
  #number = 0;
  #isEndMissing = false;
  #hasEnded = false;

  /**
   * @param line The next line, without the line end.
   * @throws {TallybookError} `INVALID_BACKUP` naming the line.
   */
  read(line: string): BackupRecord {
    this.#number++;
    if (this.#hasEnded) throw invalidBackup(this.#number, 'comes after the end');
    const record = parseBackupLine(line, this.#number);
    if (record.kind === 'tallybook') this.#isEndMissing = record.hasEnd;
    else if (record.kind === 'end') this.#end(record.counts);
    else if (record.kind !== 'erasure') this.#counts[countOf[record.kind]]++;
    return record;
  }

  /**
   * Call it after the last line.
   *
   * @returns The counts of the records in the backup.
   * @throws {TallybookError} `INVALID_BACKUP` if lines are missing.
   */
  finish(): BackupCounts {
    if (this.#number === 0) {
      throw new TallybookError('INVALID_BACKUP', 'the backup is empty: its first line is missing');
    }
    if (this.#isEndMissing) {
      throw invalidBackup(
        this.#number,
        'is the last line and does not have the kind "end": the backup was cut short',
      );
    }
    return withoutZeros(this.#counts);
  }

  #end(stated: BackupCounts): void {
    for (const name of Object.values(countOf)) {
      const [said, found] = [stated[name] ?? 0, this.#counts[name]];
      if (said !== found) {
        throw invalidBackup(this.#number, `says ${said} as the number of ${name}; there are ${found}`);
      }
    }
    this.#hasEnded = true;
    this.#isEndMissing = false;
  }
}

/**
 * Checks every line of a backup, without a store.
 *
 * @param look Called with each record.
 * @returns The counts of the records in the backup.
 * @throws {TallybookError} `INVALID_BACKUP` naming the first bad line.
 */
export async function checkBackup(
  lines: AsyncIterable<string>,
  look: (record: BackupRecord) => void = () => undefined,
): Promise<BackupCounts> {
  const reader = new BackupReader();
  for await (const line of lines) look(reader.read(line));
  return reader.finish();
}
