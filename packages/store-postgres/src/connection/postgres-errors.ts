import { isTallybookError, TallybookError } from '@tallybook/domain';

/** Connections were lost, nobody knows how a statement ended, or the server ends, restarts, or does not accept writes (any more). */
const LOST = /^(?:08...|57P0[1-5]|25006|25P0[34]|40003)$/;
/** The transaction was rolled back so that others could go on: it is to be run again. */
const CONFLICTS = /^(?:40001|40P01|55P03)$/;
/** The server as a whole cannot: disk full, too many connections, defects. */
const SERVER = /^(?:53|58|XX|F0|57)/;

/** SQLSTATE of an error of the server; `undefined` if it did not come from there. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Whether the connection is of no use any more: its transaction has ended, or will, and if it was about to commit,
 * nobody knows how.
 */
export function isLost(error: unknown): boolean {
  if (isTallybookError(error) || error instanceof TypeError || error instanceof RangeError) return false;
  const state = sqlStateOf(error);
  if (state !== undefined) return LOST.test(state) || isFatal(error);
  // Of sockets, TLS, time-outs and the driver, which has no codes of its own.
  return error instanceof Error && (CONNECTION.test(error.message) || isSocketError(error));
}

/** Whether the same may succeed at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.test(sqlStateOf(error) ?? '');
}

/** Whether every write would fail the same way. */
export function isServerFailure(error: unknown): boolean {
  return SERVER.test(sqlStateOf(error) ?? '');
}

const CONNECTION =
  /connection (?:terminated|error)|terminating connection|timeout|not queryable|was closed|cannot use a pool|it is a standby/i;

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
  });
}

export function toWriteError(target: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  return new TallybookError('STORE_WRITE_FAILED', `cannot write to ${target}${reasonOf(error)}`, {
    cause: error,
  });
}

export function toOpenError(target: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const reason = error instanceof Error ? `: ${error.message}` : '';
  return new TallybookError('STORE_UNAVAILABLE', `cannot open ${target}${reason}`, { cause: error });
}

/** Why there was no connection. What a statement failed with stays in the cause: it may tell of the data. */
function reasonOf(error: unknown): string {
  return error instanceof Error && isLost(error) && error.message !== '' ? `: ${error.message}` : '';
}
