import { TallybookError } from '../errors.js';
import type { Timekeeper } from './timekeeper.js';

/** @throws {TallybookError} `CLOCK_NOT_TRUSTED` if the clock is not trusted. */
export function requireTime(timekeeper: Timekeeper, what: string): void {
  const trust = timekeeper.trust();
  if (trust.isTrusted) return;
  throw new TallybookError(
    'CLOCK_NOT_TRUSTED',
    `${what} while the clock may be wrong (${trust.doubt}): set the time first`,
    { details: { doubt: trust.doubt } },
  );
}
