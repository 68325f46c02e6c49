import { parseReadId, parseTallyId } from '@tallybook/domain';
import { decoded, invalidFrame, type DecodedFrame, type FrameDecoder } from './frame-decoder.js';

export interface Em4100Options {
  /**
   * `keep` makes the checksum the last byte of the id, after it was checked: for the records of systems that stored all
   * 12 digits. Default `drop`.
   */
  readonly checksum?: 'drop' | 'keep' | undefined;
}

const DIGITS = /^[0-9a-f]{12}$/i;

/** Describes the error in 12 characters that should be the 5 bytes of an EM4100 tag and their XOR, in hex. */
export function findDigitsProblem(text: string): string | undefined {
  if (!DIGITS.test(text)) return 'a frame with other characters than hex digits';
  const sum = Buffer.from(text, 'hex').reduce((xor, byte) => xor ^ byte, 0);
  return sum === 0 ? undefined : 'a frame with a wrong checksum';
}

/** Makes an id of 12 such digits without an error. */
function takeDigits(digits: string, { checksum }: Em4100Options): DecodedFrame {
  return decoded(() => {
    const id = parseReadId(digits.slice(0, 10));
    return { id: checksum === 'keep' ? parseTallyId(digits) : id };
  });
}

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
    const frames = this.#length === 0 ? [] : this.#decodePiece();
    this.#wasSilent = true;
    this.#frames = [];
    this.#problem = undefined;
    this.#begun = [];
    this.#length = 0;
    return frames;
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

const STX = 0x02;
const ETX = 0x03;
const LINE_END = /\r\n$/;
const FRAME_DIGITS = 12;
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
    const frames: DecodedFrame[] = [];
    for (const byte of chunk) {
      if (byte === STX && this.#length > 0) frames.push(this.#endPiece());
      if (this.#length < LONG_FRAME) this.#head.push(byte);
      this.#length++;
      if (byte === ETX && this.#head[0] === STX) frames.push(this.#endPiece());
    }
    return frames;
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
  return content.length === FRAME_DIGITS ? findDigitsProblem(content) : 'a frame of a wrong length';
}
