import { findDigitsProblem, takeDigits, type Em4100Options } from './em4100-digits.js';
import type { DecodedFrame, FrameDecoder } from './frame-decoder.js';
import { invalidFrame } from './invalid-frame.js';

const STX = 0x02;
const ETX = 0x03;
const LINE_END = /\r\n$/;
const DIGITS = 12;
const LONG_FRAME = 16;

/**
 * Decodes the frames of 125 kHz modules of the RDM6300 and ID-12 families for an EM4100 tag:
 *
 * ```
 * STX  10 hex digits: the id          2 hex digits: XOR of its 5 bytes  [CR LF]  ETX
 *  02  36 32 45 33 30 38 36 43 45 44  30 38                             [0D 0A]  03   is 62E3086CED
 * ```
 *
 * The bytes are cut into pieces: after an ETX that ends a piece with an STX, before an STX, and where the line was
 * silent for more than 100 ms. Each piece is one frame or one fault. So noise is one fault, however long it is,
 * reported when the piece ends.
 *
 * A single flipped bit never changes the id of a frame: the checksum covers every bit of the id, and a digit that
 * becomes STX or ETX leaves pieces of a wrong length. Two flipped bits can change the id; see {@link Confirmation}.
 *
 * @see Seeed Studio 125Khz RFID module datasheet, page 3; ID-Innovations ID-2/ID-12/ID-20 datasheet, page 4.
 */
export class Rdm6300Decoder implements FrameDecoder {
  /** A frame takes under 17 ms at 9600 baud; the modules leave up to 50 ms between two frames. */
  readonly silenceMs = 100;
  readonly #options: Em4100Options;
  /** The first bytes of the piece, up to the length of the longest frame. */
  #head: number[] = [];
  /** Length of the whole piece. */
  #length = 0;

  constructor(options: Em4100Options = {}) {
    this.#options = options;
  }

  push(chunk: Uint8Array): readonly DecodedFrame[] {
    const decoded: DecodedFrame[] = [];
    for (const byte of chunk) {
      if (byte === STX && this.#length > 0) decoded.push(this.#endPiece());
      if (this.#length < LONG_FRAME) this.#head.push(byte);
      this.#length++;
      if (byte === ETX && this.#head[0] === STX) decoded.push(this.#endPiece());
    }
    return decoded;
  }

  silence(): readonly DecodedFrame[] {
    return this.#length === 0 ? [] : [this.#endPiece()];
  }

  #endPiece(): DecodedFrame {
    const head = Buffer.from(this.#head);
    const length = this.#length;
    this.#head = [];
    this.#length = 0;
    const problem = findProblem(head, length);
    return problem === undefined
      ? takeDigits(contentOf(head), this.#options)
      : { fault: invalidFrame(problem, head, length) };
  }
}

/** The characters between STX and ETX, without CR LF. */
function contentOf(frame: Buffer): string {
  return frame.toString('latin1', 1, frame.length - 1).replace(LINE_END, '');
}

/** Describes why a piece is no frame. `head` may be only the beginning of the piece. */
function findProblem(head: Buffer, length: number): string | undefined {
  if (head[0] !== STX) return 'bytes outside a frame';
  if (length > LONG_FRAME) return 'a frame that is too long';
  if (head.at(-1) !== ETX) return 'a frame without its end';
  const content = contentOf(head);
  return content.length === DIGITS ? findDigitsProblem(content) : 'a frame of a wrong length';
}
