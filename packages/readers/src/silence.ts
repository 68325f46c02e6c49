import type { Clock, Subscription } from '@tallybook/domain';

/** A timer that fires later than this shows that the process was busy. */
const LATE_MS = 20;
/**
 * Longest extra wait for data that came while the process was busy: as long as the longest silence within one unit of
 * data.
 */
const MOST_AGAIN_MS = 500;

/**
 * Notices that nothing has come for a while.
 *
 * If this process was busy meanwhile, it waits once more. On a busy machine the kernel delivers data late that came in
 * time. And where there are several silences, the longer one may depend on data that is decoded after the shorter one.
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
      // After a busy time the timers run first. Waiting data is read before this immediate runs.
      this.#nextTurn = setImmediate(work);
    });
  }
}
