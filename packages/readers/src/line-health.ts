import { TallybookError } from '@tallybook/domain';

const MANY = 5;
const LONG_MS = 10_000;
/** Noise now and then, on a line that is not used meanwhile, says nothing about it. */
const APART_MS = 60_000;

/** Notices a line on which nothing sound comes any more: what is set for it or its wiring is wrong. */
export class LineHealth {
  readonly #advice: string;
  /** How many faults of each kind came since the latest sound frame. */
  readonly #counts = new Map<string, number>();
  #sinceMs = 0;
  #lastMs = 0;
  #isTold = false;

  /** @param advice What the person at the wires is to do. */
  constructor(advice: string) {
    this.#advice = advice;
  }

  sound(): void {
    this.#counts.clear();
    this.#isTold = false;
  }

  /**
   * Takes note of a fault.
   *
   * @returns The warning, once until the next sound frame, if it is at least the fifth in a row with no more than a
   * minute between two, and the first of them is at least 10 seconds old.
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
