import { toTimestamp, type Clock, type Subscription, type Timestamp } from '@tallybook/domain';
import type { Life } from './life.js';
import type { Scheduler } from './scheduler.js';

/** The seconds since 1970 at which every simulated world begins: 2027-01-15T08:00:00Z. */
export const BEGIN_SECONDS = 1_800_000_000;

/** The clock of a machine. It survives programs, and a fault may change it at any time. */
export interface Timepiece {
  /** Seconds by which the clock is ahead of the true time. */
  aheadSeconds: number;
  isSynchronised: boolean | undefined;
  bootId: string;
  /** Time at which the machine was started, in milliseconds since the world began. */
  bootedAtMs: number;
}

/** A {@link Clock} in simulated time, for one run of a program. */
export class VirtualClock implements Clock {
  readonly bootId: string;
  readonly #scheduler: Scheduler;
  readonly #timepiece: Timepiece;
  readonly #life: Life;

  constructor(scheduler: Scheduler, timepiece: Timepiece, life: Life) {
    this.bootId = timepiece.bootId;
    this.#scheduler = scheduler;
    this.#timepiece = timepiece;
    this.#life = life;
  }

  now(): Timestamp {
    const seconds = trueSeconds(this.#scheduler) + this.#timepiece.aheadSeconds;
    return toTimestamp(Math.max(0, Math.floor(seconds)));
  }

  monotonicMs(): number {
    return this.#scheduler.nowMs - this.#timepiece.bootedAtMs;
  }

  isSynchronised(): boolean | undefined {
    return this.#timepiece.isSynchronised;
  }

  schedule(delayMs: number, work: () => void): Subscription {
    return this.#scheduler.after(delayMs, () => {
      if (!this.#life.isOver) work();
    });
  }
}

/** Seconds since 1970, with fractions. */
export function trueSeconds(scheduler: Scheduler): number {
  return BEGIN_SECONDS + scheduler.nowMs / 1000;
}
