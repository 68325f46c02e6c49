import { TallybookError } from '@tallybook/domain';

/** Why a serial line is not there. `lost` means that it was there before. */
type LineReason = 'lost' | 'missing' | 'permission' | 'busy' | 'not-serial' | 'other';

/**
 * The errors of `serialport` have only a text: the message of the operating system, in English, and the path.
 *
 * @see openBaton and setup in serialport_unix.cpp of @serialport/bindings-cpp 13; serialport_win.cpp for the rest.
 */
const REASONS: readonly (readonly [RegExp, LineReason])[] = [
  [/No such (?:file|device)|Not a directory|File not found/, 'missing'],
  [/Permission denied|Operation not permitted/, 'permission'],
  [/Cannot lock port|resource busy|Access denied/, 'busy'],
  [/Inappropriate ioctl|Is a directory/, 'not-serial'],
];

const ADVICE: Readonly<Record<LineReason, string>> = {
  lost: 'was lost; plug the reader in again',
  missing: 'is missing; plug the reader in, or correct the path ("ls /dev/serial/by-id" lists the lines)',
  permission:
    'may not be used by this user; add the user to the group dialout ("sudo usermod -aG dialout USER") and log in again',
  busy: 'is in use by another program ("fuser" shows which); stop that program',
  'not-serial': 'is not a serial line; correct the path ("ls /dev/serial/by-id" lists the lines)',
  other: 'cannot be opened',
};

/**
 * The fault of a serial line that cannot be opened, with the reason in `details.reason`.
 *
 * @param findHolder Names the program that uses the line, if it can find one.
 */
export async function createOpenFault(
  path: string,
  cause: unknown,
  findHolder: (path: string) => Promise<string | undefined>,
): Promise<TallybookError> {
  const text = cause instanceof Error ? cause.message : String(cause);
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
  if (reason === 'other') return createFault(path, reason, cause, `: ${text}`);
  const holder = reason === 'busy' ? await findHolder(path) : undefined;
  return createFault(path, reason, cause, holder === undefined ? '' : `: ${holder}`);
}

/** The fault of an open serial line that was lost. */
export function createLossFault(path: string, cause: unknown): TallybookError {
  return createFault(path, 'lost', cause, '');
}

/** The fault of a path to a file or a folder. */
export function createFileFault(path: string): TallybookError {
  return createFault(path, 'not-serial', undefined, '');
}

function createFault(path: string, reason: LineReason, cause: unknown, more: string): TallybookError {
  return new TallybookError('READER_DISCONNECTED', `${path} ${ADVICE[reason]}${more}`, {
    cause,
    details: { path, reason },
  });
}
