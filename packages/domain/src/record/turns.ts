import type { Pause } from './sort-in-turns.js';

/** How long work goes on before other work has its turn, in milliseconds. */
const TURN_MS = 10;

/** Lets other work run now and then during long work. The pieces of the work may take any time. */
export class Turns {
  readonly #pause: Pause;
  readonly #monotonicMs: () => number;
  #since: number;

  constructor(pause: Pause, monotonicMs: () => number) {
    this.#pause = pause;
    this.#monotonicMs = monotonicMs;
    this.#since = monotonicMs();
  }

  /** Whether other work should have its turn. */
  get isOver(): boolean {
    return this.#monotonicMs() - this.#since >= TURN_MS;
  }

  /** Lets other work run if this turn is over. */
  async next(): Promise<void> {
    if (!this.isOver) return;
    await this.#pause();
    this.#since = this.#monotonicMs();
  }
}
