import type { Clock, Subscription } from '@tallybook/domain';

/** Notices that nothing has come for a while. */
export class Silence {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  readonly #onSilence: () => void;
  #next: Subscription | undefined;

  constructor(clock: Clock, lengthMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#onSilence = onSilence;
  }

  /** Says that something came. */
  break(): void {
    this.stop();
    this.#next = this.#clock.schedule(this.#lengthMs, () => {
      // What came while this process was busy is read after its timers: that is no silence.
      this.#next = this.#clock.schedule(0, this.#onSilence);
    });
  }

  stop(): void {
    this.#next?.unsubscribe();
  }
}
