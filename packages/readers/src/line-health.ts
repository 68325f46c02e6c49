import { TallybookError } from '@tallybook/domain';

const MANY = 5;
const LONG_MS = 10_000;
/** Faults with a longer time between them are normal noise on an unused line. */
const APART_MS = 60_000;

/** Notices a line that delivers only faults: its settings or its wiring are wrong. */
export class LineHealth {
  readonly #advice: string;
  /** Number of faults of each kind since the latest sound frame. */
  readonly #counts = new Map<string, number>();
  #sinceMs = 0;
  #lastMs = 0;
  #isTold = false;

  /** @param advice What to check, for the message. */
  constructor(advice: string) {
    this.#advice = advice;
  }

  sound(): void {
    this.#counts.clear();
    this.#isTold = false;
  }

  /**
   * Counts a fault.
   *
   * @returns The warning, once until the next sound frame. It comes with the fifth or a later fault in a row, with at
   * most a minute between two faults, if the first is at least 10 seconds old.
   */
  faulty({ code, details }: TallybookError, monotonicMs: number): TallybookError | undefined {
    if (monotonicMs - this.#lastMs > APART_MS) this.#counts.clear();
    this.#lastMs = monotonicMs;
    if (this.#counts.size === 0) this.#sinceMs = monotonicMs;
    const kind = String(details['problem'] ?? code);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const count = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    const lastedMs = monotonicMs - this.#sinceMs;
    if (this.#isTold || count < MANY || lastedMs < LONG_MS) return undefined;
    this.#isTold = true;
    return this.#warn(count, Math.floor(lastedMs / 1_000));
  }

  #warn(count: number, seconds: number): TallybookError {
    const kinds = Array.from(this.#counts, ([kind, each]) => `${each} × ${kind}`).join(', ');
    return new TallybookError('FRAME_INVALID', `only errors for ${seconds} s: ${kinds}; ${this.#advice}`, {
      details: { count, seconds, kinds },
    });
  }
}
