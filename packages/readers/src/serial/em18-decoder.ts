import { findDigitsProblem, takeDigits, type Em4100Options } from './em4100-digits.js';
import type { DecodedFrame, FrameDecoder } from './frame-decoder.js';
import { invalidFrame } from './invalid-frame.js';

const LENGTH = 12;
/** A frame takes under 13 ms at 9600 baud. */
const SILENCE_MS = 50;

/**
 * Decodes what EM-18 modules send for an EM4100 tag: 10 hex digits, and 2 of the XOR of their bytes, with nothing
 * before or after them. So a frame is 12 characters that come after a silence of more than 50 ms or after another
 * frame. After anything else what follows is thrown away up to the next silence: one fault, however long it is,
 * reported when the silence is over.
 */
export class Em18Decoder implements FrameDecoder {
  readonly #options: Em4100Options;
  /** The first bytes since the latest frame or silence, as many as a frame has. */
  #head: number[] = [];
  /** How many they are in all. */
  #length = 0;
  #lastPushMs = 0;

  constructor(options: Em4100Options = {}) {
    this.#options = options;
  }

  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[] {
    const decoded: DecodedFrame[] = [];
    if (this.#length > 0 && monotonicMs - this.#lastPushMs > SILENCE_MS) {
      decoded.push({ fault: this.#endPiece() });
    }
    this.#lastPushMs = monotonicMs;
    for (const byte of chunk) {
      if (this.#head.length < LENGTH) this.#head.push(byte);
      this.#length++;
      if (this.#length === LENGTH && this.#problem === undefined) {
        decoded.push(takeDigits(this.#text, this.#options));
        this.#clear();
      }
    }
    return decoded;
  }

  get #text(): string {
    return Buffer.from(this.#head).toString('latin1');
  }

  get #problem(): string | undefined {
    return this.#length < LENGTH ? 'a frame of a wrong length' : findDigitsProblem(this.#text);
  }

  #endPiece(): ReturnType<typeof invalidFrame> {
    const fault = invalidFrame(this.#problem ?? 'a frame', Uint8Array.from(this.#head), this.#length);
    this.#clear();
    return fault;
  }

  #clear(): void {
    this.#head = [];
    this.#length = 0;
  }
}
