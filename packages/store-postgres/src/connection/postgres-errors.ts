import { isTallybookError, TallybookError, type ErrorCode } from '@tallybook/domain';
import type { PostgresHost } from './postgres-url.js';

/** A host that could not be used, and the reason. */
export interface HostFailure {
  readonly host: PostgresHost;
  readonly error: unknown;
}

/** None of several hosts can be used. Each has its own reason. */
export class NoHostError extends Error {
  readonly failures: readonly HostFailure[];

  constructor(failures: readonly HostFailure[]) {
    const each = failures.map(({ host: { host, port }, error }) => {
      const name = host.includes(':') ? `[${host}]` : host;
      return `${name}:${port}: ${wordsOf(error)}`;
    });
    super(`no host can be used (${each.join('; ')})`, { cause: failures.at(-1)?.error });
    this.failures = failures;
  }
}

/** The message of an error. The error of a host with several addresses has no message of its own. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    const reasons = error.errors.map(wordsOf).filter((reason) => reason !== '');
    return [...new Set(reasons)].join(', ');
  }
  return error instanceof Error ? error.message : '';
}

/** The connection was lost, the outcome of a statement is unknown, or the server ends, restarts, or does not accept writes. */
const LOST = /^(?:08...|57P0[1-5]|25006|25P0[34]|40003)$/;
/** A prepared statement exists already, or does not exist: another session has used the same connection to the database. */
const SHARED_SESSION = /^(?:42P05|26000)$/;
/** The transaction was rolled back so that others could go on: run it again. */
const CONFLICTS = /^(?:40001|40P01|55P03)$/;
const LOCK_TIMEOUT = '55P03';
/** An engine of several nodes reports a lost connection between them as an internal error. */
const INTERNAL = 'XX000';
const BETWEEN_NODES =
  /connection (?:to the remote node|not open|refused|reset|timed out)|server closed the connection|could not (?:connect|establish|receive)/i;
/** The server as a whole fails: disk full, too many connections, defects. */
const SERVER = /^(?:53|58|XX|F0|57)/;

/** When to try again. Few errors of a database last, and nobody can tell which. */
const PASSING = { retryAfterSeconds: 5 } as const;

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
  if (state !== undefined) {
    return LOST.test(state) || isFatal(error) || (state === INTERNAL && BETWEEN_NODES.test(wordsOf(error)));
  }
  // Errors of sockets, of TLS, of time-outs and of the driver, whose errors have no codes.
  return error instanceof Error && (CONNECTION.test(error.message) || isSocketError(error));
}

/** Whether the same transaction may succeed if it is run again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.test(sqlStateOf(error) ?? '') || isLostLock(error);
}

/** Whether another transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === LOCK_TIMEOUT;
}

/** Whether an earlier statement of the transaction failed, which says why. */
export function isAborted(error: unknown): boolean {
  return sqlStateOf(error) === '25P02';
}

/**
 * Whether the engine forgot the lock of the site, so that another server wrote meanwhile: the revision is another one, or a key is
 * taken. Shards have a number after the names of their table and keys.
 */
function isLostLock(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === undefined) return false;
  const { table, constraint } = error as { readonly table?: string; readonly constraint?: string };
  if (state === '23502') return /^site(?:_\d+)?$/.test(table ?? '');
  return state === '23505' && /_pkey(?:_\d+)?$/.test(constraint ?? '');
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

const POOLER =
  'a pooler gives each transaction another session, which loses settings and prepared statements; set its pool mode to session, or connect directly';

export function toReadError(target: string, error: unknown): TallybookError {
  return toPassing('STORE_READ_FAILED', `cannot read from ${target}`, error);
}

export function toWriteError(target: string, error: unknown): TallybookError {
  return toPassing('STORE_WRITE_FAILED', `cannot write to ${target}`, error);
}

function toPassing(code: ErrorCode, message: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  return new TallybookError(code, `${message}${reasonOf(error)}`, { cause: error, details: PASSING });
}

export function toOpenError(target: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const words = SHARED_SESSION.test(sqlStateOf(error) ?? '') ? POOLER : wordsOf(error);
  const reason = words === '' ? '' : `: ${words}`;
  return new TallybookError('STORE_UNAVAILABLE', `cannot open ${target}${reason}`, { cause: error });
}

/**
 * The reason why there was no connection. The words of the error of a statement are only in the cause, because they may show
 * data.
 */
function reasonOf(error: unknown): string {
  if (isLost(error)) return wordsOf(error) === '' ? '' : `: ${wordsOf(error)}`;
  const state = sqlStateOf(error);
  if (state === undefined) return '';
  if (SHARED_SESSION.test(state)) return `: ${POOLER}`;
  const { constraint } = error as { readonly constraint?: string };
  return `: SQLSTATE ${state}${constraint === undefined ? '' : ` (${constraint})`}`;
}
