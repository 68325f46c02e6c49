import { TallybookError } from '@tallybook/domain';

/** Why a keyboard is not there. `lost` means that it was there before. */
export type KeyboardReason = 'lost' | 'missing' | 'permission' | 'busy' | 'not-keyboard' | 'stuck' | 'other';

/** Messages of `evtest` on standard error. */
const REASONS: readonly (readonly [RegExp, KeyboardReason])[] = [
  [/No such (?:file|device)|Not a directory/, 'missing'],
  [/Permission denied|Operation not permitted/, 'permission'],
  [/can't get version/, 'not-keyboard'],
];

const LIST = '"ls /dev/input/by-id/*-event-kbd" lists the keyboards';
const ADVICE: Readonly<Record<KeyboardReason, string>> = {
  lost: 'was lost; plug the reader in again',
  missing: `is missing; plug the reader in, or correct the path (${LIST})`,
  permission:
    'may not be used by this user; add the user to the group input ("sudo usermod -aG input USER") and log in again',
  busy: 'is grabbed by another program ("fuser" shows which); stop that program',
  'not-keyboard': `is not a keyboard; correct the path (${LIST})`,
  stuck: 'does not answer; plug the reader in again',
  other: 'cannot be used',
};

/** The fault of a keyboard, with the reason in `details.reason`. */
export function createKeyboardFault(path: string, reason: KeyboardReason, more = ''): TallybookError {
  return new TallybookError('READER_DISCONNECTED', `${path} ${ADVICE[reason]}${more}`, {
    details: { path, reason },
  });
}

/**
 * The fault of a keyboard that could not be watched.
 *
 * @param text Output of `evtest`.
 */
export function createStartFault(path: string, text: string): TallybookError {
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
  return createKeyboardFault(path, reason, reason === 'other' ? `: ${text}` : '');
}
