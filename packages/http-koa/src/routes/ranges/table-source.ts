import type { AttendanceRange, AttendanceTable, Day, Person, Presence } from '@tallybook/domain';
import type { Piece, Place, Source } from '../../answers/source.js';

/** A piece ends when it has at least this many characters. */
const PIECE_LENGTH = 65_536;
/** Estimated memory of all cells, and of each person, in bytes. */
const CELLS_BYTES = 6_291_456;
const PERSON_BYTES = 300;

/** A table as JSON, person by person. */
export class TableSource implements Source {
  readonly heldBytes: number;
  readonly #range: AttendanceRange;
  readonly #table: AttendanceTable;

  private constructor(range: AttendanceRange, table: AttendanceTable) {
    this.#range = range;
    this.#table = table;
    this.heldBytes = CELLS_BYTES + table.people.length * PERSON_BYTES;
  }

  /** Makes a source of a range. The source disposes of the range. */
  static async of(range: AttendanceRange, pause: () => Promise<void>): Promise<TableSource> {
    try {
      return new TableSource(range, await range.table(pause));
    } catch (error) {
      await range[Symbol.asyncDispose]();
      throw error;
    }
  }

  async read(place: Place): Promise<Piece> {
    const { people } = this.#table;
    let { person, cell } = placeOf(place);
    let text = place === undefined ? headOf(this.#table.days) : '';
    while (text.length < PIECE_LENGTH) {
      const next = people[person];
      if (next === undefined) return { text: `${text}]}` };
      const presences = await this.#table.presencesOf(person);
      if (cell === 0) text += `${person === 0 ? '' : ','}${beginningOf(next)}`;
      for (const presence of presences.slice(cell)) {
        if (text.length >= PIECE_LENGTH) return { text, next: `${person} ${cell}` };
        text += `${cell === 0 ? '' : ','}${formatPresence(presence)}`;
        cell++;
      }
      text += '}}';
      person++;
      cell = 0;
    }
    return { text, next: `${person} ${cell}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#range[Symbol.asyncDispose]();
  }
}

/** The first person of a piece, and the first cell of that person: a piece may begin within a person. */
function placeOf(place: Place): { person: number; cell: number } {
  const [person = 0, cell = 0] = String(place ?? '0 0')
    .split(' ')
    .map(Number);
  return { person, cell };
}

function headOf(days: readonly Day[]): string {
  return `{"days":[${days.join(',')}],"people":[`;
}

function beginningOf({ name, ids }: Person): string {
  const written = name === undefined ? 'null' : JSON.stringify({ first: name.first, last: name.last });
  return `{"name":${written},"ids":["${ids.join('","')}"],"days":{`;
}

function formatPresence({ day, first, last, scans }: Presence): string {
  return `"${day}":{"first":${first},"last":${last},"scans":${scans}}`;
}
