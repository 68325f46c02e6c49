import type { Clock, Subscription } from '@tallybook/domain';
import type { Display } from '../device-indicator.js';

/** The signals for a person: two lights, and a buzzer that sounds while its line is on. */
export const lamps = ['green', 'red', 'buzzer'] as const;

export type Lamp = (typeof lamps)[number];

/** Milliseconds on, off, on and so on. The first and the last one are on. */
export type Rhythm = readonly number[];

/** The rhythm of each lamp from the beginning of the pattern; the other lamps are off. */
export type Pattern = Readonly<Partial<Record<Lamp, Rhythm>>>;

/**
 * Each signal has its own rhythm on each lamp, not only its own colour. So people recognise it even if they cannot tell
 * red from green, if they only hear the buzzer, or if there is only one lamp. Green means that the tap is recorded; red
 * means that somebody must do something.
 */
export const patterns: Readonly<Record<Display, Pattern>> = {
  counted: { green: [1_000], buzzer: [100] },
  'already-counted': { green: repeat(2, 200, 150), buzzer: repeat(2, 100, 100) },
  unknown: { green: repeat(3, 200, 150), red: repeat(3, 200, 150), buzzer: repeat(3, 100, 100) },
  failed: { red: repeat(6, 150, 150), buzzer: [1_000] },
  started: { green: [600], red: [600], buzzer: [400, 150, 100] },
};

function repeat(times: number, onMs: number, offMs: number): Rhythm {
  return Array.from({ length: 2 * times - 1 }, (_, index) => (index % 2 === 0 ? onMs : offMs));
}

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
