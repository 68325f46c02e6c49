import { kindOf, quote, TallybookError } from '../../errors.js';

export type Fields = Readonly<Record<string, unknown>>;

export function invalidSync(message: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_SYNC', message, cause === undefined ? {} : { cause });
}

/** @throws {TallybookError} `INVALID_SYNC` if it is no object. */
export function toFields(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalidSync(`${what} must be an object; got ${kindOf(value)}`);
}

/** @throws {TallybookError} `INVALID_SYNC` if it is no array, or has more than `most` elements. */
export function toList(value: unknown, what: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidSync(`${what} must be an array; got ${kindOf(value)}`);
  if (value.length > most) throw invalidSync(`${what} may have ${most} elements; it has ${value.length}`);
  return value;
}

/** @throws {TallybookError} `INVALID_SYNC` if it is not a whole number within these bounds, both included. */
export function toCount(
  value: unknown,
  what: string,
  [lowest, highest]: readonly [number, number] = [0, Number.MAX_SAFE_INTEGER],
): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest)
    return value;
  throw invalidSync(`${what} must be a whole number from ${lowest} to ${highest}; got ${quote(value)}`);
}

/** @throws {TallybookError} `INVALID_SYNC` if it is no text of `shortest` to `longest` UTF-16 code units. */
export function toText(value: unknown, what: string, [shortest, longest]: readonly [number, number]): string {
  if (typeof value !== 'string') throw invalidSync(`${what} must be a text; got ${kindOf(value)}`);
  if (!value.isWellFormed()) throw invalidSync(`${what} must be well-formed Unicode`);
  if (value.length >= shortest && value.length <= longest) return value;
  throw invalidSync(`${what} must have ${shortest} to ${longest} characters; it has ${value.length}`);
}

/** @throws {TallybookError} `INVALID_SYNC` if it is neither true nor false. */
export function toBoolean(value: unknown, what: string): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidSync(`${what} must be true or false; got ${quote(value)}`);
}
