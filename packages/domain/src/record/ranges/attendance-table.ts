import type { Day } from '../../values/day.js';
import { compareTallyIds, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Association } from '../../ports/names/mapping-store.js';
import type { Entry } from '../../values/record/attendance-day.js';
import { eachInTurns, sortInTurns, type Pause } from '../turns.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { RangeSnapshot } from './pseudonymous-snapshot.js';

/** A person with one or more tags, or a tag without a name. */
export interface Person {
  /** `undefined` for a tag without a name. */
  readonly name: Name | undefined;
  /** Ascending; exactly one for a tag without a name. */
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

let collator: Intl.Collator | undefined;

/**
 * Alphabetical order with umlauts beside their vowels, whatever the language of the machine. Made at the first use, because it
 * takes 4 ms and 3 MiB, which a start should not spend.
 */
function alphabet(): Intl.Collator {
  return (collator ??= new Intl.Collator('en'));
}

/**
 * Groups tags to people: tags with the same name are one person. Sorted by last and first name. Tags without a name come
 * last, each by itself.
 *
 * @param named Ascending by id.
 * @param nameless Ascending.
 */
async function peopleOf(
  named: readonly Association[],
  nameless: readonly TallyId[],
  pause: Pause,
): Promise<readonly Person[]> {
  const byName = new Map<string, { readonly name: Name; readonly ids: TallyId[] }>();
  const join = ([id, name]: Association): void => {
    const key = JSON.stringify([name.last, name.first]);
    const person = byName.get(key);
    if (person === undefined) byName.set(key, { name, ids: [id] });
    else person.ids.push(id);
  };
  await eachInTurns(named, join, pause);
  const sorted = await sortInTurns([...byName.values()], (a, b) => compareNames(a.name, b.name), pause);
  const people: Person[] = sorted;
  await eachInTurns(nameless, (id) => people.push({ name: undefined, ids: [id] }), pause);
  return people;
}

/** Different names never compare as equal, so that the order is always the same. */
function compareNames(a: Name, b: Name): number {
  const { compare } = alphabet();
  return (
    compare(a.last, b.last) ||
    compare(a.first, b.first) ||
    compareText(a.last, b.last) ||
    compareText(a.first, b.first)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The cells of consecutive rows of a table, in arrays of numbers: 24 bytes a cell. */
class PresenceBlock {
  /** Enough for 70 people over ten years, in 6 MiB. */
  static readonly CELLS_MAX = 262_144;

  readonly #start: number;
  readonly #end: number;
  readonly #width: number;
  readonly #firsts: Float64Array;
  readonly #lasts: Float64Array;
  /** 0 where the person was absent. */
  readonly #scans: Float64Array;

  private constructor(start: number, end: number, width: number) {
    this.#start = start;
    this.#end = end;
    this.#width = width;
    const cells = (end - start) * width;
    this.#firsts = new Float64Array(cells);
    this.#lasts = new Float64Array(cells);
    this.#scans = new Float64Array(cells);
  }

  /** An empty block with the given row, of a table of this size. */
  static around(row: number, rows: number, columns: number): PresenceBlock {
    const height = Math.max(1, Math.floor(PresenceBlock.CELLS_MAX / Math.max(columns, 1)));
    const start = row - (row % height);
    return new PresenceBlock(start, Math.min(start + height, rows), columns);
  }

  holds(row: number): boolean {
    return row >= this.#start && row < this.#end;
  }

  /** Merges an entry into a cell. */
  add(row: number, column: number, { first, last, count }: Entry): void {
    const cell = (row - this.#start) * this.#width + column;
    const scans = this.#scans[cell] ?? 0;
    this.#firsts[cell] = scans === 0 ? first : Math.min(this.#firsts[cell] ?? first, first);
    this.#lasts[cell] = Math.max(this.#lasts[cell] ?? last, last);
    // An imported count may be the largest safe integer already.
    this.#scans[cell] = Math.min(scans + count, Number.MAX_SAFE_INTEGER);
  }

  /** @param days The days of the columns. */
  presencesOf(row: number, days: readonly Day[]): readonly Presence[] {
    const presences: Presence[] = [];
    const start = (row - this.#start) * this.#width;
    for (const [column, day] of days.entries()) {
      const scans = this.#scans[start + column] ?? 0;
      if (scans === 0) continue;
      const first = this.#firsts[start + column] as Timestamp;
      const last = this.#lasts[start + column] as Timestamp;
      presences.push({ day, first, last, scans });
    }
    return presences;
  }
}

/** Entries read between two pauses: about a millisecond of work. */
const ENTRIES_OF_TURN = 2_000;

/** The data of an {@link AttendanceTable}: days from `from` to `to`, both included. */
export interface TableSource {
  readonly snapshot: RangeSnapshot;
  readonly from: Day;
  readonly to: Day;
  /** Largest number of tags. */
  readonly maxTags: number;
  readonly pause: Pause;
}

/**
 * A range of days as a table: people from top to bottom, days from left to right.
 *
 * The days are read twice: once for the people, once for the cells. At most {@link PresenceBlock.CELLS_MAX} cells are in
 * memory, so that a large table takes no more memory. For each further block of people, the days are read again.
 */
export class AttendanceTable {
  /** The days with a record, ascending. */
  readonly days: readonly Day[];
  /** All people with a name, and all tags with scans but without a name; see {@link peopleOf}. */
  readonly people: readonly Person[];
  readonly #source: TableSource;
  /** Row in the blocks of each present person, by the index in {@link people}. */
  readonly #rows: ReadonlyMap<number, number>;
  readonly #rowOfTag: ReadonlyMap<TallyId, number>;
  readonly #columns: ReadonlyMap<Day, number>;
  #block: PresenceBlock | undefined;

  private constructor(source: TableSource, { people, days }: Surveyed, { rows, rowOfTag }: Rows) {
    this.#source = source;
    this.days = days;
    this.people = people;
    this.#columns = new Map(days.map((day, column) => [day, column]));
    this.#rows = rows;
    this.#rowOfTag = rowOfTag;
  }

  /** Rejects as `Snapshot` does. */
  static async read(source: TableSource): Promise<AttendanceTable> {
    const surveyed = await survey(source);
    const table = new AttendanceTable(source, surveyed, await rowsOf(surveyed, source.pause));
    await table.#hold(0);
    return table;
  }

  /**
   * The days on which a person was there, ascending. Ask for people in their order: going back may read the days again.
   *
   * @param place Index of the person in {@link people}.
   */
  async presencesOf(place: number): Promise<readonly Presence[]> {
    const row = this.#rows.get(place);
    if (row === undefined) return [];
    const block = await this.#hold(row);
    return block.presencesOf(row, this.days);
  }

  async #hold(row: number): Promise<PresenceBlock> {
    if (this.#block?.holds(row) === true) return this.#block;
    // Released before the next block is made, so that only one is in memory.
    this.#block = undefined;
    const block = PresenceBlock.around(row, this.#rows.size, this.days.length);
    await eachEntry(this.#source, (day, entry) => {
      // Stores without a snapshot of their own may show a day or a tag that was absent in the first reading.
      const its = this.#rowOfTag.get(entry.id);
      const column = this.#columns.get(day);
      if (its !== undefined && column !== undefined && block.holds(its)) block.add(its, column, entry);
    });
    this.#block = block;
    return block;
  }
}

/** Result of the first reading: everything but the cells. */
interface Surveyed {
  readonly days: readonly Day[];
  readonly people: readonly Person[];
  /** All tags with scans. */
  readonly seen: ReadonlySet<TallyId>;
}

/** Rows of the present people in the blocks. */
interface Rows {
  /** By the index of the person. */
  readonly rows: Map<number, number>;
  readonly rowOfTag: Map<TallyId, number>;
}

async function rowsOf({ people, seen }: Surveyed, pause: Pause): Promise<Rows> {
  const rows = new Map<number, number>();
  const rowOfTag = new Map<TallyId, number>();
  const add = ([place, { ids }]: [number, Person]): void => {
    if (!ids.some((id) => seen.has(id))) return;
    for (const id of ids) rowOfTag.set(id, rows.size);
    rows.set(place, rows.size);
  };
  await eachInTurns(people.entries(), add, pause);
  return { rows, rowOfTag };
}

async function survey(source: TableSource): Promise<Surveyed> {
  const { maxTags } = source;
  const named: Association[] = [];
  for await (const association of source.snapshot.names()) {
    named.push(association);
    requireHeapFor('the table', named.length, maxTags);
  }
  const days: Day[] = [];
  const seen = new Set<TallyId>();
  await eachEntry(source, (day, { id }) => {
    if (days.at(-1) !== day) days.push(day);
    seen.add(id);
    requireHeapFor('the table', seen.size, maxTags);
  });
  const nameless = new Set(seen);
  await eachInTurns(named, ([id]) => nameless.delete(id), source.pause);
  const unnamed = await sortInTurns([...nameless], compareTallyIds, source.pause);
  return { days, people: await peopleOf(named, unnamed, source.pause), seen };
}

async function eachEntry(
  { snapshot, from, to, pause }: TableSource,
  take: (day: Day, entry: Entry) => void,
): Promise<void> {
  let taken = 0;
  for await (const { day, entries } of snapshot.days(from, to)) {
    for (const entry of entries) {
      take(day, entry);
      if (++taken % ENTRIES_OF_TURN === 0) await pause();
    }
  }
}
