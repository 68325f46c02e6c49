import {
  isTallybookError,
  TallybookError,
  type ErrorCode,
  type TallybookErrorOptions,
} from '@tallybook/domain';

/** Translates the error of opening a directory to a {@link TallybookError} that names the directory. */
export function toOpenError(path: string, error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const code = openErrorCode(reasonOf(error));
  if (code === 'STORE_CORRUPT') return damagedStore(path, messageOf(error), { cause: error });
  return new TallybookError(code, openErrorMessage(code, path, error), { cause: error, details: { path } });
}

function openErrorMessage(code: ErrorCode, path: string, error: unknown): string {
  if (code === 'STORE_LOCKED') {
    return `the store ${path} is in use by another process: stop that process, or choose another store with --store`;
  }
  const reason = messageOf(error);
  return `the store ${path} cannot be opened: ${reason}${NO_RIGHT.test(reason) ? `; ${OTHER_USER}` : ''}`;
}

const NO_RIGHT = /Permission denied|Operation not permitted|EACCES|EPERM/i;
const OTHER_USER =
  'run it as the user that the service runs as (sudo -u USER), or give the folder to that user (chown -R)';

/**
 * The error for a damaged store, `STORE_CORRUPT`, with advice.
 *
 * @param reason Description of the damage; it is in the details too.
 */
export function damagedStore(
  path: string,
  reason: string,
  { cause, details }: TallybookErrorOptions = {},
): TallybookError {
  const message = `the store ${path} is damaged: ${reason}; \`tallybook repair --store level:${path}\` saves what can be saved`;
  return new TallybookError('STORE_CORRUPT', message, {
    ...(cause === undefined ? {} : { cause }),
    details: { ...details, path, reason },
  });
}

function openErrorCode(reason: unknown): ErrorCode {
  switch (codeOf(reason)) {
    case 'LEVEL_LOCKED':
      return 'STORE_LOCKED';
    case 'LEVEL_CORRUPTION':
      return 'STORE_CORRUPT';
    case 'LEVEL_IO_ERROR':
      // The directory is there, but one of its files, which another file names, is missing or cut short.
      return /No such file|Invalid argument/.test(messageOf(reason)) ? 'STORE_CORRUPT' : 'STORE_UNAVAILABLE';
    default:
      return 'STORE_UNAVAILABLE';
  }
}

/**
 * Translates the error of a read, and names the store. A damaged row or table gives `STORE_CORRUPT`, every other cause
 * `STORE_READ_FAILED`.
 */
export function toReadError(path: string, error: unknown): TallybookError {
  if (isTallybookError(error, 'NOT_ENOUGH_MEMORY')) return error;
  if (isTallybookError(error, 'STORE_CORRUPT')) {
    // Errors of opening name the store already.
    if ('path' in error.details) return error;
    return damagedStore(path, error.message, { details: error.details });
  }
  if (codeOf(reasonOf(error)) === 'LEVEL_CORRUPTION') {
    return damagedStore(path, messageOf(error), { cause: error });
  }
  const message = `the store ${path} could not be read: ${messageOf(error)}`;
  return new TallybookError('STORE_READ_FAILED', message, { cause: error, details: { path } });
}

const NO_SPACE = /No space left|Disk quota|ENOSPC|EDQUOT/i;

/** Whether something failed because the disk, or the quota of the user, is full. */
export function isDiskFull(error: unknown): boolean {
  return NO_SPACE.test(messageOf(isTallybookError(error) ? (error.cause ?? error) : error));
}

/** The disk is read-only, broken or gone, or its rights were changed: only somebody can change that. */
const PERMANENT =
  /Read-only file system|Input\/output error|No such device|No medium|Structure needs cleaning|EROFS|EIO|ENODEV|ENXIO|EUCLEAN|ESTALE|ENOTCONN/i;

/**
 * Translates the error of a write, or of opening again to write. The message names the store and gives advice. See
 * `isPermanentFailure` of the domain.
 */
export function toWriteError(path: string, error: unknown): TallybookError {
  const reason = messageOf(error);
  const isPermanent = PERMANENT.test(reason) || NO_RIGHT.test(reason);
  const remedy = NO_SPACE.test(reason)
    ? 'free some space on its disk'
    : isPermanent
      ? 'its disk or card is read-only or broken, and nothing is stored until somebody repairs or replaces it'
      : 'check its disk or card';
  // Errors of this program give their own advice.
  const advice = isTallybookError(error) ? '' : `; ${remedy}`;
  return new TallybookError(
    'STORE_WRITE_FAILED',
    `the store ${path} could not be written: ${reason}${advice}`,
    {
      cause: error,
      details: { path, ...(isPermanent && { isPermanent }) },
    },
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Level's error of a failed opening has no reason in its message: the reason is its cause. */
function reasonOf(error: unknown): unknown {
  return codeOf(error) === 'LEVEL_DATABASE_NOT_OPEN' && error instanceof Error ? error.cause : error;
}

function messageOf(error: unknown): string {
  const reason = reasonOf(error);
  return reason instanceof Error ? reason.message : String(reason);
}
