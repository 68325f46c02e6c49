import type { Clock, Subscription } from '@tallybook/domain';
import { lamps, type Lamp, type Pattern, type Rhythm } from './pattern.js';

/**
 * Milliseconds with all lamps off between two patterns, so that the second of two people sees that a new pattern
 * begins.
 */
const GAP_MS = 50;

/** Plays one pattern at a time: a new pattern replaces the present one. */
export class PatternPlayer {
  readonly #clock: Clock;
  readonly #turn: (lamp: Lamp, isOn: boolean) => void;
  /** The next change of each lamp, at most one. */
  readonly #appointments = new Map<Lamp | 'gap', Subscription>();

  /** @param turn Turns a lamp on or off, at once and without throwing. */
  constructor(clock: Clock, turn: (lamp: Lamp, isOn: boolean) => void) {
    this.#clock = clock;
    this.#turn = turn;
  }

  play(pattern: Pattern): void {
    const isPlaying = this.#appointments.size > 0;
    this.stop();
    if (isPlaying) this.#schedule('gap', GAP_MS, () => this.#begin(pattern));
    else this.#begin(pattern);
  }

  /** Turns everything off. */
  stop(): void {
    for (const appointment of this.#appointments.values()) appointment.unsubscribe();
    this.#appointments.clear();
    for (const lamp of lamps) this.#turn(lamp, false);
  }

  #begin(pattern: Pattern): void {
    for (const lamp of lamps) this.#goOn(lamp, pattern[lamp] ?? [], 0);
  }

  #goOn(lamp: Lamp, rhythm: Rhythm, index: number): void {
    const durationMs = rhythm[index];
    this.#turn(lamp, durationMs !== undefined && index % 2 === 0);
    if (durationMs === undefined) return;
    this.#schedule(lamp, durationMs, () => this.#goOn(lamp, rhythm, index + 1));
  }

  #schedule(key: Lamp | 'gap', delayMs: number, work: () => void): void {
    const appointment = this.#clock.schedule(delayMs, () => {
      this.#appointments.delete(key);
      work();
    });
    this.#appointments.set(key, appointment);
  }
}
