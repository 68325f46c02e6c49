import type { Clock } from '@tallybook/domain';
import type { Log } from './log.js';
import { LogQuota } from './log-quota.js';

/** Logs what may come many times a second: in full as long as the quota of its kind lasts, then counted. */
export class MeteredLog {
  readonly #log: Log;
  readonly #quota: LogQuota;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#quota = new LogQuota(clock);
  }

  write(kind: string, level: 'info' | 'warn' | 'error', fields: object, message: string): void {
    const { isWithin, isLast, omitted } = this.#quota.take(kind);
    if (omitted > 0)
      this.#log[level]({ ...fields, count: omitted }, 'repeats suppressed; count says how many');
    if (isWithin) this.#log[level](fields, message);
    if (isLast) this.#log[level](fields, 'comes often; the rest of this minute is only counted');
  }
}
