import { toTimestamp, type ClockTrust, type Timestamp } from '@tallybook/domain';
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
