import type { TallybookError } from '@tallybook/domain';
import { invalidFrame } from './frame-decoder.js';

/** A found frame, or the fault of bytes that are not a frame. */
export type Piece = { readonly frame: Buffer } | { readonly fault: TallybookError };

/** Milliseconds of silence after a frame: neither modules nor adapters pause for so long within a frame. */
export const FRAME_SILENCE_MS = 100;

/**
 * Finds binary frames that contain their own length. Their content may be any bytes.
 *
 * A byte that begins no frame is skipped, so a frame is found after any noise. If silence cuts off a longer frame, its
 * bytes are searched for a shorter frame. Skipped bytes are one fault, reported when the next frame is found or the
 * line is silent.
 */
export class FramedByLength {
  readonly #measure: (bytes: Buffer) => number | undefined;
  readonly #filling: number | undefined;
  #bytes = Buffer.alloc(0);
  #skipped: number[] = [];
  #skippedLength = 0;

  /**
   * @param measure Length of the frame at the beginning of one or more bytes. `Infinity` if more bytes are needed to
   * know the length or to complete the frame, `undefined` if no frame begins there. 1 is filling between frames. The
   * length must be known within some hundred bytes: that bounds the memory.
   * @param filling The byte that may come last before a silence without being a fault, if there is such a byte.
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

  /** Skips the first of the bytes. */
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
