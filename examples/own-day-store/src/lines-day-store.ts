import { open, type FileHandle } from 'node:fs/promises';
import {
  ManagedResource,
  TallybookError,
  type AttendanceDay,
  type Day,
  type DayStore,
  type DetailedEntry,
  type RecordOutcome,
  type Revision,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { MemoryDayStore } from '@tallybook/testing';

type Line =
  | {
      readonly do: 'record';
      readonly day: Day;
      readonly id: TallyId;
      readonly at: Timestamp;
      readonly flags?: number | undefined;
    }
  | { readonly do: 'merge'; readonly day: Day; readonly entries: readonly DetailedEntry[] }
  | { readonly do: 'remove'; readonly day: Day };

/**
 * A day store for small clubs: one file with a line of JSON for each write, synced before it is acknowledged. All data
 * are also kept in memory, and reads use only that. This process must be the only writer.
 */
export class LinesDayStore extends ManagedResource implements DayStore {
  readonly #path: string;
  #memory = new MemoryDayStore();
  #file: FileHandle | undefined;
  /** Length of the whole lines of the file, in bytes. The next write cuts off the rest of a failed write. */
  #length = 0;
  #writes: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    super();
    this.#path = path;
  }

  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    const line: Line = { do: 'record', day, id, at, flags: source?.flags };
    return this.#write(line, () => this.#memory.record(day, id, at, source));
  }

  merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    return this.#write({ do: 'merge', day, entries }, () => this.#memory.merge(day, entries));
  }

  remove(day: Day): Promise<boolean> {
    return this.#write({ do: 'remove', day }, () => this.#memory.remove(day));
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.run(() => this.#memory.load(day));
  }

  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined> {
    return this.run(() => this.#memory.details(day));
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.run(() => this.#memory.scans(day, id));
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.run(() => this.#memory.list(from, to));
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.run(() => this.#memory.dayRevision(day));
  }

  listRevision(): Promise<Revision> {
    return this.run(() => this.#memory.listRevision());
  }

  protected override async onOpen(): Promise<void> {
    this.#memory = new MemoryDayStore();
    await this.#memory.open();
    this.#file = await open(this.#path, 'a+', 0o600);
    const text = await this.#file.readFile('utf8');
    // A line without its end was being written when the power was cut; it was never acknowledged.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    this.#length = Buffer.byteLength(whole);
    for (const line of whole.split('\n').filter(Boolean)) await this.#apply(JSON.parse(line) as Line);
  }

  protected override async onClose(): Promise<void> {
    await this.#file?.close();
    await this.#memory.close();
  }

  #apply(line: Line): Promise<unknown> {
    switch (line.do) {
      case 'record':
        return this.#memory.record(line.day, line.id, line.at, { flags: line.flags ?? 0 });
      case 'merge':
        return this.#memory.merge(line.day, line.entries);
      case 'remove':
        return this.#memory.remove(line.day);
    }
  }

  #write<T>(line: Line, apply: () => Promise<T>): Promise<T> {
    return this.run(() => {
      const written = this.#writes.then(() => this.#append(`${JSON.stringify(line)}\n`)).then(apply);
      this.#writes = written.catch(() => undefined);
      return written;
    });
  }

  async #append(line: string): Promise<void> {
    if (this.#file === undefined) throw this.notOpen();
    try {
      await this.#file.truncate(this.#length);
      await this.#file.appendFile(line);
      await this.#file.datasync();
    } catch (cause) {
      throw new TallybookError('STORE_WRITE_FAILED', `cannot write to ${this.#path}`, { cause });
    }
    this.#length += Buffer.byteLength(line);
  }
}
