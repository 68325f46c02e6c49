import type { Clock } from '@tallybook/domain';
import type { Log } from './log.js';

const LINES_PER_MINUTE = 5;
const MINUTE_MS = 60_000;

interface Quota {
  readonly sinceMs: number;
  count: number;
}

/** Whether a line may be written. */
export interface QuotaDecision {
  /** Whether the line may be written. */
  readonly isWithin: boolean;
  /** Whether it is the last one of its kind in this minute. */
  readonly isLast: boolean;
  /** Number of repeats of its kind that were suppressed before; reported once. */
  readonly omitted: number;
}

/** Limits the lines of a kind per minute, so that a repeated fault does not fill the card. */
export class LogQuota {
  readonly #clock: Clock;
  readonly #most: number;
  /** The quotas by kind, the oldest first. */
  readonly #quotas = new Map<string, Quota>();

  constructor(clock: Clock, linesPerMinute: number = LINES_PER_MINUTE) {
    this.#clock = clock;
    this.#most = linesPerMinute;
  }

  take(kind: string): QuotaDecision {
    const nowMs = this.#clock.monotonicMs();
    let quota = this.#quotas.get(kind);
    let omitted = 0;
    if (quota === undefined || nowMs - quota.sinceMs >= MINUTE_MS) {
      omitted = Math.max((quota?.count ?? 0) - this.#most, 0);
      quota = { sinceMs: nowMs, count: 0 };
      this.#quotas.delete(kind);
      this.#dropExpired(nowMs);
      this.#quotas.set(kind, quota);
    }
    quota.count++;
    return {
      isWithin: quota.count <= this.#most,
      isLast: quota.count === this.#most,
      omitted,
    };
  }

  /** Drops expired kinds without suppressed repeats. The others are kept until their next line reports the number. */
  #dropExpired(nowMs: number): void {
    for (const [kind, { sinceMs, count }] of this.#quotas) {
      if (nowMs - sinceMs < MINUTE_MS) return;
      if (count <= this.#most) this.#quotas.delete(kind);
    }
  }
}

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
