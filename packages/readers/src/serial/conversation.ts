import type { Clock, Subscription, TallybookError } from '@tallybook/domain';
import type { FrameDecoder } from './frame-decoder.js';

interface Far {
  readonly send: (bytes: Uint8Array) => void;
  readonly report: (fault: TallybookError) => void;
}

/** Says to a device what its decoder has to say to it, when it is time. Nothing, for a decoder that only listens. */
export class Conversation {
  readonly #decoder: FrameDecoder;
  readonly #clock: Clock;
  readonly #far: Far;
  #next: Subscription | undefined;
  #isOver = false;

  constructor(decoder: FrameDecoder, clock: Clock, far: Far) {
    this.#decoder = decoder;
    this.#clock = clock;
    this.#far = far;
  }

  /** Asks the decoder now: at the beginning, and whenever something was received. */
  goOn(): void {
    this.#next?.unsubscribe();
    // What was received last may be told of after the line was lost.
    if (this.#isOver) return;
    const prompt = this.#decoder.prompt?.(this.#clock.monotonicMs());
    if (prompt === undefined) return;
    if (prompt.fault !== undefined) this.#far.report(prompt.fault);
    if (prompt.bytes !== undefined) this.#far.send(prompt.bytes);
    this.#next = this.#clock.schedule(prompt.againMs, () => {
      this.goOn();
    });
  }

  /** Ends it for good. */
  stop(): void {
    this.#isOver = true;
    this.#next?.unsubscribe();
  }
}
