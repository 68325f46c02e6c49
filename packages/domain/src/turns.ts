import type { Pause } from './sort-in-turns.js';

/** How long work goes on before others have their turn, in milliseconds. */
const TURN_MS = 10;

/** Gives way now and then during work whose pieces take a time that nobody knows before. */
export class Turns {
  readonly #pause: Pause;
  readonly #monotonicMs: () => number;
  #since: number;

  constructor(pause: Pause, monotonicMs: () => number) {
    this.#pause = pause;
    this.#monotonicMs = monotonicMs;
    this.#since = monotonicMs();
  }

  /** Whether others are to have their turn. */
  get isOver(): boolean {
    return this.#monotonicMs() - this.#since >= TURN_MS;
  }

  /** Lets others work if this turn is over. */
  async next(): Promise<void> {
    if (!this.isOver) return;
    await this.#pause();
    this.#since = this.#monotonicMs();
  }
}
