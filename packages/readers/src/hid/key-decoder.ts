import type { KeyboardLayout } from './keyboard-layouts.js';

/** A key that went down (1), up (0), or is held (2), as the kernel tells it. */
export interface KeyEvent {
  /** Where the key is, not what it writes. */
  readonly code: number;
  readonly value: number;
  /** When, in milliseconds. */
  readonly timeMs: number;
}

const DOWN = 1;
const ENTER_KEYS: ReadonlySet<number> = new Set([28, 96]);
const SHIFT_KEYS: ReadonlySet<number> = new Set([42, 54]);
/** Ctrl, Alt, Caps Lock, Num Lock, Scroll Lock, and Meta: readers press Num Lock before digits and after. */
const SILENT_KEYS: ReadonlySet<number> = new Set([29, 56, 58, 69, 70, 97, 100, 125, 126]);
/** For a key that writes nothing that an id has: left out, it would make another id of what is around it. */
const UNKNOWN = '\uFFFD';
/** Longer than any id, so that what is cut here is none. */
const MAX_LENGTH = 100;

/**
 * Makes text of the keys that a reader presses. A run of them ends with Enter, or with silence.
 *
 * It does no I/O, never throws, and its memory is bounded.
 */
export class KeyDecoder {
  readonly #layout: KeyboardLayout;
  readonly #silenceMs: number;
  readonly #heldShifts = new Set<number>();
  #run = '';
  #lastMs = -Infinity;
  #isSpoiled = false;

  /** @param silenceMs Milliseconds without a key, after which the next one begins another run. */
  constructor(layout: KeyboardLayout, silenceMs: number) {
    this.#layout = layout;
    this.#silenceMs = silenceMs;
  }

  /**
   * Takes the next event.
   *
   * @returns The runs that ended before it and with it, without white space around them; empty ones are left out.
   */
  push({ code, value, timeMs }: KeyEvent): readonly string[] {
    const ended = timeMs - this.#lastMs > this.#silenceMs ? this.end() : [];
    this.#lastMs = timeMs;
    if (SHIFT_KEYS.has(code)) {
      if (value === 0) this.#heldShifts.delete(code);
      else this.#heldShifts.add(code);
    } else if (value === DOWN && !SILENT_KEYS.has(code)) {
      if (ENTER_KEYS.has(code)) return [...ended, ...this.end()];
      const [plain, shifted] = this.#layout.get(code) ?? [UNKNOWN, UNKNOWN];
      if (this.#run.length < MAX_LENGTH) this.#run += this.#heldShifts.size > 0 ? shifted : plain;
    }
    return ended;
  }

  /** Ends the run, as silence does. */
  end(): readonly string[] {
    const run = this.#isSpoiled ? '' : this.#run.trim();
    this.#run = '';
    this.#isSpoiled = false;
    return run === '' ? [] : [run];
  }

  /**
   * Takes note that keys were lost at a time, in milliseconds: the run that they belong to is dropped to its end, and
   * no key is held any more.
   */
  spoil(timeMs: number): void {
    this.#lastMs = timeMs;
    this.#isSpoiled = true;
    this.#heldShifts.clear();
  }
}
