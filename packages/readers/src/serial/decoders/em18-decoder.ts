import { findDigitsProblem, takeDigits, type Em4100Options } from './em4100-digits.js';
import type { DecodedFrame, FrameDecoder } from './frame-decoder.js';
import { invalidFrame } from './invalid-frame.js';

const LENGTH = 12;
/**
 * Largest number of kept frames without a silence between them: more than `confirm` asks for. A resting tag may send
 * any number.
 */
const MOST_KEPT = 16;

/**
 * Decodes the frames of EM-18 modules for an EM4100 tag: 10 hex digits, then 2 hex digits of the XOR of their bytes.
 * There is nothing before or after them.
 *
 * Only silence shows where a frame begins. The checksum does not: it may also be right for the end of one frame and the
 * beginning of the next, as for 1122334B4B between two frames of 4B00112233. So the bytes between two silences of more
 * than 50 ms are one or more whole frames, or they are one fault, however many they are. Bytes before the first silence
 * are a fault, too.
 */
export class Em18Decoder implements FrameDecoder {
  /** A frame takes under 13 ms at 9600 baud. */
  readonly silenceMs = 50;
  readonly #options: Em4100Options;
  #wasSilent = false;
  /** The whole frames since the latest silence, sound or not. */
  #frames: string[] = [];
  #problem: string | undefined;
  /** The beginning of the next frame. */
  #begun: number[] = [];
  #length = 0;

  constructor(options: Em4100Options = {}) {
    this.#options = options;
  }

  push(chunk: Uint8Array): readonly DecodedFrame[] {
    for (const byte of chunk) {
      this.#length++;
      if (this.#begun.push(byte) < LENGTH) continue;
      const text = Buffer.from(this.#begun).toString('latin1');
      this.#begun = [];
      this.#problem ??= findDigitsProblem(text);
      if (this.#frames.length < MOST_KEPT) this.#frames.push(text);
    }
    return [];
  }

  silence(): readonly DecodedFrame[] {
    const decoded = this.#length === 0 ? [] : this.#decodePiece();
    this.#wasSilent = true;
    this.#frames = [];
    this.#problem = undefined;
    this.#begun = [];
    this.#length = 0;
    return decoded;
  }

  #decodePiece(): readonly DecodedFrame[] {
    const problem = this.#findProblem();
    if (problem === undefined) return this.#frames.map((digits) => takeDigits(digits, this.#options));
    const head = this.#frames[0] === undefined ? this.#begun : Buffer.from(this.#frames[0], 'latin1');
    return [{ fault: invalidFrame(problem, Uint8Array.from(head), this.#length) }];
  }

  #findProblem(): string | undefined {
    if (!this.#wasSilent) return 'bytes before the line was silent for the first time';
    return this.#begun.length > 0 ? 'a frame of a wrong length' : this.#problem;
  }
}
