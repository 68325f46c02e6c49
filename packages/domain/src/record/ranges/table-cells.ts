import type { Day } from '../../values/day.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { HeldEntry } from './held-days.js';

/** A person on a day, with all their tags together. */
export interface Presence {
  readonly day: Day;
  readonly first: Timestamp;
  /** Equal to `first` when there was one scan. */
  readonly last: Timestamp;
  /** Number of scans, at least 1. */
  readonly scans: number;
  /** The table is that of a group, and the person was not in it on that day: the day does not count. */
  readonly isOutside?: true;
}

/** Entries that are kept in memory: 10 MiB. Enough for 70 people over ten years. */
export const CELLS_MAX = 262_144;

/** Entries of some owners, each in the order of the days. */
export class Cells {
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
