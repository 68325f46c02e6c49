import { kindOf, quote } from '../../errors.js';
import { ENTRY_COUNT_MAX } from '../../values/record/attendance-day.js';
import { ENTRY_SCANS_MAX, type DetailedEntry } from '../../values/record/known-scans.js';
import type { Estimate } from '../../values/record/provisional.js';
import type { TallyId } from '../../values/tally-id.js';
import { toOutsideTime, type Timestamp } from '../../values/timestamp.js';
import type { Erasure } from './erasure.js';

export type Fields = Readonly<Record<string, unknown>>;

type Bounds = readonly [lowest: number, highest: number];

const HALF_DIGEST = /^[0-9a-f]{32}$/;

/**
 * Checks the values of JSON from outside: backups, messages of other places, rows of stores. Each method returns the value, or
 * throws the error for a message that begins with `what`. Times throw `INVALID_TIMESTAMP`.
 */
export class ValidFields {
  readonly #errorOf: (message: string) => Error;

  constructor(errorOf: (message: string) => Error) {
    this.#errorOf = errorOf;
  }

  object(value: unknown, what: string): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    throw this.#errorOf(`${what} must be an object; got ${kindOf(value)}`);
  }

  /** @param most Maximum number of elements. */
  list(value: unknown, what: string, most: number = Infinity): readonly unknown[] {
    if (!Array.isArray(value)) throw this.#errorOf(`${what} must be an array; got ${kindOf(value)}`);
    if (value.length <= most) return value;
    throw this.#errorOf(`${what} may have ${most} elements; it has ${value.length}`);
  }

  /** A number within these bounds, both included. */
  number(value: unknown, what: string, [lowest, highest]: Bounds): number {
    if (typeof value === 'number' && value >= lowest && value <= highest) return value;
    throw this.#errorOf(`${what} must be a number from ${lowest} to ${highest}; got ${quote(value)}`);
  }

  /** A whole number within these bounds, both included. */
  count(value: unknown, what: string, [lowest, highest]: Bounds = [0, Number.MAX_SAFE_INTEGER]): number {
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (isWhole && value >= lowest && value <= highest) return value;
    throw this.#errorOf(`${what} must be a whole number from ${lowest} to ${highest}; got ${quote(value)}`);
  }

  /** Well-formed text with a length within these bounds, in UTF-16 code units. */
  text(value: unknown, what: string, [shortest, longest]: Bounds = [0, Infinity]): string {
    if (typeof value !== 'string') throw this.#errorOf(`${what} must be a text; got ${kindOf(value)}`);
    if (!value.isWellFormed()) throw this.#errorOf(`${what} must be well-formed Unicode`);
    if (value.length >= shortest && value.length <= longest) return value;
    throw this.#errorOf(`${what} must have ${shortest} to ${longest} characters; it has ${value.length}`);
  }

  boolean(value: unknown, what: string): boolean {
    if (typeof value === 'boolean') return value;
    throw this.#errorOf(`${what} must be true or false; got ${quote(value)}`);
  }

  oneOf<T extends string>(value: unknown, what: string, allowed: readonly T[]): T {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    throw this.#errorOf(`${what} must be ${allowed.join(', ')}; got ${quote(value)}`);
  }

  halfDigest(value: unknown, what: string): string {
    if (typeof value === 'string' && HALF_DIGEST.test(value)) return value;
    throw this.#errorOf(`${what} must be 32 hexadecimal digits in lower case`);
  }

  erasure(value: unknown): Erasure {
    const { key, digest, from, until, isClosed, expiresAt } = this.object(value, 'erasure');
    return {
      key: this.halfDigest(key, 'erasure.key'),
      digest: this.halfDigest(digest, 'erasure.digest'),
      from: toOutsideTime(from),
      until: toOutsideTime(until),
      ...(isClosed === true && { isClosed }),
      expiresAt: toOutsideTime(expiresAt),
    };
  }

  entry(id: TallyId, fields: Fields): DetailedEntry {
    const [first, last] = [toOutsideTime(fields['first']), toOutsideTime(fields['last'])];
    if (first > last) throw this.#errorOf(`an entry has its first scan (${first}) after its last (${last})`);
    const fewest = first === last ? 1 : 2;
    const count = this.count(fields['count'], 'the count of an entry', [fewest, ENTRY_COUNT_MAX]);
    return { id, first, last, count, ...this.#scans(fields, first, last) };
  }

  /** The known scans of an entry, and their flags. */
  #scans(
    { scans, flags }: Fields,
    first: Timestamp,
    last: Timestamp,
  ): Pick<DetailedEntry, 'scans' | 'flags'> {
    if (scans === undefined && flags === undefined) return {};
    const seconds = this.list(scans, 'the scans of an entry', ENTRY_SCANS_MAX).map(toOutsideTime);
    for (const [index, at] of seconds.entries()) {
      if (at >= first && at <= last && at > (seconds[index - 1] ?? -1)) continue;
      throw this.#errorOf(`the scans of an entry must ascend from ${first} to ${last}; got ${at}`);
    }
    if (flags === undefined) return { scans: seconds };
    const each = this.list(flags, 'the flags of an entry').map((flag) =>
      this.count(flag, 'a flag of a scan'),
    );
    if (each.length === seconds.length) return { scans: seconds, flags: each };
    throw this.#errorOf(
      `an entry must have flags for each of its ${seconds.length} scans; got ${each.length}`,
    );
  }

  estimate(value: unknown, what: string): Estimate {
    const fields = this.object(value, what);
    const [earliest, latest] = [toOutsideTime(fields['earliest']), toOutsideTime(fields['latest'])];
    if (earliest <= latest) return { earliest, latest };
    throw this.#errorOf(`${what} has its earliest (${earliest}) after its latest (${latest})`);
  }
}

/** For rows of stores. A store reports a damaged row with its key, and with this error as the cause. */
export const storedFields: ValidFields = new ValidFields((message) => new TypeError(message));
