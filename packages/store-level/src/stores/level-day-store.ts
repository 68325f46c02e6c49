import {
  type AttendanceDay,
  type Cursor,
  type Day,
  type DayStore,
  type DetailedEntry,
  type RecordOutcome,
  type Revision,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { knownScans } from '@tallybook/domain/record';
import { hasDay, keysOfScans, mergeEntry, rangesOfDay, recordScan, removeDay } from '../rows/day-rows.js';
import type { Write } from '../database/group-commit.js';
import { changeRange, dayKey, type KeyRange } from '../rows/keys.js';
import { LevelFacet } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { LevelView } from './level-view.js';
import { readDay, readDays, readDetails } from '../queries/read-day.js';
import { readScans } from '../queries/read-corrections.js';
import { findScans, scansAmong } from '../queries/read-journal.js';

/** Keeps attendance in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelDayStore extends LevelFacet implements DayStore {
  /** Days that are about to be removed. Each promise resolves when the removal is in the queue of writes. */
  readonly #removals = new Map<Day, Promise<void>>();

  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    return this.#change(day, {
      keys: keysOfScans(day, id, [at]),
      decide: (rows) => recordScan(rows, { day, id, at }, source ?? {}),
    });
  }

  merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    return this.#change(day, {
      keys: entries.flatMap((entry) =>
        keysOfScans(
          day,
          entry.id,
          knownScans(entry).map(({ at }) => at),
        ),
      ),
      decide: (rows) => {
        for (const entry of entries) mergeEntry(rows, day, entry);
        if (rows.hasChanged) rows.tell({ kind: 'day', day, action: 'merged' });
      },
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.query(async (level) => {
      // Without a snapshot, a scan that is recorded in between would look like damage.
      await using snapshot = level.snapshot();
      return await readDay(level, day, snapshot);
    });
  }

  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined> {
    return this.query(async (level) => {
      await using snapshot = level.snapshot();
      return await readDetails(level, day, snapshot);
    });
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.query(async (level) => {
      await using snapshot = level.snapshot();
      return await readScans(level, day, id, snapshot);
    });
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.query((level) => readDays(level, from, to));
  }

  remove(day: Day): Promise<boolean> {
    return this.database.run(() => this.#remove(day));
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.revisionOf(subjects.day(day));
  }

  listRevision(): Promise<Revision> {
    return this.revisionOf(subjects.list);
  }

  /** While the journal is being searched, other days are written; writes of this day wait. */
  async #remove(day: Day): Promise<boolean> {
    const before = this.#removals.get(day);
    let isSubmitted = (): void => undefined;
    const submitted = new Promise<void>((resolve) => (isSubmitted = resolve));
    this.#removals.set(day, submitted);
    try {
      await before;
      const { changeKeys, latest } = await this.#findChangesOf(day);
      const removed = this.#write(day, removalOf(day, changeKeys, changeRange(latest)));
      isSubmitted();
      return await removed;
    } finally {
      isSubmitted();
      if (this.#removals.get(day) === submitted) this.#removals.delete(day);
    }
  }

  /** Keys of the journal's changes about scans of a day, up to the latest change. */
  async #findChangesOf(
    day: Day,
  ): Promise<{ readonly changeKeys: readonly Buffer[]; readonly latest: Cursor }> {
    await using view = await LevelView.of(this.database);
    const changeKeys = await view.read(async (level, snapshot) => {
      const [isThere] = await level.getMany([dayKey(day)], { snapshot });
      return isThere === undefined ? [] : findScans(level, snapshot, day);
    });
    return { changeKeys, latest: view.latest };
  }

  #change<T>(day: Day, write: Write<T>): Promise<T> {
    return this.database.run(() => {
      const removal = this.#removals.get(day);
      if (removal === undefined) return this.#write(day, write);
      return this.database.writeLate(() => removal.then(() => this.#write(day, write)));
    });
  }

  #write<T>(day: Day, { keys, ranges = [], decide }: Write<T>): Promise<T> {
    return this.database.write({
      keys: [dayKey(day), ...keys],
      ranges,
      decide: (rows) => {
        const wasThere = hasDay(rows, day);
        const result = decide(rows);
        rows.touch(subjects.day(day));
        if (hasDay(rows, day) !== wasThere) rows.touch(subjects.list);
        return result;
      },
    });
  }
}

/**
 * @param changeKeys Keys of the journal's changes about scans of the day.
 * @param since A range of the journal that may have more such changes.
 */
function removalOf(day: Day, changeKeys: readonly Buffer[], since: KeyRange): Write<boolean> {
  return {
    keys: changeKeys,
    ranges: [...rangesOfDay(day), since],
    decide: (rows) => {
      const wasThere = hasDay(rows, day);
      removeDay(rows, day);
      if (wasThere) {
        for (const key of [...changeKeys, ...scansAmong(rows.within(since), day)]) rows.delete(key);
        rows.tell({ kind: 'day', day, action: 'removed' });
      }
      return wasThere;
    },
  };
}
