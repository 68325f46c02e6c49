import { counted, TallybookError } from '@tallybook/domain';
import { decodeFrame, type Bit } from './wiegand-frame.js';

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
