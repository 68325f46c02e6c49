import type { KeyboardLayout } from './keyboard-layouts.js';

/** A key event of the kernel: down (1), up (0), or held (2). */
export interface KeyEvent {
  /** Position of the key, not its character. */
  readonly code: number;
  readonly value: number;
  /** Time of the event, in milliseconds. */
  readonly timeMs: number;
}

const DOWN = 1;
const ENTER_KEYS: ReadonlySet<number> = new Set([28, 96]);
const SHIFT_KEYS: ReadonlySet<number> = new Set([42, 54]);
/** Ctrl, Alt and Meta, left and right. The layouts do not have the characters that keys write together with these. */
const MODIFIER_KEYS: ReadonlySet<number> = new Set([29, 56, 97, 100, 125, 126]);
/** Caps Lock, Num Lock, Scroll Lock. Readers press Num Lock before and after digits. */
const LOCK_KEYS: ReadonlySet<number> = new Set([58, 69, 70]);
/**
 * Stands for a key that writes no character of an id. If it were left out, the other characters would make another id.
 */
const UNKNOWN = '\uFFFD';
/** Longest run, in characters: as long as a line of standard input. */
export const LONGEST_RUN = 1_000;

/**
 * Makes text of the keys that a reader presses. A run of keys ends with Enter, or with silence.
 *
 * It does no I/O, never throws, and its memory is bounded.
 */
export class KeyDecoder {
  readonly #layout: KeyboardLayout;
  readonly #silenceMs: number;
  readonly #heldShifts = new Set<number>();
  readonly #heldModifiers = new Set<number>();
  #run = '';
  #lastMs = -Infinity;
  #isSpoiled = false;

  /** @param silenceMs Milliseconds without a key, after which the next key begins another run. */
  constructor(layout: KeyboardLayout, silenceMs: number) {
    this.#layout = layout;
    this.#silenceMs = silenceMs;
  }

  /**
   * Takes the next event.
   *
   * @returns The runs that ended before this event or with it, without white space around them. Empty runs are left
   * out. A run that is too long has one character more than {@link LONGEST_RUN}, by which the caller recognises it.
   */
  push({ code, value, timeMs }: KeyEvent): readonly string[] {
    const ended = timeMs - this.#lastMs > this.#silenceMs ? this.end() : [];
    this.#lastMs = timeMs;
    if (SHIFT_KEYS.has(code)) hold(this.#heldShifts, code, value);
    else if (MODIFIER_KEYS.has(code)) hold(this.#heldModifiers, code, value);
    else if (value === DOWN && !LOCK_KEYS.has(code)) {
      if (ENTER_KEYS.has(code)) return [...ended, ...this.end()];
      if (this.#run.length <= LONGEST_RUN) this.#run += this.#signOf(code);
    }
    return ended;
  }

  #signOf(code: number): string {
    const signs = this.#heldModifiers.size > 0 ? undefined : this.#layout.get(code);
    return signs?.[this.#heldShifts.size > 0 ? 1 : 0] ?? UNKNOWN;
  }

  /** Ends the run, as a silence does. */
  end(): readonly string[] {
    const run = this.#isSpoiled ? '' : this.#run.trim();
    this.#run = '';
    this.#isSpoiled = false;
    return run === '' ? [] : [run];
  }

  /**
   * Records that keys were lost at a time, in milliseconds. The present run is dropped up to its end, and no key counts
   * as held.
   */
  spoil(timeMs: number): void {
    this.#lastMs = timeMs;
    this.#isSpoiled = true;
    this.#heldShifts.clear();
    this.#heldModifiers.clear();
  }
}

function hold(held: Set<number>, code: number, value: number): void {
  if (value === 0) held.delete(code);
  else held.add(code);
}
