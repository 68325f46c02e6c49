import { kindOf, quote, TallybookError, type Timestamp } from '@tallybook/domain';

/** A reading as a device sends it, before an id is made of it. */
export interface PushedReading {
  /** The id in the spelling of the device. */
  readonly id: string;
  /** The device's own number. */
  readonly n: number | undefined;
  /** Time of the device's own clock, in milliseconds since 1970. */
  readonly atMs: number | undefined;
  /** Time since the tag was read, in milliseconds. */
  readonly ageMs: number;
}

/** A larger time is in milliseconds: in seconds it would be after the year 5138. */
const MAX_SECONDS = 100_000_000_000;
/** 366 days: longer than any device is offline. */
const MAX_AGE_MS = 31_622_400_000;
/** 2020-01-01T00:00:00Z: clocks that have lost the time show an earlier time. */
const EARLIEST_MS = 1_577_836_800_000;
/** How far the clock of a device may be ahead of the clock of the service. */
const AHEAD_MS = 60_000;

/** The device's own number, if it has a valid one. */
export function numberOf(pushed: unknown): number | undefined {
  if (!isObject(pushed)) return undefined;
  const n = wholeNumber(pushed['n']);
  return n !== undefined && n >= 1 ? n : undefined;
}

/**
 * Reads one reading of a request: an id as text or a whole number, or an object with `id`, `n`, `at` and `ageMs`. Other
 * fields are ignored: the HTTP interface has refused them already.
 *
 * @throws {TallybookError} `FRAME_INVALID` or `INVALID_TIMESTAMP`.
 */
export function readPushed(pushed: unknown): PushedReading {
  const fields = isObject(pushed) ? pushed : { id: pushed };
  const id = textOf(fields['id']);
  if (id === undefined) {
    throw new TallybookError(
      'FRAME_INVALID',
      `id: must be text or a whole number; got ${kindOf(fields['id'])}`,
    );
  }
  const n = numberOf(fields);
  if (n === undefined && isGiven(fields['n'])) {
    throw new TallybookError(
      'FRAME_INVALID',
      `n: must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}; got ${quote(fields['n'])}`,
    );
  }
  return { id, n, atMs: readAt(fields['at']), ageMs: readAge(fields['ageMs']) };
}

/**
 * The time of a device's own clock, as it is recorded: not later than now.
 *
 * @param now Present time of the service; `undefined` if its clock is not trusted.
 * @throws {TallybookError} `INVALID_TIMESTAMP` if it is before 2020, or more than a minute ahead.
 */
export function checkOwnTime(atMs: number, now: Timestamp | undefined): number {
  const nowMs = now === undefined ? MAX_SECONDS * 1000 : now * 1000;
  if (atMs < EARLIEST_MS || atMs > nowMs + AHEAD_MS) {
    const latest = Math.floor((nowMs + AHEAD_MS) / 1000);
    throw new TallybookError(
      'INVALID_TIMESTAMP',
      `at: must be from ${EARLIEST_MS / 1000}, the year 2020, to ${latest}, a minute from now; got ${Math.floor(atMs / 1000)}`,
    );
  }
  return Math.min(atMs, nowMs);
}

function readAt(value: unknown): number | undefined {
  if (!isGiven(value)) return undefined;
  const at = wholeNumber(value);
  if (at !== undefined && at <= MAX_SECONDS * 1000) return at > MAX_SECONDS ? at : at * 1000;
  throw new TallybookError(
    'INVALID_TIMESTAMP',
    `at: must be whole seconds since 1970, or milliseconds; got ${quote(value)}`,
  );
}

function readAge(value: unknown): number {
  if (!isGiven(value)) return 0;
  const ageMs = wholeNumber(value);
  if (ageMs !== undefined && ageMs <= MAX_AGE_MS) return ageMs;
  throw new TallybookError(
    'INVALID_TIMESTAMP',
    `ageMs: must be whole milliseconds from 0 to ${MAX_AGE_MS}, a year; got ${quote(value)}`,
  );
}

/** An empty field of a form counts as not given. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Takes digits in a text too: forms send only text. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The text of an id. A number is accepted if it is small enough to have all its digits. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
