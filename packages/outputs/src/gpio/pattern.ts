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
