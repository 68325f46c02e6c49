import { toTimestamp, type ClockTrust, type Timestamp } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import { RELEASED_AT } from './released-at.js';

/**
 * The clock of the system, for commands. It is trusted if it does not show a time before the release of the program.
 */
export const systemTime: { readonly now: () => Timestamp; readonly trust: () => ClockTrust } = {
  now: () => toTimestamp(Math.floor(Date.now() / 1_000)),
  trust: () =>
    systemTime.now() < RELEASED_AT
      ? { isTrusted: false, doubt: 'before-build' }
      : { isTrusted: true, basis: 'assumed' },
};

/** Stamps names with a time. @param takesAnyTime Whether an untrusted time is used too. */
export function stampsBy(
  time: { readonly now: () => Timestamp; readonly trust: () => ClockTrust },
  takesAnyTime: boolean,
): StampSource {
  return { now: () => (takesAnyTime || time.trust().isTrusted ? time.now() * 1_000 : undefined) };
}
