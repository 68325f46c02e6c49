import type { Subscription } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';

/** Stands still as {@link ManualClock} does, but what is scheduled happens after that time has really passed. */
export class RunningClock extends ManualClock {
  readonly #timers = new Set<NodeJS.Timeout>();

  /** How much is scheduled. */
  get pending(): number {
    return this.#timers.size;
  }

  override schedule(delayMs: number, work: () => void): Subscription {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, delayMs);
    this.#timers.add(timer);
    return {
      unsubscribe: () => {
        this.#timers.delete(timer);
        clearTimeout(timer);
      },
    };
  }
}
