import type { TallybookError } from '@tallybook/domain';
import { invalidFrame } from './invalid-frame.js';

/** A frame that was found, or the fault of bytes that are none. */
export type Piece = { readonly frame: Buffer } | { readonly fault: TallybookError };

/** Milliseconds: neither modules nor adapters pause for so long within a frame. */
export const FRAME_SILENCE_MS = 100;

/**
 * Finds binary frames that say how long they are, whatever bytes are in them.
 *
 * Where no frame begins a byte is skipped, so that a frame is found after any noise: also within what began like a
 * longer one, when that is broken off by silence. Bytes that were skipped are one fault, reported when the next frame is
 * found or the line is silent.
 */
export class FramedByLength {
  readonly #measure: (bytes: Buffer) => number | undefined;
  readonly #filling: number | undefined;
  #bytes = Buffer.alloc(0);
  #skipped: number[] = [];
  #skippedLength = 0;

  /**
   * @param measure How long the frame is with which the bytes begin, of which there is at least one; `Infinity` if
   * it takes more bytes to tell or to complete it, `undefined` if none begins there. 1 is filling between frames. It
   * must be able to tell within some hundred bytes, which is what bounds the memory.
   * @param filling The byte that may end a line without being a fault, where there is one.
   */
  constructor(measure: (bytes: Buffer) => number | undefined, filling?: number) {
    this.#measure = measure;
    this.#filling = filling;
  }

  *push(chunk: Uint8Array): Generator<Piece, void, undefined> {
    const bytes = Buffer.concat([this.#bytes, chunk]);
    let at = 0;
    while (at < bytes.length) {
      const rest = bytes.subarray(at);
      const length = this.#measure(rest);
      if (length === Infinity) break;
      if (length === undefined) this.#skip(rest);
      else if (length > 1) {
        yield* this.#endSkipping();
        yield { frame: rest.subarray(0, length) };
      }
      at += length ?? 1;
    }
    this.#bytes = bytes.subarray(at);
  }

  *silence(): Generator<Piece, void, undefined> {
    while (this.#bytes.length > 0) {
      const rest = this.#bytes.subarray(1);
      if (rest.length > 0 || this.#bytes[0] !== this.#filling) this.#skip(this.#bytes);
      this.#bytes = Buffer.alloc(0);
      yield* this.push(rest);
    }
    yield* this.#endSkipping();
  }

  /** Skips the first one of some bytes. */
  #skip([byte = 0]: Uint8Array): void {
    if (this.#skipped.length < 16) this.#skipped.push(byte);
    this.#skippedLength++;
  }

  *#endSkipping(): Generator<Piece, void, undefined> {
    if (this.#skippedLength === 0) return;
    const fault = invalidFrame(
      'bytes outside a frame, or a broken one',
      Uint8Array.from(this.#skipped),
      this.#skippedLength,
    );
    this.#skipped = [];
    this.#skippedLength = 0;
    yield { fault };
  }
}
