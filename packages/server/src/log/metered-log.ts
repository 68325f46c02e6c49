import type { Clock } from '@tallybook/domain';
import type { Log } from './log.js';
import { LogQuota } from './log-quota.js';

/**
 * Logs lines that may repeat many times a second. Within the quota of their kind they are written, then they are only
 * counted.
 */
export class MeteredLog {
  readonly #log: Log;
  readonly #quota: LogQuota;

  constructor(log: Log, clock: Clock, linesPerMinute?: number) {
    this.#log = log;
    this.#quota = new LogQuota(clock, linesPerMinute);
  }

  write(kind: string, level: 'info' | 'warn' | 'error', fields: object, message: string): void {
    const { isWithin, isLast, omitted } = this.#quota.take(kind);
    if (omitted > 0) this.#log[level]({ ...fields, count: omitted }, `repeats suppressed: ${omitted}`);
    if (isWithin) this.#log[level](fields, message);
    if (isLast) this.#log[level](fields, 'repeats are suppressed for the rest of this minute');
  }
}
