import { requireHeapFor } from '../require-heap-for.js';
import type { AttendanceDay } from '../../values/record/attendance-day.js';
import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { Snapshot } from '../../ports/record/snapshot-source.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

/** The parts of a snapshot from which ranges of days are made. */
export type RangeSnapshot = Pick<Snapshot, 'names' | 'days' | typeof Symbol.asyncDispose>;

/**
 * Gives a person a code: always the same one, and unrelated to the person. The order of the codes is unrelated to the order of
 * the persons.
 */
export type CodeOf = (person: string) => string;

/**
 * Times are rounded down to this many seconds, so that the second does not identify a person to somebody who saw them
 * come.
 */
const STEP_SECONDS = 900;

/**
 * A snapshot without names, and with codes in place of tags. All tags of a person have one code. Times are rounded down to a
 * quarter of an hour.
 */
export class PseudonymousSnapshot implements RangeSnapshot {
  readonly #snapshot: RangeSnapshot;
  readonly #codeOf: CodeOf;
  readonly #maxTags: number;
  #codes: Promise<ReadonlyMap<TallyId, TallyId>> | undefined;

  /** @param maxTags Largest number of names, and of tags on a day. */
  constructor(snapshot: RangeSnapshot, codeOf: CodeOf, maxTags: number) {
    this.#snapshot = snapshot;
    this.#codeOf = codeOf;
    this.#maxTags = maxTags;
  }

  async *names(): AsyncGenerator<readonly [id: TallyId, name: Name], void, undefined> {
    // Nobody has a name here.
  }

  async *days(from?: Day, to?: Day): AsyncGenerator<AttendanceDay, void, undefined> {
    this.#codes ??= this.#readCodes();
    const codes = await this.#codes;
    for await (const { day, entries } of this.#snapshot.days(from, to)) {
      requireHeapFor(`day ${day}`, entries.length, this.#maxTags);
      const coded = entries.map(({ id, first, last, count }) => ({
        id: codes.get(id) ?? this.#code(id),
        first: round(first),
        last: round(last),
        count,
      }));
      // Ordered by code where the times are the same: the order of the scans would tell more than the rounded times.
      coded.sort((a, b) => a.first - b.first || (a.id < b.id ? -1 : 1));
      yield { day, entries: coded };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#snapshot[Symbol.asyncDispose]());
  }

  /** The code of each tag with a name: tags with the same name are one person. */
  async #readCodes(): Promise<ReadonlyMap<TallyId, TallyId>> {
    const codes = new Map<TallyId, TallyId>();
    for await (const [id, { first, last }] of this.#snapshot.names()) {
      codes.set(id, this.#code(JSON.stringify([last, first])));
      requireHeapFor('the list of names', codes.size, this.#maxTags);
    }
    return codes;
  }

  /** The code of a person, in the place of a tag id. */
  #code(person: string): TallyId {
    return this.#codeOf(person) as TallyId;
  }
}

function round(at: Timestamp): Timestamp {
  return (at - (at % STEP_SECONDS)) as Timestamp;
}
