import type { Subscription } from '@tallybook/domain';
import { RunningClock } from './running-clock.js';

/** A clock that knows for how long it was asked to wait, in milliseconds. */
export class AskedClock extends RunningClock {
  readonly asked: number[] = [];

  override schedule(delayMs: number, work: () => void): Subscription {
    this.asked.push(delayMs);
    return super.schedule(delayMs, work);
  }
}
