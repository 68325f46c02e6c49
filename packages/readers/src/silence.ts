import type { Clock, Subscription } from '@tallybook/domain';

/** A timer that fires later than this shows that the process was held up. */
const LATE_MS = 20;
/** How long data may take that came while the process was held up: as much as the longest silence between data that belong together. */
const MOST_AGAIN_MS = 500;

/**
 * Notices that nothing has come for a while.
 *
 * It waits once more if this process was held up meanwhile: on a busy machine the kernel hands out late what came in time, and of
 * several silences the longer one may depend on what is decoded after the shorter one.
 */
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
    const fromMs = this.#clock.monotonicMs();
    this.#schedule(lengthMs, () => {
      const lateMs = this.#clock.monotonicMs() - fromMs - lengthMs;
      if (lateMs > LATE_MS) this.#schedule(Math.min(lengthMs, MOST_AGAIN_MS), this.#onSilence);
      else this.#onSilence();
    });
  }

  stop(): void {
    this.#timer?.unsubscribe();
    clearImmediate(this.#nextTurn);
  }

  #schedule(delayMs: number, work: () => void): void {
    this.#timer = this.#clock.schedule(delayMs, () => {
      // If this process was held up, timers come first, and what waits to be read comes now.
      this.#nextTurn = setImmediate(work);
    });
  }
}
