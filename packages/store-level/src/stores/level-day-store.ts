import {
  ManagedResource,
  type AttendanceDay,
  type Day,
  type DayStore,
  type Entry,
  type RecordOutcome,
  type Revision,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { hasDay, keysOfScans, mergeEntry, rangesOfDay, recordScan, removeDay } from '../rows/day-rows.js';
import type { Write } from '../database/group-commit.js';
import { dayKey } from '../rows/keys.js';
import type { LevelDatabase } from '../database/level-database.js';
import { readDay, readDays } from '../rows/read-day.js';

/** What {@link LevelDayStore} keeps revisions of: the list of days, and each day. */
const LIST = 'days';
const subjectOf = (day: Day): string => `day ${day}`;

/** Keeps attendance in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelDayStore extends ManagedResource implements DayStore {
  readonly #database: LevelDatabase;

  constructor(database: LevelDatabase) {
    super();
    this.#database = database;
  }

  record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    return this.#change(day, {
      keys: keysOfScans(day, id, [at]),
      decide: (rows) => recordScan(rows, day, id, at),
    });
  }

  merge(day: Day, entries: readonly Entry[]): Promise<void> {
    return this.#change(day, {
      keys: entries.flatMap(({ id, first, last }) => keysOfScans(day, id, [first, last])),
      decide: (rows) => {
        for (const entry of entries) mergeEntry(rows, day, entry);
      },
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.run(() =>
      this.#database.read(async (level) => {
        // Of one moment, or a scan that is recorded in between would look like damage.
        await using snapshot = level.snapshot();
        return await readDay(level, day, snapshot);
      }),
    );
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.run(() => this.#database.read((level) => readDays(level, from, to)));
  }

  remove(day: Day): Promise<boolean> {
    return this.#change(day, {
      keys: [],
      ranges: rangesOfDay(day),
      decide: (rows) => {
        const wasThere = hasDay(rows, day);
        removeDay(rows, day);
        return wasThere;
      },
    });
  }

  async dayRevision(day: Day): Promise<Revision> {
    if (this.status !== 'open') throw this.notOpen();
    return this.#database.revisions.of(subjectOf(day));
  }

  async listRevision(): Promise<Revision> {
    if (this.status !== 'open') throw this.notOpen();
    return this.#database.revisions.of(LIST);
  }

  protected override onOpen(): Promise<void> {
    return this.#database.acquire();
  }

  protected override onClose(): Promise<void> {
    return this.#database.release();
  }

  #change<T>(day: Day, { keys, ranges, decide }: Write<T>): Promise<T> {
    const { revisions } = this.#database;
    return this.run(async () => {
      const changes: (() => void)[] = [];
      try {
        return await this.#database.write({
          keys: [dayKey(day), ...keys],
          ranges: ranges ?? [],
          decide: (rows) => {
            const wasThere = hasDay(rows, day);
            const result = decide(rows);
            if (rows.hasChanged) changes.push(revisions.begin(subjectOf(day)));
            if (hasDay(rows, day) !== wasThere) changes.push(revisions.begin(LIST));
            return result;
          },
        });
      } finally {
        for (const settle of changes) settle();
      }
    });
  }
}
