import type { Day } from '../../values/day.js';
import { compareTallyIds, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import { GroupSpans } from '../../people/group-spans.js';
import type { Holders, KnownPerson } from '../../people/holders.js';
import type { GroupId } from '../../values/people/group.js';
import type { PersonId } from '../../values/people/person.js';
import { alphabet } from '../alphabet.js';
import { eachInTurns, sortInTurns, type Pause } from '../turns.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { HeldDay, HeldEntry } from './held-days.js';
import { Headcounts, type TableGroup } from './headcounts.js';
import { Cells, CELLS_MAX, type Presence } from './table-cells.js';

/** A person, or a tag in the time in which nobody held it. */
export interface TablePerson {
  /** `undefined` for a tag that nobody held. */
  readonly id: PersonId | undefined;
  /** `undefined` for a tag that nobody held. */
  readonly name: Name | undefined;
  /** The member's number, if there is one. */
  readonly number: string | undefined;
  /** The groups in which the person is on a day of the range, ascending by id. */
  readonly groups: readonly GroupId[];
  /** Those of the last day of the range, or of today if that is earlier. */
  readonly lastGroups: readonly GroupId[];
  /** The tags that the person holds now, or lost, ascending; or the tag that nobody held. */
  readonly ids: readonly TallyId[];
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

/** Numbers those whose entries were read: persons, and tags that nobody held. */
class Owners {
  readonly persons = new Map<PersonId, number>();
  readonly tags = new Map<TallyId, number>();
  /** Number of entries of each. */
  readonly entries: number[] = [];
  /** The groups of each; `undefined` for those who are in none. */
  readonly spans: (GroupSpans | undefined)[] = [];
  /** Whether each is a row of the table. */
  readonly areRows: boolean[] = [];
  readonly #source: TableSource;

  constructor(source: TableSource) {
    this.#source = source;
  }

  numberOf({ id, person }: HeldEntry): number {
    const known = person === undefined ? this.tags.get(id) : this.persons.get(person);
    if (known !== undefined) return known;
    const number = this.entries.push(0) - 1;
    const { people, group, from, to } = this.#source;
    const { memberships = [] } = (person === undefined ? undefined : people?.person(person)) ?? {};
    const spans = memberships.length === 0 ? undefined : new GroupSpans(memberships);
    this.spans.push(spans);
    this.areRows.push(group === undefined || spans?.within(from, to).includes(group) === true);
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
  readonly from: Day;
  readonly to: Day;
  readonly today: Day;
  /** `undefined`: there are none, and the tags are codes. */
  readonly people: Holders | undefined;
  /** Only the persons who are in this group on a day of the range; not one that was merged into another one. */
  readonly group: GroupId | undefined;
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
  /** The groups of these people by name; only the chosen one, if one was chosen. */
  readonly groups: readonly TableGroup[];
  readonly #source: TableSource;
  /** The number of each person, by the place in {@link people}; `undefined` for people without entries. */
  readonly #numbers: readonly (number | undefined)[];
  readonly #owners: Owners;
  /** The owners whose cells are in memory. */
  #held: ReadonlySet<number> | 'all';
  #cells: Cells;

  private constructor(
    source: TableSource,
    { days, owners, cells, headcounts }: Surveyed,
    rows: readonly (readonly [TablePerson, number | undefined])[],
  ) {
    this.#source = source;
    this.days = days;
    this.people = rows.map(([person]) => person);
    const { group } = source;
    this.groups = headcounts.ofGroups(
      group === undefined ? this.people.flatMap(({ groups }) => groups) : [group],
    );
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
    const presences = this.#cells.presencesOf(number, this.days);
    const { group } = this.#source;
    if (group === undefined) return presences;
    const spans = this.#owners.spans[number];
    const isInside = ({ day }: Presence): boolean => spans?.on(day).includes(group) === true;
    return presences.map((each) => (isInside(each) ? each : { ...each, isOutside: true }));
  }

  /** The name of one of the groups of {@link people}. */
  nameOf(group: GroupId): string {
    return this.#source.people?.groups.get(group) ?? group;
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
  readonly headcounts: Headcounts;
}

async function survey(source: TableSource): Promise<Surveyed> {
  const days: Day[] = [];
  const owners = new Owners(source);
  const headcounts = new Headcounts(source.people);
  /** The latest day of each owner. */
  const latest: Day[] = [];
  let cells: Cells | undefined = new Cells();
  await eachEntry(source, (day, entry) => {
    if (days.at(-1) !== day) days.push(day);
    // It counts for nobody, and is no tag without a name either.
    if (entry.isLost === true) return;
    const number = owners.numberOf(entry);
    requireHeapFor('the table', owners.entries.length, source.maxTags);
    if (owners.areRows[number] !== true) return;
    const spans = owners.spans[number];
    if (spans !== undefined && latest[number] !== day) headcounts.count(spans.on(day), day);
    latest[number] = day;
    owners.entries[number] = (owners.entries[number] ?? 0) + 1;
    if (cells?.isFull === true) cells = undefined;
    cells?.add(number, days.length - 1, entry);
  });
  return { days, owners, cells, headcounts };
}

const nobody = { id: undefined, name: undefined, number: undefined, groups: [], lastGroups: [] };

function nameless(id: PersonId): KnownPerson {
  const unknown = { name: undefined, number: undefined, from: undefined, until: undefined };
  return { id, ...unknown, memberships: [], tags: [] };
}

/** The people of a table with the numbers of those who have entries. */
async function rowsOf(
  { people, group, from, to, today, pause }: TableSource,
  { persons, tags }: Owners,
): Promise<readonly (readonly [TablePerson, number | undefined])[]> {
  const all: KnownPerson[] = [];
  await eachInTurns(people?.all() ?? [], (person) => all.push(person), pause);
  const sorted = await sortInTurns(all, comparePersons, pause);
  const rows: (readonly [TablePerson, number | undefined])[] = [];
  const named = new Set<PersonId>();
  const last = Math.min(to, today) as Day;
  const add = ({ id, name, number, tags: its, memberships }: KnownPerson): void => {
    named.add(id);
    const spans = new GroupSpans(memberships);
    const groups = { groups: spans.within(from, to), lastGroups: spans.on(last) };
    if (group !== undefined && !groups.groups.includes(group)) return;
    rows.push([{ id, name, number, ...groups, ids: its.map((tag) => tag.id) }, persons.get(id)]);
  };
  await eachInTurns(sorted, add, pause);
  // Persons whose name was taken away, or did not come yet.
  for (const id of persons.keys()) if (!named.has(id)) add(people?.person(id) ?? nameless(id));
  if (group !== undefined) return rows;
  const nobodys = await sortInTurns([...tags], ([a], [b]) => compareTallyIds(a, b), pause);
  for (const [tag, number] of nobodys) rows.push([{ ...nobody, ids: [tag] }, number]);
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
