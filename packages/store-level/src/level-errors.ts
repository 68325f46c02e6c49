import { isTallybookError, TallybookError, type ErrorCode } from '@tallybook/domain';

/** What opening a directory failed with, as {@link TallybookError} naming the directory. */
export function toOpenError(path: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const code = openErrorCode(reasonOf(error));
  return new TallybookError(code, openErrorMessage(code, path, error), { cause: error, details: { path } });
}

function openErrorMessage(code: ErrorCode, path: string, error: unknown): string {
  if (code === 'STORE_LOCKED') {
    return `the store ${path} is in use by another process: stop that one, or choose another store`;
  }
  if (code === 'STORE_CORRUPT') return damagedStore(path, messageOf(error));
  return `the store ${path} cannot be opened: ${messageOf(error)}`;
}

/** What is said of a damaged store, and what helps. */
export function damagedStore(path: string, what: string): string {
  return `the store ${path} is damaged: ${what}; \`tallybook repair\` saves what can be saved`;
}

function openErrorCode(reason: unknown): ErrorCode {
  switch (codeOf(reason)) {
    case 'LEVEL_LOCKED':
      return 'STORE_LOCKED';
    case 'LEVEL_CORRUPTION':
      return 'STORE_CORRUPT';
    case 'LEVEL_IO_ERROR':
      // The directory is there, but a file that another of its files names is not, or is cut short.
      return /No such file|Invalid argument/.test(messageOf(reason)) ? 'STORE_CORRUPT' : 'STORE_UNAVAILABLE';
    default:
      return 'STORE_UNAVAILABLE';
  }
}

/** What reading failed with. A damaged row or table is `STORE_CORRUPT`, everything else `STORE_READ_FAILED`. */
export function toReadError(error: unknown): TallybookError {
  if (isTallybookError(error, 'STORE_CORRUPT')) return error;
  const code = codeOf(reasonOf(error)) === 'LEVEL_CORRUPTION' ? 'STORE_CORRUPT' : 'STORE_READ_FAILED';
  return new TallybookError(code, `reading failed: ${messageOf(error)}`, { cause: error });
}

/** What writing, or opening again in order to write, failed with. */
export function toWriteError(error: unknown): TallybookError {
  return new TallybookError('STORE_WRITE_FAILED', `writing failed: ${messageOf(error)}`, { cause: error });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** When Level fails to open it says no more than that; the reason is the cause. */
function reasonOf(error: unknown): unknown {
  return codeOf(error) === 'LEVEL_DATABASE_NOT_OPEN' && error instanceof Error ? error.cause : error;
}

function messageOf(error: unknown): string {
  const reason = reasonOf(error);
  return reason instanceof Error ? reason.message : String(reason);
}
