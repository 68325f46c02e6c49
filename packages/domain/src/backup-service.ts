import type { Entry } from './attendance-day.js';
import { BACKUP_VERSION, formatBackupLine, parseBackupLine } from './backup.js';
import { type Day, DAY_MAX } from './day.js';
import { TallybookError } from './errors.js';
import type { DayStore } from './ports/day-store.js';
import type { MappingStore } from './ports/mapping-store.js';

/** How much a backup holds. */
export interface BackupCounts {
  readonly names: number;
  readonly entries: number;
}

/** Writes in flight at a time while importing, so that a store can commit them together. */
const WRITE_GROUP_SIZE = 256;

/** Copies everything out of the stores, and back in. */
export class BackupService {
  readonly #mapping: MappingStore;
  readonly #days: DayStore;

  constructor(mapping: MappingStore, days: DayStore) {
    this.#mapping = mapping;
    this.#days = days;
  }

  /**
   * Everything as lines of JSON without line ends: the head, the names ascending by id, the entries by day. Each
   * day, and the mapping, is consistent in itself; what is written meanwhile to a later day may be included.
   */
  async *export(): AsyncGenerator<string, void, undefined> {
    yield formatBackupLine({ kind: 'tallybook', version: BACKUP_VERSION });
    for (const [id, name] of await this.#mapping.read()) yield formatBackupLine({ kind: 'name', id, name });
    for (const day of await this.#days.list(0 as Day, DAY_MAX)) {
      const record = await this.#days.load(day);
      for (const entry of record?.entries ?? []) yield formatBackupLine({ kind: 'entry', day, entry });
    }
  }

  /**
   * Joins a backup into the stores: a name takes the place of the one that its tag has, entries are merged. All
   * lines are checked before the first write, so a bad line changes nothing. Importing twice, or again after an
   * interruption, changes nothing more.
   *
   * @param read Gives the lines from the first one on, without line ends, each time it is called: twice.
   * @returns What the backup holds.
   * @throws {TallybookError} `INVALID_BACKUP` naming the first bad line; and as the stores reject.
   */
  async import(read: () => AsyncIterable<string>): Promise<BackupCounts> {
    await checkBackup(read());
    return this.#write(read());
  }

  async #write(lines: AsyncIterable<string>): Promise<BackupCounts> {
    const counts = { names: 0, entries: 0 };
    const writes = new WriteGroups();
    let group: { readonly day: Day; readonly entries: Entry[] } | undefined;
    const mergeGroup = async (): Promise<void> => {
      const { day, entries } = group ?? {};
      if (day !== undefined && entries !== undefined) await writes.add(() => this.#days.merge(day, entries));
    };
    let number = 0;
    for await (const line of lines) {
      const record = parseBackupLine(line, ++number);
      if (record.kind === 'name') {
        counts.names++;
        await writes.add(() => this.#mapping.put(record.id, record.name));
      } else if (record.kind === 'entry') {
        counts.entries++;
        if (group?.day !== record.day) {
          await mergeGroup();
          group = { day: record.day, entries: [] };
        }
        group.entries.push(record.entry);
      }
    }
    await mergeGroup();
    await writes.flush();
    return counts;
  }
}

/**
 * Checks every line of a backup and changes nothing, for callers who want to know before they open a store.
 *
 * @throws {TallybookError} `INVALID_BACKUP` naming the first bad line.
 */
export async function checkBackup(lines: AsyncIterable<string>): Promise<void> {
  let number = 0;
  for await (const line of lines) parseBackupLine(line, ++number);
  if (number === 0)
    throw new TallybookError('INVALID_BACKUP', 'the backup is empty: not even its first line is there');
}

/** Starts writes a group at a time, and the next group when all of the one before are done. */
class WriteGroups {
  #writes: (() => Promise<unknown>)[] = [];

  async add(write: () => Promise<unknown>): Promise<void> {
    this.#writes.push(write);
    if (this.#writes.length >= WRITE_GROUP_SIZE) await this.flush();
  }

  async flush(): Promise<void> {
    const writes = this.#writes;
    this.#writes = [];
    await Promise.all(writes.map((write) => write()));
  }
}
