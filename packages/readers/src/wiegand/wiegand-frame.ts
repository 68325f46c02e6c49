import { counted, TallybookError, type Clock } from '@tallybook/domain';
import { Silence } from '../silence.js';

/** A pulse on D0 is 0, a pulse on D1 is 1. */
export type Bit = 0 | 1;

/**
 * Lengths of frames with a known parity, in bits.
 *
 * ```
 * 26 34 42 50 58 66 74 82   even parity, 3 to 10 bytes, odd parity: the first bit makes the number of ones in the first
 *                           half even, the last bit makes that in the second half odd
 * 37                        the same around 35 bits; the middle bit counts in both halves
 * ```
 *
 * @see HID's H10301 (26), H10306 (34), H10302 and H10304 (37; these two differ in the meaning of the 35 bits).
 */
export const PARITY_LENGTHS: readonly number[] = [26, 34, 37, 42, 50, 58, 66, 74, 82];

/** Lengths of the supported frames, in bits: those with a known parity, 20 to 64, 72 and 80. */
export const WIEGAND_LENGTHS: readonly number[] = [
  ...Array.from({ length: 45 }, (_, index) => 20 + index),
  ...[66, 72, 74, 80, 82],
];

/**
 * Takes the bytes out of a frame whose length is in {@link WIEGAND_LENGTHS}, the most significant first. Without a known
 * parity, all bits are the id. Bits that fill no whole bytes become the last bits of the bytes.
 *
 * @returns `undefined` if a parity is wrong.
 */
function decodeFrame(bits: readonly Bit[]): Uint8Array | undefined {
  if (!PARITY_LENGTHS.includes(bits.length)) return toBytes(bits);
  const data = bits.slice(1, -1);
  const checked = Math.ceil(data.length / 2) + 1;
  const isSound = countOnes(bits.slice(0, checked)) % 2 === 0 && countOnes(bits.slice(-checked)) % 2 === 1;
  return isSound ? toBytes(data) : undefined;
}

function countOnes(bits: readonly Bit[]): number {
  return bits.filter((bit) => bit === 1).length;
}

function toBytes(bits: readonly Bit[]): Uint8Array {
  const digits = 2 * Math.ceil(bits.length / 8);
  return Buffer.from(
    BigInt(`0b${bits.join('')}`)
      .toString(16)
      .padStart(digits, '0'),
    'hex',
  );
}

/** A pulse, at its falling edge. */
export interface Pulse {
  readonly bit: Bit;
  /** Time by the kernel's clock: microseconds since some fixed moment, with fractions. */
  readonly atUs: number;
}

/** Result of a frame: the bytes of an id, or a fault. `isKey` means that a key of a keypad was pressed. */
export type WiegandFrame =
  | { readonly bytes: Uint8Array }
  | { readonly fault: TallybookError; readonly isKey: boolean };

/** The expected frames. */
export interface WiegandFormat {
  /** Lengths of the frames in bits, each from {@link WIEGAND_LENGTHS}. */
  readonly lengths: readonly number[];
  /** A longer silence than this, in milliseconds, is between two frames. */
  readonly silenceMs: number;
}

/**
 * Edges nearer to each other than this are one pulse whose edge rings. Readers leave at least 200 µs from one pulse to
 * the next; the measured readers left 650 µs and more.
 */
const RINGING_US = 150;

/** Keypads send the number of a key, or its complement and the number. */
const KEY_LENGTHS: readonly number[] = [4, 8];

/**
 * Finds frames in pulses. The pulses may be reported in any order.
 *
 * A frame is the pulses between two silences. It becomes an id if its length is an expected one and its parities are
 * right. In a frame with parity, one pulse that is lost, additional or on the wrong line never makes another id. Two
 * such pulses may: the two parity bits cannot show them.
 */
export function decodePulses(pulses: readonly Pulse[], format: WiegandFormat): readonly WiegandFrame[] {
  const frames: Pulse[][] = [];
  let lastUs = -Infinity;
  for (const pulse of [...pulses].sort((a, b) => a.atUs - b.atUs)) {
    if (pulse.atUs - lastUs > format.silenceMs * 1_000) frames.push([]);
    frames.at(-1)?.push(pulse);
    lastUs = pulse.atUs;
  }
  return frames.map((frame) => decode(frame, format.lengths));
}

/**
 * The fault of pulses that are no frame. It does not show the pulses: they may be an id, or somebody's secret number.
 */
export function invalidPulses(problem: string, length: number): TallybookError {
  return new TallybookError(
    'FRAME_INVALID',
    `received ${problem} (${counted(length, 'bit')}); if this goes on, check the wiring of D0, D1 and ground, and the setting "bits"`,
    { details: { length, problem } },
  );
}

function decode(pulses: readonly Pulse[], lengths: readonly number[]): WiegandFrame {
  const bits: Bit[] = [];
  let lastUs = -Infinity;
  for (const { bit, atUs } of pulses) {
    if (atUs - lastUs >= RINGING_US) {
      bits.push(bit);
      lastUs = atUs;
    } else if (bit !== bits.at(-1)) {
      return fail('pulses on both lines at once', pulses.length);
    }
  }
  if (KEY_LENGTHS.includes(bits.length)) {
    return { fault: invalidPulses('a key of a keypad, which is no id', bits.length), isKey: true };
  }
  if (!lengths.includes(bits.length)) return fail('a frame of a wrong length', bits.length);
  const bytes = decodeFrame(bits);
  if (bytes !== undefined) return { bytes };
  const swapped = decodeFrame(bits.map((bit) => (bit === 0 ? 1 : 0)));
  const more = swapped === undefined ? '' : ', which is right if D0 and D1 are swapped';
  return fail(`a frame with a wrong parity${more}`, bits.length);
}

function fail(problem: string, length: number): WiegandFrame {
  return { fault: invalidPulses(problem, length), isKey: false };
}

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
