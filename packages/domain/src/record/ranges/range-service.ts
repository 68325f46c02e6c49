import { DAY_MAX, type Day } from '../../values/day.js';
import type { GroupId } from '../../values/people/group.js';
import type { PersonId } from '../../values/people/person.js';
import type { Name } from '../../values/name.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { Revision } from '../../ports/revision.js';
import type { SnapshotSource } from '../../ports/record/snapshot-source.js';
import { GroupSpans } from '../../people/group-spans.js';
import { Holders, type KnownPerson } from '../../people/holders.js';
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
  /** Names of the groups in which the person is on that day, by id. */
  readonly groups: readonly string[];
}

/** What of a range is wanted. */
export interface RangeChoice {
  /** Gives codes to use in place of names and tags, for statistics. Default: names and tags. */
  readonly codeOf?: CodeOf | undefined;
  /** Only the persons of this group. With codes, only their days in it. */
  readonly group?: GroupId | undefined;
  /** Only what somebody sees who is bound to these groups. */
  readonly within?: readonly GroupId[] | undefined;
  /** Default: {@link DAY_MAX}. */
  readonly today?: Day | undefined;
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
   */
  async open(from: Day, to: Day, choice: RangeChoice = {}): Promise<AttendanceRange> {
    this.check(from, to);
    const snapshot = await this.#parts.snapshots.take();
    const { codeOf, group, within, today = DAY_MAX } = choice;
    const wanted = { codeOf, group, within, today };
    return new AttendanceRange({ snapshot, from, to, maxTags: this.#maxTags, ...wanted });
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
  readonly group: GroupId | undefined;
  readonly within: readonly GroupId[] | undefined;
  readonly today: Day;
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
    const { maxTags, codeOf, from, to, today } = this.#source;
    const holders = await this.#readHolders();
    const named = codeOf === undefined ? { people: holders, group: this.#groupIn(holders) } : undefined;
    return AttendanceTable.read({
      ...{ people: undefined, group: undefined, ...named },
      ...{ days: () => this.#days(holders), from, to, today, maxTags, pause },
    });
  }

  /** The days on which somebody was there, in the chosen group if there is one; ascending. Rejects as `Snapshot` does. */
  async days(): Promise<readonly Day[]> {
    const holders = await this.#readHolders();
    const days: Day[] = [];
    for await (const { day, entries } of this.#members(holders, this.#groupIn(holders)))
      if (entries.length > 0) days.push(day);
    return days;
  }

  /** All entries by day and first scan, one day in memory at a time, and all persons. Rejects as `Snapshot` does. */
  async *entries(): AsyncGenerator<NamedEntry, void, undefined> {
    const holders = await this.#readHolders();
    const { codeOf } = this.#source;
    const persons = new KnownPersons(holders);
    const days = codeOf === undefined ? this.#members(holders, this.#groupIn(holders)) : this.#days(holders);
    for await (const { day, entries } of days) {
      for (const entry of entries) {
        const known = entry.person === undefined ? undefined : persons.get(entry.person);
        const groups = known?.spans.on(day).map((group) => holders.groups.get(group) ?? group) ?? [];
        yield { ...entry, day, name: known?.person?.name, number: known?.person?.number, groups };
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.snapshot[Symbol.asyncDispose]();
  }

  #readHolders(): Promise<Holders> {
    this.#holders ??= this.#seenHolders();
    return this.#holders;
  }

  async #seenHolders(): Promise<Holders> {
    const { snapshot, maxTags, within } = this.#source;
    const all = await Holders.read(snapshot, (count) => requireHeapFor('the list of names', count, maxTags));
    return within === undefined ? all : all.within(within, this.#source);
  }

  /** The days with the entries that are seen. A day without one is left out, if somebody is bound to groups. */
  async *#heldDays(holders: Holders): AsyncGenerator<HeldDay, void, undefined> {
    const { snapshot, from, to, within } = this.#source;
    const persons = new KnownPersons(holders);
    const isSeen = (day: Day, { person }: HeldEntry): boolean =>
      person !== undefined && persons.get(person).spans.on(day).length > 0;
    for await (const held of heldDays(snapshot, holders, from, to)) {
      if (within === undefined) yield held;
      else {
        const { day } = held;
        const entries = held.entries.filter((entry) => isSeen(day, entry));
        if (entries.length > 0) yield { day, entries };
      }
    }
  }

  #days(holders: Holders): AsyncIterable<HeldDay> {
    const { codeOf, maxTags } = this.#source;
    if (codeOf === undefined) return this.#heldDays(holders);
    return pseudonymousDays(this.#members(holders, this.#groupIn(holders)), codeOf, maxTags);
  }

  #groupIn(holders: Holders): GroupId | undefined {
    const { group } = this.#source;
    return group === undefined ? undefined : holders.rootOfGroup(group);
  }

  /** The days with the entries of those who are in the group on that day. */
  async *#members(holders: Holders, group: GroupId | undefined): AsyncGenerator<HeldDay, void, undefined> {
    const persons = new KnownPersons(holders);
    for await (const { day, entries } of this.#heldDays(holders)) {
      const isIn = ({ person }: HeldEntry): boolean =>
        group === undefined || (person !== undefined && persons.get(person).spans.on(day).includes(group));
      yield { day, entries: group === undefined ? entries : entries.filter(isIn) };
    }
  }
}

/** Persons with their groups by day, each worked out once. */
class KnownPersons {
  readonly #holders: Holders;
  readonly #known = new Map<
    PersonId,
    { readonly person: KnownPerson | undefined; readonly spans: GroupSpans }
  >();

  constructor(holders: Holders) {
    this.#holders = holders;
  }

  get(id: PersonId): { readonly person: KnownPerson | undefined; readonly spans: GroupSpans } {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const person = this.#holders.person(id);
    const made = { person, spans: new GroupSpans(person?.memberships ?? []) };
    this.#known.set(id, made);
    return made;
  }
}
