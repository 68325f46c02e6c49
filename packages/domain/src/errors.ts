/**
 * Every code a {@link TallybookError} can carry. The set is closed and the codes are stable: programs may compare them,
 * while messages are written for people and may change.
 *
 * `docs/reference/errors.md` says when each code occurs and what an operator does about it.
 */
export const errorCodes = [
  'INVALID_TALLY_ID',
  'BLANK_TALLY_ID',
  'AMBIGUOUS_TALLY_ID',
  'UNSTABLE_TALLY_ID',
  'INVALID_NAME',
  'INVALID_NAME_LIST',
  'NAME_NOT_FOUND',
  'INVALID_PERSON',
  'INVALID_GROUP',
  'INVALID_ROW',
  'PERSON_NOT_FOUND',
  'GROUP_NOT_FOUND',
  'PERSON_CONFLICT',
  'TAG_HAS_TIMELINE',
  'RESERVED_TALLY_ID',
  'INVALID_TIMESTAMP',
  'INVALID_DAY',
  'INVALID_CORRECTION',
  'SCAN_NOT_FOUND',
  'CORRECTION_NOT_FOUND',
  'CORRECTION_CONFLICT',
  'OWN_CORRECTION',
  'RANGE_TOO_LONG',
  'NOT_ENOUGH_MEMORY',
  'INVALID_OPTION',
  'INVALID_SETTING',
  'SETTING_FIXED',
  'READER_BUSY',
  'RESTART_UNAVAILABLE',
  'INVALID_BACKUP',
  'BACKUP_FAILED',
  'NOT_CLAIMED',
  'NOT_SIGNED_IN',
  'NOT_ALLOWED',
  'SIGN_IN_REFUSED',
  'SIGN_IN_TOO_SOON',
  'SETUP_REFUSED',
  'ALREADY_CLAIMED',
  'IDENTITY_UNAVAILABLE',
  'IDENTITY_REFUSED',
  'IDENTITY_UNKNOWN',
  'INVALID_USER',
  'USER_EXISTS',
  'INVALID_PASSWORD',
  'INVALID_TOKEN',
  'INVALID_PASSKEY',
  'PASSKEYS_UNAVAILABLE',
  'LAST_ADMIN',
  'ACCESS_LIMIT_REACHED',
  'CLOCK_SYNCHRONISED',
  'TIME_NOT_CONFIRMED',
  'CLOCK_NOT_TRUSTED',
  'RETENTION_NOT_CONFIRMED',
  'INVALID_SYNC',
  'SYNC_GAP',
  'SYNC_TOO_OLD',
  'UPSTREAM_UNAVAILABLE',
  'TAG_ERASED',
  'DAY_NOT_KEPT',
  'TOO_MANY_ERASURE_KEYS',
  'TOO_MANY_ERASURES',
  'NOT_OPEN',
  'STORE_LOCKED',
  'STORE_CORRUPT',
  'STORE_FORMAT_UNSUPPORTED',
  'STORE_UNAVAILABLE',
  'STORE_READ_FAILED',
  'STORE_WRITE_FAILED',
  'READER_DISCONNECTED',
  'FRAME_INVALID',
  'OUTPUT_FAILED',
  'TOO_MANY_SUBSCRIBERS',
  'LISTEN_FAILED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Plain data about an error, safe to serialise. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

export interface TallybookErrorOptions {
  /** The error of the library or of the operating system underneath, for the log. */
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/** Marks the errors of every copy of this package: a bundle or an adapter may bring another one. */
const MARK = Symbol.for('tallybook.error');

/**
 * The one error class of the domain and of every adapter.
 *
 * Results a caller can foresee (no such day, tag already counted) are values, never errors. A `TypeError` or
 * `RangeError` without a code is a mistake in the calling program.
 */
export class TallybookError extends Error {
  override readonly name = 'TallybookError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: TallybookErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details ?? {};
  }

  static {
    Object.defineProperty(this.prototype, MARK, { value: true });
  }
}

/** Whether `error` is a {@link TallybookError}, of any copy of this package, and, when `code` is given, one with that code. */
export function isTallybookError(error: unknown, code?: ErrorCode): error is TallybookError {
  return (
    typeof error === 'object' &&
    error !== null &&
    MARK in error &&
    (code === undefined || ('code' in error && error.code === code))
  );
}

/** For `catch`: a value in place of an error with this code. */
export function ifCode<T>(code: ErrorCode, value: T): (error: unknown) => T {
  return (error) => {
    if (isTallybookError(error, code)) return value;
    throw error;
  };
}

/**
 * Whether a store cannot write until somebody repairs it, as on a read-only or broken disk: a `STORE_WRITE_FAILED` with
 * `details.isPermanent`. A full disk or a missing database passes.
 */
export function isPermanentFailure(error: unknown): boolean {
  return isTallybookError(error, 'STORE_WRITE_FAILED') && error.details['isPermanent'] === true;
}

/**
 * Returns the value of an option, which is a whole number.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is out of its range, both ends included.
 */
export function requireOption(name: string, value: number, lowest: number, highest: number): number {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
  throw new TallybookError('INVALID_OPTION', `${name} is ${lowest} to ${highest}; got ${quote(value)}`);
}

const QUOTED_LENGTH = 40;
const unprintable = (): RegExp => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Formats a value from outside for an error message: one line, at most 40 characters of the value, without control
 * characters of a terminal.
 */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : render(value);
  const cut = text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
  const safe = printable(cut);
  return typeof value === 'string' ? `"${safe}"` : safe;
}

/**
 * Makes a text from outside fit into one line of a message or a log: replaces line breaks and control characters of a
 * terminal.
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(unprintable(), '\uFFFD');
}

/**
 * Names the kind of a value from outside for an error message, without showing the value: it may be somebody's name,
 * and messages are logged.
 */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function render(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === 'string' ? json : typeof value;
  } catch {
    // Deep nesting, a cycle, a bigint inside, a `toJSON` that throws: a bad value must not make its own error message fail.
    return kindOf(value);
  }
}

/** Writes a number with its noun, for people: `1 day`, `2 days`. The noun may bring its verb: `scan waits`, `scans wait`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
