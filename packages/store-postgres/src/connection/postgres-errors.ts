import { isTallybookError, TallybookError } from '@tallybook/domain';
import { NoHostError, reasonOf as wordsOf } from './no-host.js';

/** The connection was lost, the outcome of a statement is unknown, or the server ends, restarts, or does not accept writes. */
const LOST = /^(?:08...|57P0[1-5]|25006|25P0[34]|40003)$/;
/** The transaction was rolled back so that others could go on: run it again. */
const CONFLICTS = /^(?:40001|40P01|55P03)$/;
/** The server as a whole fails: disk full, too many connections, defects. */
const SERVER = /^(?:53|58|XX|F0|57)/;

/** The disk, the memory or the connections of the server are used up. */
const FULL = '53';
const RETRY_AFTER_S = 5;

/** SQLSTATE of an error of the server; `undefined` if the error did not come from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Whether the connection can no longer be used: its transaction has ended, or will end. If it was about to commit, the outcome is
 * unknown.
 */
export function isLost(error: unknown): boolean {
  if (isTallybookError(error) || error instanceof TypeError || error instanceof RangeError) return false;
  if (error instanceof NoHostError) return error.failures.some((failure) => isLost(failure.error));
  const state = sqlStateOf(error);
  if (state !== undefined) return LOST.test(state) || isFatal(error);
  // Errors of sockets, of TLS, of time-outs and of the driver, whose errors have no codes.
  return error instanceof Error && (CONNECTION.test(error.message) || isSocketError(error));
}

/** Whether the same transaction may succeed if it is run again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.test(sqlStateOf(error) ?? '');
}

/** Whether every write would fail the same way. */
export function isServerFailure(error: unknown): boolean {
  return SERVER.test(sqlStateOf(error) ?? '');
}

const CONNECTION =
  /connection (?:terminated|error)|terminating connection|timeout|not queryable|was closed|cannot use a pool|does not accept writes/i;

function isSocketError(error: Error): boolean {
  return (
    'code' in error &&
    typeof error.code === 'string' &&
    /^(?:E[A-Z]+|ERR_(?:TLS|SSL|SOCKET).*)$/.test(error.code)
  );
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && /^(?:FATAL|PANIC)$/.test(String(error.severity));
}

export function toReadError(target: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  return new TallybookError('STORE_READ_FAILED', `cannot read from ${target}${reasonOf(error)}`, {
    cause: error,
    ...passing(error),
  });
}

export function toWriteError(target: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  return new TallybookError('STORE_WRITE_FAILED', `cannot write to ${target}${reasonOf(error)}`, {
    cause: error,
    ...passing(error),
  });
}

export function toOpenError(target: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const words = wordsOf(error);
  const reason = words === '' ? '' : `: ${words}`;
  return new TallybookError('STORE_UNAVAILABLE', `cannot open ${target}${reason}`, { cause: error });
}

/** The reason why there was no connection. The error of a statement is only in the cause, because it may show data. */
function reasonOf(error: unknown): string {
  const words = isLost(error) ? wordsOf(error) : '';
  return words === '' ? '' : `: ${words}`;
}

/** When to try again, if the database is away, or has no room at present. */
function passing(error: unknown): { readonly details?: { readonly retryAfterSeconds: number } } {
  const isPassing = isLost(error) || isConflict(error) || sqlStateOf(error)?.startsWith(FULL) === true;
  return isPassing ? { details: { retryAfterSeconds: RETRY_AFTER_S } } : {};
}
