import type { Day } from '../../values/day.js';
import { compareTallyIds, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Holders, KnownPerson } from '../../people/holders.js';
import type { PersonId } from '../../values/people/person.js';
import { alphabet } from '../alphabet.js';
import { eachInTurns, sortInTurns, type Pause } from '../turns.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { HeldDay, HeldEntry } from './held-days.js';

/** A person, or a tag in the time in which nobody held it. */
export interface TablePerson {
  /** `undefined` for a tag that nobody held. */
  readonly id: PersonId | undefined;
  /** `undefined` for a tag that nobody held. */
  readonly name: Name | undefined;
  /** The member's number, if there is one. */
  readonly number: string | undefined;
  /** The tags that the person holds now, or lost, ascending; or the tag that nobody held. */
  readonly ids: readonly TallyId[];
}

/** A person on a day, with all their tags together. */
export interface Presence {
  readonly day: Day;
  readonly first: Timestamp;
  /** Equal to `first` when there was one scan. */
  readonly last: Timestamp;
  /** Number of scans, at least 1. */
  readonly scans: number;
}

/** By last and first name; namesakes by number, then by id, so that the order is always the same. */
function comparePersons(one: KnownPerson, other: KnownPerson): number {
  const { compare } = alphabet();
  const [a, b] = [one.name, other.name];
  return (
    compare(a?.last ?? '', b?.last ?? '') ||
    compare(a?.first ?? '', b?.first ?? '') ||
    compareText(a?.last ?? '', b?.last ?? '') ||
    compareText(a?.first ?? '', b?.first ?? '') ||
    compare(one.number ?? '', other.number ?? '') ||
    compareText(one.id, other.id)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Entries that are kept in memory: 10 MiB. Enough for 70 people over ten years. */
const CELLS_MAX = 262_144;

/** Entries of some owners, each in the order of the days. */
class Cells {
  readonly #owners: number[] = [];
  readonly #columns: number[] = [];
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #counts: number[] = [];
  /** Where the cells of each owner begin in {@link #order}; made at the first question. */
  #starts: Uint32Array | undefined;
  #order = new Uint32Array(0);

  get isFull(): boolean {
    return this.#owners.length === CELLS_MAX;
  }

  add(owner: number, column: number, { first, last, count }: HeldEntry): void {
    this.#owners.push(owner);
    this.#columns.push(column);
    this.#firsts.push(first);
    this.#lasts.push(last);
    this.#counts.push(count);
  }

  /** @param days The days of the columns. */
  presencesOf(owner: number, days: readonly Day[]): readonly Presence[] {
    const starts = (this.#starts ??= this.#sort());
    const presences: Presence[] = [];
    for (let place = starts[owner] ?? 0; place < (starts[owner + 1] ?? 0); place++) {
      const cell = this.#order[place] ?? 0;
      const day = days[this.#columns[cell] ?? 0];
      if (day === undefined) continue;
      const presence = {
        day,
        first: this.#firsts[cell] as Timestamp,
        last: this.#lasts[cell] as Timestamp,
        scans: this.#counts[cell] ?? 0,
      };
      const before = presences.at(-1);
      if (before?.day === day) presences[presences.length - 1] = join(before, presence);
      else presences.push(presence);
    }
    return presences;
  }

  /** Orders the cells by owner. */
  #sort(): Uint32Array {
    const owners = this.#owners;
    const most = owners.reduce((largest, owner) => Math.max(largest, owner), -1);
    const starts = new Uint32Array(most + 2);
    for (const owner of owners) starts[owner + 1] = (starts[owner + 1] ?? 0) + 1;
    for (let owner = 0; owner <= most; owner++)
      starts[owner + 1] = (starts[owner + 1] ?? 0) + (starts[owner] ?? 0);
    const next = starts.slice();
    this.#order = new Uint32Array(owners.length);
    for (const [cell, owner] of owners.entries()) {
      const place = next[owner] ?? 0;
      this.#order[place] = cell;
      next[owner] = place + 1;
    }
    return starts;
  }
}

/** A person on one day with several tags. */
function join(one: Presence, other: Presence): Presence {
  return {
    day: one.day,
    first: Math.min(one.first, other.first) as Timestamp,
    last: Math.max(one.last, other.last) as Timestamp,
    // An imported count may be the largest safe integer already.
    scans: Math.min(one.scans + other.scans, Number.MAX_SAFE_INTEGER),
  };
}

/** Numbers those whose entries were read: persons, and tags that nobody held. */
class Owners {
  readonly persons = new Map<PersonId, number>();
  readonly tags = new Map<TallyId, number>();
  /** Number of entries of each. */
  readonly entries: number[] = [];

  numberOf({ id, person }: HeldEntry): number {
    const known = person === undefined ? this.tags.get(id) : this.persons.get(person);
    if (known !== undefined) return known;
    const number = this.entries.push(0) - 1;
    if (person === undefined) this.tags.set(id, number);
    else this.persons.set(person, number);
    return number;
  }
}

/** Entries read between two pauses: about a millisecond of work. */
const ENTRIES_OF_TURN = 2_000;

/** The data of an {@link AttendanceTable}. */
export interface TableSource {
  /** Reads the days. Called again for each further part of a table that does not fit into memory. */
  readonly days: () => AsyncIterable<HeldDay>;
  /** `undefined`: there are none, and the tags are codes. */
  readonly people: Holders | undefined;
  /** Largest number of persons and tags with entries. */
  readonly maxTags: number;
  readonly pause: Pause;
}

/**
 * A range of days as a table: people from top to bottom, days from left to right.
 *
 * The days are read once, if their entries fit into memory. Otherwise they are read again for each part of the people, whose
 * entries fit.
 */
export class AttendanceTable {
  /** The days with a record, ascending. */
  readonly days: readonly Day[];
  /** All people with a name by name, then the tags that nobody held when they were read, ascending. */
  readonly people: readonly TablePerson[];
  readonly #source: TableSource;
  /** The number of each person, by the place in {@link people}; `undefined` for people without entries. */
  readonly #numbers: readonly (number | undefined)[];
  readonly #owners: Owners;
  /** The owners whose cells are in memory. */
  #held: ReadonlySet<number> | 'all';
  #cells: Cells;

  private constructor(
    source: TableSource,
    { days, owners, cells }: Surveyed,
    rows: readonly (readonly [TablePerson, number | undefined])[],
  ) {
    this.#source = source;
    this.days = days;
    this.people = rows.map(([person]) => person);
    this.#numbers = rows.map(([, number]) => number);
    this.#owners = owners;
    this.#held = cells === undefined ? new Set() : 'all';
    this.#cells = cells ?? new Cells();
  }

  /** Rejects as `Snapshot` does. */
  static async read(source: TableSource): Promise<AttendanceTable> {
    const surveyed = await survey(source);
    return new AttendanceTable(source, surveyed, await rowsOf(source, surveyed.owners));
  }

  /**
   * The days on which a person was there, ascending. Ask for people in their order: going back may read the days again.
   *
   * @param place Index of the person in {@link people}.
   */
  async presencesOf(place: number): Promise<readonly Presence[]> {
    const number = this.#numbers[place];
    if (number === undefined) return [];
    if (this.#held !== 'all' && !this.#held.has(number)) await this.#hold(place);
    return this.#cells.presencesOf(number, this.days);
  }

  /** Reads the entries of a person, and of as many of the next ones as fit into memory. */
  async #hold(place: number): Promise<void> {
    const held = new Set<number>();
    let entries = 0;
    for (const number of this.#numbers.slice(place)) {
      if (number === undefined) continue;
      entries += this.#owners.entries[number] ?? 0;
      if (entries > CELLS_MAX && held.size > 0) break;
      held.add(number);
    }
    // Released before the others are read, so that only these are in memory.
    const cells = new Cells();
    this.#cells = cells;
    this.#held = held;
    const columns = new Map(this.days.map((day, column) => [day, column]));
    await eachEntry(this.#source, (day, entry) => {
      // Stores without a snapshot of their own may show a day or a tag that was absent in the first reading.
      if (entry.isLost === true) return;
      const number = this.#owners.numberOf(entry);
      const column = columns.get(day);
      if (column !== undefined && held.has(number)) cells.add(number, column, entry);
    });
  }
}

/** Result of the first reading. */
interface Surveyed {
  readonly days: readonly Day[];
  readonly owners: Owners;
  /** `undefined` if the entries do not fit into memory. */
  readonly cells: Cells | undefined;
}

async function survey(source: TableSource): Promise<Surveyed> {
  const days: Day[] = [];
  const owners = new Owners();
  let cells: Cells | undefined = new Cells();
  await eachEntry(source, (day, entry) => {
    if (days.at(-1) !== day) days.push(day);
    // It counts for nobody, and is no tag without a name either.
    if (entry.isLost === true) return;
    const number = owners.numberOf(entry);
    owners.entries[number] = (owners.entries[number] ?? 0) + 1;
    requireHeapFor('the table', owners.entries.length, source.maxTags);
    if (cells?.isFull === true) cells = undefined;
    cells?.add(number, days.length - 1, entry);
  });
  return { days, owners, cells };
}

/** The people of a table with the numbers of those who have entries. */
async function rowsOf(
  { people, pause }: TableSource,
  { persons, tags }: Owners,
): Promise<readonly (readonly [TablePerson, number | undefined])[]> {
  const all: KnownPerson[] = [];
  await eachInTurns(people?.all() ?? [], (person) => all.push(person), pause);
  const sorted = await sortInTurns(all, comparePersons, pause);
  const rows: (readonly [TablePerson, number | undefined])[] = [];
  const named = new Set<PersonId>();
  const add = ({ id, name, number, tags: its }: KnownPerson): void => {
    named.add(id);
    rows.push([{ id, name, number, ids: its.map((tag) => tag.id) }, persons.get(id)]);
  };
  await eachInTurns(sorted, add, pause);
  // Persons whose name was taken away, or did not come yet.
  for (const [id, number] of persons)
    if (!named.has(id)) rows.push([{ id, name: undefined, number: undefined, ids: [] }, number]);
  const nobodys = await sortInTurns([...tags], ([a], [b]) => compareTallyIds(a, b), pause);
  for (const [tag, number] of nobodys)
    rows.push([{ id: undefined, name: undefined, number: undefined, ids: [tag] }, number]);
  return rows;
}

async function eachEntry(
  { days, pause }: TableSource,
  take: (day: Day, entry: HeldEntry) => void,
): Promise<void> {
  let taken = 0;
  for await (const { day, entries } of days()) {
    for (const entry of entries) {
      take(day, entry);
      if (++taken % ENTRIES_OF_TURN === 0) await pause();
    }
  }
}
