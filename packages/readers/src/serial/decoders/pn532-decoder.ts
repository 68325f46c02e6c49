import { parseReadId, TallybookError } from '@tallybook/domain';
import { decoded, invalidFrame, type DecodedFrame, type FrameDecoder, type Prompt } from './frame-decoder.js';
import { FRAME_SILENCE_MS, FramedByLength, type Piece } from './framed-by-length.js';

/** The first byte of the content of a frame: host to chip, chip to host, or an error of the chip. */
const TO_CHIP = 0xd4;
const FIRST_CARRIED: readonly number[] = [TO_CHIP, 0xd5, 0x7f];

/** Acknowledges an answer. If it is sent while the chip works, it ends that work. */
const pn532Ack: Uint8Array = Uint8Array.of(0x00, 0x00, 0xff, 0x00, 0xff, 0x00);

/** The byte before and after frames. */
const PN532_FILLING = 0x00;

/** Longest content of a frame, in bytes. A target with its longest ATS has less than half of this. */
const MAX_CARRIED = 265;

/** The normal information frame of a command. */
function encodePn532Command(command: readonly number[]): Uint8Array {
  const carried = [TO_CHIP, ...command];
  const length = carried.length;
  return Uint8Array.of(0x00, 0x00, 0xff, length, -length, ...carried, -sumOf(carried), 0x00);
}

/**
 * Length of the frame of a PN532 at the beginning of bytes, for {@link FramedByLength}.
 *
 * ```
 * 00 FF  00 FF                00   acknowledgement; FF 00 is a refusal
 * 00 FF  LEN LCS   D5 … DCS   00   LEN + LCS = 0, sum of the content and DCS = 0, both modulo 256
 * 00 FF  FF FF LENM LENL LCS  D5 … DCS 00   extended
 * ```
 *
 * Any further 00 before a frame is filling. The 00 after a frame is filling too: it may be the first byte of the next
 * frame.
 *
 * @see PN532 user manual, NXP UM0701-02, 6.2.1.
 */
function measurePn532Frame(bytes: Buffer): number | undefined {
  if (bytes[0] !== 0x00) return undefined;
  if (bytes.length === 1) return Infinity;
  if (bytes[1] !== 0xff) return 1;
  const header = readHeader(bytes);
  if (header === 'unfinished') return Infinity;
  if (header === undefined) return undefined;
  const { start, length } = header;
  if (length === 0) return start;
  const end = start + length + 1;
  if (bytes.length > start && !FIRST_CARRIED.includes(bytes[start] ?? 0)) return undefined;
  if (bytes.length < end) return Infinity;
  return sumOf(bytes.subarray(start, end)) % 256 === 0 ? end : undefined;
}

/** The content of a frame, with D5 and the code of the answer first; empty for an acknowledgement. */
function carriedByPn532Frame(frame: Buffer): Buffer {
  const header = readHeader(frame);
  if (header === 'unfinished' || header === undefined) return frame.subarray(0, 0);
  return frame.subarray(header.start, header.start + header.length);
}

/** Start and length of the content of a frame. */
function readHeader(
  bytes: Buffer,
): { readonly start: number; readonly length: number } | 'unfinished' | undefined {
  if (bytes.length < 4) return 'unfinished';
  const [, , length = 0, check = 0] = bytes;
  if (length === 0xff && check === 0xff) {
    if (bytes.length < 7) return 'unfinished';
    const extended = bytes.readUInt16BE(4);
    const isRight = sumOf(bytes.subarray(4, 7)) % 256 === 0 && extended > 0 && extended <= MAX_CARRIED;
    return isRight ? { start: 7, length: extended } : undefined;
  }
  // Acknowledgement and refusal: 00 FF and FF 00, whose sums are not 0.
  if (length + check === 0xff && (length === 0 || check === 0)) return { start: 4, length: 0 };
  return length > 0 && (length + check) % 256 === 0 ? { start: 4, length } : undefined;
}

function sumOf(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum;
}

const LIST_PASSIVE_TARGET = 0x4a;

/** Commands for the chip, in order. The last one is repeated. */
const COMMANDS: readonly (readonly [code: number, ...rest: number[]])[] = [
  [0x02], // GetFirmwareVersion
  [0x14, 0x01, 0x14, 0x00], // SAMConfiguration: normal mode, no interrupt line
  [0x32, 0x05, 0xff, 0x01, 0x10], // RFConfiguration, MaxRetries: look for a tag 16 times, then answer that there is none
  [LIST_PASSIVE_TARGET, 0x01, 0x00], // one target of 106 kbit/s, type A
];

/** Wakes the chip from sleep. The chip ignores the zeros as filling. */
const WAKE_UP = Uint8Array.of(0x55, 0x55, ...new Uint8Array(14));

const FROM_CHIP = 0xd5;
const ERROR = 0x7f;
const UID_LENGTHS: readonly number[] = [4, 7, 10];

