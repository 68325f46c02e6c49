import type { Clock, Subscription } from '@tallybook/domain';

/** Notices that nothing has come for a while. */
export class Silence {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #timer: Subscription | undefined;
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  /** Starts waiting again for `lengthMs` milliseconds of silence. Call it for all data that comes. */
  await(lengthMs: number): void {
    this.stop();
    this.#timer = this.#clock.schedule(lengthMs, () => {
      // If this process was held up, timers come first, and what waits to be read comes now.
      this.#nextTurn = setImmediate(this.#onSilence);
    });
  }

  stop(): void {
    this.#timer?.unsubscribe();
    clearImmediate(this.#nextTurn);
  }
}
