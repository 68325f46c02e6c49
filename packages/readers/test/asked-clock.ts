import type { Subscription } from '@tallybook/domain';
import { RunningClock } from './running-clock.js';

/** A clock that knows for how long it was asked to wait, in milliseconds. */
export class AskedClock extends RunningClock {
  readonly asked: number[] = [];
  /** What it was asked for and has not come yet, nor was given up. */
  readonly #awaited = new Map<object, number>();

  override schedule(delayMs: number, work: () => void): Subscription {
    this.asked.push(delayMs);
    const token = {};
    this.#awaited.set(token, delayMs);
    const appointment = super.schedule(delayMs, () => {
      this.#awaited.delete(token);
      work();
    });
    return {
      unsubscribe: () => {
        this.#awaited.delete(token);
        appointment.unsubscribe();
      },
    };
  }

  isAwaiting(delayMs: number): boolean {
    return [...this.#awaited.values()].includes(delayMs);
  }
}
