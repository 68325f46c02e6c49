import type { Clock } from '@tallybook/domain';
import { Silence } from '../silence.js';
import type { Pulse } from './decode-pulses.js';

/** More than any frame has, and than the kernel keeps of several. */
const MOST = 1_000;

export interface PulseListener {
  /** Called with all pulses since the silence before. */
  readonly onSilence: (pulses: readonly Pulse[]) => void;
  /** Called once when there are so many without a silence that they are dropped, up to the next one. */
  readonly onFlood: (count: number) => void;
}

/**
 * Collects pulses until none came for a while.
 *
 * Pulses are reported late, several at a time and, by libgpiod 1.x on a busy system, those of one line before those of the
 * other. So frames are found by the times of the pulses, and only when no more can come.
 */
export class PulseBuffer {
  readonly #silence: Silence;
  readonly #silenceMs: number;
  readonly #listener: PulseListener;
  #pulses: Pulse[] = [];
  #isFlooded = false;

  constructor(clock: Clock, silenceMs: number, listener: PulseListener) {
    this.#silence = new Silence(clock, () => {
      this.#end();
    });
    this.#silenceMs = silenceMs;
    this.#listener = listener;
  }

  add(pulse: Pulse): void {
    this.#silence.await(this.#silenceMs);
    if (this.#isFlooded) return;
    this.#pulses.push(pulse);
    if (this.#pulses.length < MOST) return;
    this.#pulses = [];
    this.#isFlooded = true;
    this.#listener.onFlood(MOST);
  }

  /** Waits no more for a silence, unless there is another pulse. */
  stop(): void {
    this.#silence.stop();
  }

  #end(): void {
    const pulses = this.#pulses;
    this.#pulses = [];
    this.#isFlooded = false;
    if (pulses.length > 0) this.#listener.onSilence(pulses);
  }
}
