import { quote, TallybookError } from '../errors.js';

declare const timestamp: unique symbol;

/**
 * Whole seconds since 1970-01-01T00:00:00Z, at least 0.
 *
 * On the wire a timestamp is an unsigned 64-bit integer. Here it is a safe integer: {@link parseTimestamp} maps
 * everything above 2^53 - 1 to 2^53 - 1, which loses nothing, because from the year 11,761,191 on every
 * timestamp lies on the last day that a {@link Day} can count.
 */
export type Timestamp = number & { readonly [timestamp]: true };

/** What is so since then is so from the beginning. */
export const BEGINNING: Timestamp = 0 as Timestamp;

/** The largest timestamp that the interface accepts: 2^64 - 1. */
export const TIMESTAMP_MAX_U64 = 18_446_744_073_709_551_615n;

/** The latest moment that a clock can show, in seconds since 1970: the dates of ECMAScript end there. */
export const DATE_MAX = 8_640_000_000_000;

/** The latest time that is taken from outside, such as from a station or a backup: 9999-12-31T00:00:00Z. */
export const OUTSIDE_TIME_MAX = 253_402_214_400;

/** Seconds of a day on which the clocks do not change. */
export const DAY_SECONDS = 86_400;

const DIGITS = /^[0-9]+$/;

/**
 * Reads a timestamp written in decimal digits.
 *
 * @throws {TallybookError} `INVALID_TIMESTAMP` if the text has anything but digits or exceeds 2^64 - 1.
 */
export function parseTimestamp(text: unknown): Timestamp {
  if (typeof text === 'string' && DIGITS.test(text)) {
    const value = BigInt(text);
    if (value <= TIMESTAMP_MAX_U64) return saturate(value);
  }
  throw invalid(text, TIMESTAMP_MAX_U64);
}

/**
 * Checks that a number is a timestamp.
 *
 * @throws {TallybookError} `INVALID_TIMESTAMP` if it is not a whole number from 0 to 2^53 - 1.
 */
export function toTimestamp(value: unknown): Timestamp {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value as Timestamp;
  throw invalid(value, Number.MAX_SAFE_INTEGER);
}

/**
 * Checks a time that another device, a backup or a list gives: the next step must be possible from it.
 *
 * @throws {TallybookError} `INVALID_TIMESTAMP` if it is not a whole number from 0 to {@link OUTSIDE_TIME_MAX}.
 */
export function toOutsideTime(value: unknown): Timestamp {
  const at = toTimestamp(value);
  if (at <= OUTSIDE_TIME_MAX) return at;
  throw invalid(value, `${OUTSIDE_TIME_MAX}, the end of the year 9999`);
}

/**
 * A timestamp as ISO 8601 writes it, in UTC, such as `2026-11-22T08:00:00Z`. Later timestamps than {@link DATE_MAX} are
 * formatted as it.
 */
export function formatTimestamp(at: Timestamp): string {
  return new Date(Math.min(at, DATE_MAX) * 1_000).toISOString().replace('.000Z', 'Z');
}

function saturate(value: bigint): Timestamp {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value < largest ? value : largest) as Timestamp;
}

function invalid(value: unknown, largest: bigint | number | string): TallybookError {
  return new TallybookError(
    'INVALID_TIMESTAMP',
    `a timestamp is a count of whole seconds since 1970, from 0 to ${largest}; got ${quote(value)}`,
  );
}
