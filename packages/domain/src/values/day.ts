import { quote, TallybookError } from '../errors.js';

declare const day: unique symbol;

/** Calendar days since 1970-01-01, from 0 to 4294967295. */
export type Day = number & { readonly [day]: true };

/** The last day that can be counted: 2^32 - 1. */
export const DAY_MAX: Day = 4_294_967_295 as Day;

const DIGITS = /^[0-9]+$/;

/**
 * Reads a day number written in decimal digits.
 *
 * @throws {TallybookError} `INVALID_DAY` if the text has anything but digits or exceeds 4294967295.
 */
export function parseDay(text: unknown): Day {
  if (typeof text === 'string' && DIGITS.test(text)) {
    // Exact up to 2^53. Beyond that, rounding never gives a number as small as DAY_MAX.
    const value = Number(text);
    if (value <= DAY_MAX) return value as Day;
  }
  throw invalid(text);
}

/**
 * Checks that a number is a day.
 *
 * @throws {TallybookError} `INVALID_DAY` if it is not a whole number from 0 to 4294967295.
 */
export function toDay(value: unknown): Day {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= DAY_MAX)
    return value as Day;
  throw invalid(value);
}

/** The last day that a `Date` can hold. */
const DATE_DAYS_MAX = 100_000_000;

/**
 * The date of a day as ISO 8601 writes it, `2026-11-22`; for days after the year 275760 the number, such as `day 4294967295`.
 */
export function formatDay(day: Day): string {
  if (day > DATE_DAYS_MAX) return `day ${day}`;
  const [date = ''] = new Date(day * 86_400_000).toISOString().split('T');
  return date;
}

function invalid(value: unknown): TallybookError {
  return new TallybookError(
    'INVALID_DAY',
    `a day is a count of days since 1970-01-01, from 0 to ${DAY_MAX}; got ${quote(value)}`,
  );
}
