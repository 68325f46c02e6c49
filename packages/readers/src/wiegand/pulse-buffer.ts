import type { Clock } from '@tallybook/domain';
import { Silence } from '../silence.js';
import type { Pulse } from './decode-pulses.js';

/** More pulses than any frame has, and more than the kernel keeps of several frames. */
const MOST = 1_000;

export interface PulseListener {
  /** Called at each silence, with all pulses since the silence before. */
  readonly onSilence: (pulses: readonly Pulse[]) => void;
  /** Called once when there are too many pulses without a silence. All pulses up to the next silence are dropped. */
  readonly onFlood: (count: number) => void;
}

/**
 * Collects pulses until none came for a while.
 *
 * Pulses are reported late and several at a time. On a busy system, libgpiod 1.x reports the pulses of one line before
 * those of the other. So frames are found by the times of the pulses, and only when no more pulses can come.
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

  /** Stops waiting for a silence. Another pulse starts the wait again. */
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
