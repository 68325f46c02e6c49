import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { Revision } from '../../ports/revision.js';
import type { SnapshotSource } from '../../ports/record/snapshot-source.js';
import { Holders } from '../../people/holders.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import { heldDays, type HeldDay, type HeldEntry, type RangeSnapshot } from './held-days.js';
import { pseudonymousDays, type CodeOf } from './pseudonymous-days.js';
import { TallybookError } from '../../errors.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { Pause } from '../turns.js';
import { AttendanceTable } from './attendance-table.js';

export interface RangeDependencies {
  /** Source of the data for ranges. */
  readonly snapshots: SnapshotSource;
  /** `mapping`, `people` and `days` give the revisions. */
  readonly mapping: MappingStore;
  /** Absent if the storage knows no persons: then each tag is one. */
  readonly people?: PeopleStore;
  readonly days: DayStore;
}

/** Maximum number of days in a range: ten years and a week. */
export const RANGE_MAX_DAYS = 3_660;

/** An entry, or its part that belongs to one holder of the tag, with its day and the name of that holder. */
export interface NamedEntry extends HeldEntry {
  readonly day: Day;
  /** `undefined` if nobody held the tag. */
  readonly name: Name | undefined;
  /** The number of the member, if there is one. */
  readonly number: string | undefined;
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
    return new AttendanceRange({ snapshot, from, to, maxTags: this.#maxTags, codeOf });
  }

  /**
   * Changes whenever the range, a name, a person or the holder of a tag changes. Rejects with `RANGE_TOO_LONG`, and as the stores
   * do.
   */
  async revision(from: Day, to: Day): Promise<Revision> {
    this.check(from, to);
    const { mapping, people, days } = this.#parts;
    const revisions = [await mapping.revision(), await days.listRevision()];
    if (people !== undefined) revisions.push(await people.revision());
    for (const day of await days.list(from, to)) revisions.push(await days.dayRevision(day));
    return revisions.join(' ');
  }
}

interface RangeSource {
  readonly snapshot: RangeSnapshot;
  readonly from: Day;
  readonly to: Day;
  /** Largest number of tags. */
  readonly maxTags: number;
  /** `undefined`: names and tags. */
  readonly codeOf: CodeOf | undefined;
}

/** A range of days at one moment, as consistent as its {@link SnapshotSource}. */
export class AttendanceRange implements AsyncDisposable {
  readonly #source: RangeSource;
  #holders: Promise<Holders> | undefined;

  constructor(source: RangeSource) {
    this.#source = source;
  }

  /** People and days. Rejects as `Snapshot` does. */
  async table(pause: Pause): Promise<AttendanceTable> {
    const { maxTags, codeOf } = this.#source;
    const holders = await this.#readHolders();
    const people = codeOf === undefined ? holders : undefined;
    return AttendanceTable.read({ days: () => this.#days(holders), people, maxTags, pause });
  }

  /** All entries by day and first scan, one day in memory at a time, and all persons. Rejects as `Snapshot` does. */
  async *entries(): AsyncGenerator<NamedEntry, void, undefined> {
    const holders = await this.#readHolders();
    for await (const { day, entries } of this.#days(holders)) {
      for (const entry of entries) {
        const person = entry.person === undefined ? undefined : holders.person(entry.person);
        yield { ...entry, day, name: person?.name, number: person?.number };
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.snapshot[Symbol.asyncDispose]();
  }

  #readHolders(): Promise<Holders> {
    const { snapshot, maxTags } = this.#source;
    this.#holders ??= Holders.read(snapshot, (count) => requireHeapFor('the list of names', count, maxTags));
    return this.#holders;
  }

  #days(holders: Holders): AsyncIterable<HeldDay> {
    const { snapshot, from, to, codeOf, maxTags } = this.#source;
    const days = heldDays(snapshot, holders, from, to);
    return codeOf === undefined ? days : pseudonymousDays(days, codeOf, maxTags);
  }
}
