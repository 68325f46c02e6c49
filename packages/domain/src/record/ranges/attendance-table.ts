import type { Entry } from '../../values/record/attendance-day.js';
import type { Day } from '../../values/day.js';
import type { TallyId } from '../../values/tally-id.js';
import { compareTallyIds } from '../../values/names/mapping.js';
import type { Association } from '../../ports/names/mapping-store.js';
import type { RangeSnapshot } from './pseudonymous-snapshot.js';
import { requireHeapFor } from '../require-heap-for.js';
import { eachInTurns, sortInTurns, type Pause } from '../sort-in-turns.js';
import { peopleOf } from './people-of.js';
import type { Person, Presence } from './person.js';
import { PresenceBlock } from './presence-block.js';

/** Entries read between two pauses: about a millisecond of work. */
const ENTRIES_OF_TURN = 2_000;

/** The data of an {@link AttendanceTable}. */
export interface TableSource {
  readonly snapshot: RangeSnapshot;
  readonly from: Day;
  readonly to: Day;
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
