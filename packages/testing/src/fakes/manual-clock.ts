import { toTimestamp, type Clock, type Timestamp } from '@tallybook/domain';

/** A clock that stands still until it is told otherwise. */
export class ManualClock implements Clock {
  #epochMs: number;
  #monotonicMs = 0;

  /** @param seconds Since 1970; default 1,763,700,000, which is 2025-11-21T04:40:00Z, day 20413. */
  constructor(seconds = 1_763_700_000) {
    this.#epochMs = toTimestamp(seconds) * 1000;
  }

  now(): Timestamp {
    return toTimestamp(Math.floor(this.#epochMs / 1000));
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** Lets time pass: both clocks go on. */
  advance(milliseconds: number): void {
    this.#epochMs += milliseconds;
    this.#monotonicMs += milliseconds;
  }

  /** Sets the time of day, as a person or a time server does: no time passes. */
  set(seconds: number): void {
    this.#epochMs = toTimestamp(seconds) * 1000;
  }
}
