import type { Clock, TallybookError } from '@tallybook/domain';
import { Silence } from '../silence.js';
import type { FrameDecoder } from './decoders/frame-decoder.js';

interface Far {
  readonly send: (bytes: Uint8Array) => void;
  readonly report: (fault: TallybookError) => void;
}

/** Sends the prompts of a decoder to its device at the right times. Does nothing for a decoder that only listens. */
export class Conversation {
  readonly #decoder: FrameDecoder;
  readonly #clock: Clock;
  readonly #far: Far;
  readonly #next: Silence;
  #isOver = false;

  constructor(decoder: FrameDecoder, clock: Clock, far: Far) {
    this.#decoder = decoder;
    this.#clock = clock;
    this.#far = far;
    // With `Silence`, an answer that has arrived but is not read yet comes first.
    this.#next = new Silence(clock, () => {
      this.goOn();
    });
  }

  /** Asks the decoder for the next prompt. Called at the beginning, and after all received bytes. */
  goOn(): void {
    this.#next.stop();
    // The last bytes may be handled after the line was lost.
    if (this.#isOver) return;
    const prompt = this.#decoder.prompt?.(this.#clock.monotonicMs());
    if (prompt === undefined) return;
    if (prompt.fault !== undefined) this.#far.report(prompt.fault);
    if (prompt.bytes !== undefined) this.#far.send(prompt.bytes);
    this.#next.await(prompt.againMs);
  }

  /** Ends it for good. */
  stop(): void {
    this.#isOver = true;
    this.#next.stop();
  }
}
