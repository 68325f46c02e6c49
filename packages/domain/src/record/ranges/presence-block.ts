import type { Entry } from '../../values/record/attendance-day.js';
import type { Day } from '../../values/day.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Presence } from './person.js';

/** The cells of consecutive rows of a table, in arrays of numbers: 24 bytes a cell. */
export class PresenceBlock {
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