/** Milliseconds from one answer to the next question. So a resting tag is read a few times a second. */
const POLL_MS = 150;
/** Longest wait for an answer. The chip looks for a tag in well under half of this. */
const ANSWER_MS = 1_000;
/** Wait before the chip is set up again after a missing answer. */
const PAUSE_MS = 500;

/**
 * Asks a PN532 on a serial line (HSU, 115200 baud) for tags of ISO/IEC 14443 type A, and decodes its answers.
 *
 * ```
 * wake up -> firmware -> SAM -> retries -> is there a tag? -> wait 150 ms -> is there a tag? …
 *    ^                                           |
 *    '----- ACK, which stops it, and 500 ms -----'- no answer for 1 s (reset, unplugged), or an error frame
 * ```
 *
 * By default the chip looks for a tag for ever. With a limited number of tries it answers in time, and a timer here
 * notices a missing answer. A tag that stays is delivered with each answer. Its removal is not reported, because
 * nothing needs that.
 */
export class Pn532Decoder implements FrameDecoder {
  readonly silenceMs: number = FRAME_SILENCE_MS;
  readonly #frames = new FramedByLength(measurePn532Frame, PN532_FILLING);
  /** Index of the next command. */
  #step = 0;
  /** The command that waits for its answer, and the time at which it was sent. */
  #asked: { readonly code: number; readonly atMs: number } | undefined;
  #nextMs = -Infinity;
  #receivedMs = 0;
  #isTold = false;

  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[] {
    this.#receivedMs = monotonicMs;
    return this.#takeAll(this.#frames.push(chunk));
  }

  silence(): readonly DecodedFrame[] {
    return this.#takeAll(this.#frames.silence());
  }

  prompt(monotonicMs: number): Prompt {
    if (this.#asked !== undefined) {
      const waitMs = this.#asked.atMs + ANSWER_MS - monotonicMs;
      return waitMs > 0 ? { againMs: waitMs } : this.#giveUp(monotonicMs);
    }
    if (monotonicMs < this.#nextMs) return { againMs: this.#nextMs - monotonicMs };
    const command = COMMANDS[this.#step] ?? [LIST_PASSIVE_TARGET];
    this.#asked = { code: command[0], atMs: monotonicMs };
    const bytes = encodePn532Command(command);
    return { bytes: this.#step === 0 ? Buffer.concat([WAKE_UP, bytes]) : bytes, againMs: ANSWER_MS };
  }

  #giveUp(monotonicMs: number): Prompt {
    const prompt = { bytes: pn532Ack, againMs: PAUSE_MS };
    const isTold = this.#isTold;
    this.#isTold = true;
    this.#setUpAnew(monotonicMs);
    return isTold ? prompt : { ...prompt, fault: silence() };
  }

  #setUpAnew(monotonicMs: number): void {
    this.#step = 0;
    this.#asked = undefined;
    this.#nextMs = monotonicMs + PAUSE_MS;
  }

  #takeAll(pieces: Iterable<Piece>): readonly DecodedFrame[] {
    return Array.from(pieces).flatMap((piece) =>
      'fault' in piece ? [piece] : this.#take(piece.frame, this.#receivedMs),
    );
  }

  #take(frame: Buffer, monotonicMs: number): readonly DecodedFrame[] {
    const carried = carriedByPn532Frame(frame);
    if (carried[0] === ERROR) {
      this.#setUpAnew(monotonicMs);
      return [{ fault: invalidFrame('an error of the PN532, which is now set up again', frame) }];
    }
    if (carried[0] !== FROM_CHIP) return [];
    const code = carried[1] ?? 0;
    if (code === (this.#asked?.code ?? NaN) + 1) this.#goOn(monotonicMs);
    return code === LIST_PASSIVE_TARGET + 1 ? readTargets(carried, frame) : [];
  }

  #goOn(monotonicMs: number): void {
    this.#asked = undefined;
    this.#isTold = false;
    const isLast = this.#step === COMMANDS.length - 1;
    this.#nextMs = isLast ? monotonicMs + POLL_MS : monotonicMs;
    if (!isLast) this.#step++;
  }
}

/**
 * D5 4B, number of targets, then the target: its number, SENS_RES (2 bytes), SEL_RES, length of the UID, UID, ATS if
 * there is one.
 */
function readTargets(carried: Buffer, frame: Buffer): readonly DecodedFrame[] {
  if (carried[2] === 0) return [];
  const length = carried[7] ?? 0;
  const uid = carried.subarray(8, 8 + length);
  const isWhole = carried[2] === 1 && UID_LENGTHS.includes(length) && uid.length === length;
  if (!isWhole) {
    return [{ fault: invalidFrame('an answer without a UID of 4, 7 or 10 bytes', frame) }];
  }
  return [decoded(() => ({ id: parseReadId(uid.toString('hex')), isUid: true }))];
}

function silence(): TallybookError {
  return new TallybookError(
    'FRAME_INVALID',
    'the PN532 does not answer; check that its switches select HSU (UART), that RX and TX are crossed, and the baud rate',
    { details: { problem: 'no answer' } },
  );
}
