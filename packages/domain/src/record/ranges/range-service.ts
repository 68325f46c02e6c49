import type { Entry } from '../../values/record/attendance-day.js';
import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { Revision } from '../../ports/revision.js';
import type { SnapshotSource } from '../../ports/record/snapshot-source.js';
import { PseudonymousSnapshot, type CodeOf } from './pseudonymous-snapshot.js';
import { TallybookError } from '../../errors.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { Pause } from '../turns.js';
import { AttendanceTable, type TableSource } from './attendance-table.js';

export interface RangeDependencies {
  /** Source of the data for ranges. */
  readonly snapshots: SnapshotSource;
  /** `mapping` and `days` give the revisions. */
  readonly mapping: MappingStore;
  readonly days: DayStore;
}

/** Maximum number of days in a range: ten years and a week. */
export const RANGE_MAX_DAYS = 3_660;

/** An entry with its day and name. */
export interface NamedEntry extends Entry {
  readonly day: Day;
  /** `undefined` for a tag without a name. */
  readonly name: Name | undefined;
}

export interface RangeOptions {
  /** Largest number of tags, named or read, in a range; default: no limit. */
  readonly maxTags?: number;
}

/** Answers who was there within a range of days. */
export class RangeService {
  readonly #parts: RangeDependencies;
  readonly #maxTags: number;

  constructor(parts: RangeDependencies, { maxTags = Infinity }: RangeOptions = {}) {
    this.#parts = parts;
    this.#maxTags = maxTags;
  }

  /**
   * Checks that a range is not too long, before it is opened.
   *
   * @throws {TallybookError} `RANGE_TOO_LONG` if it has more than {@link RANGE_MAX_DAYS} days.
   */
  check(from: Day, to: Day): void {
    const length = to - from + 1;
    if (length <= RANGE_MAX_DAYS) return;
    throw new TallybookError(
      'RANGE_TOO_LONG',
      `from and to: a range has at most ${RANGE_MAX_DAYS} days; got ${length}`,
      { details: { days: length, limit: RANGE_MAX_DAYS } },
    );
  }

  /**
   * The attendance from one day to another, both included, as of this moment; empty if `from` is later than `to`.
   * Dispose of it. Rejects with `RANGE_TOO_LONG` if the range has more than {@link RANGE_MAX_DAYS} days, and as
   * {@link SnapshotSource} does. Its readings reject with `NOT_ENOUGH_MEMORY`.
   *
   * @param codeOf Gives codes to use in place of names and tags, for statistics. Default: names and tags.
   */
  async open(from: Day, to: Day, codeOf?: CodeOf): Promise<AttendanceRange> {
    this.check(from, to);
    const snapshot = await this.#parts.snapshots.take();
    const maxTags = this.#maxTags;
    return new AttendanceRange({
      snapshot: codeOf === undefined ? snapshot : new PseudonymousSnapshot(snapshot, codeOf, maxTags),
      ...{ from, to, maxTags },
    });
  }

  /**
   * Changes whenever the range or a name changes. Rejects with `RANGE_TOO_LONG`, and as the stores
   * do.
   */
  async revision(from: Day, to: Day): Promise<Revision> {
    this.check(from, to);
    const { mapping, days } = this.#parts;
    const revisions = [await mapping.revision(), await days.listRevision()];
    for (const day of await days.list(from, to)) revisions.push(await days.dayRevision(day));
    return revisions.join(' ');
  }
}

/** A range of days at one moment, as consistent as its {@link SnapshotSource}. */
export class AttendanceRange implements AsyncDisposable {
  readonly #parts: Omit<TableSource, 'pause'>;

  constructor(parts: Omit<TableSource, 'pause'>) {
    this.#parts = parts;
  }

  /** People and days. Rejects as `Snapshot` does. */
  table(pause: Pause): Promise<AttendanceTable> {
    return AttendanceTable.read({ ...this.#parts, pause });
  }

  /** All entries by day and first scan, one day in memory at a time, and all names. Rejects as `Snapshot` does. */
  async *entries(): AsyncGenerator<NamedEntry, void, undefined> {
    const { snapshot, from, to, maxTags } = this.#parts;
    const names = new Map<TallyId, Name>();
    for await (const [id, name] of snapshot.names()) {
      names.set(id, name);
      requireHeapFor('the list of names', names.size, maxTags);
    }
    for await (const { day, entries } of snapshot.days(from, to)) {
      for (const entry of entries) yield { ...entry, day, name: names.get(entry.id) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.snapshot[Symbol.asyncDispose]();
  }
}
