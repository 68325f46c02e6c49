import { counted, isTallybookError, TallybookError, type TallyId } from '@tallybook/domain';

/** Result of a decoder. */
export type DecodedFrame =
  /** The bytes of an id; `isUid` if they are the UID of an ISO/IEC 14443 type A tag. */
  | { readonly id: TallyId; readonly isUid?: boolean }
  /** An id as the device spells it. */
  | { readonly text: string }
  /** Bytes that do not make an id. */
  | { readonly fault: TallybookError };

/** The result of reading an id, or its error as a fault. */
export function decoded(read: () => DecodedFrame): DecodedFrame {
  try {
    return read();
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return { fault: error };
  }
}

/** The next step of a conversation with a device. */
export interface Prompt {
  /** Bytes to send now, if any. */
  readonly bytes?: Uint8Array;
  /** A fault: the device does not answer. */
  readonly fault?: TallybookError;
  /** Milliseconds until the next question, unless bytes arrive earlier. */
  readonly againMs: number;
}

/** Finds ids in the bytes of one connection. It does no I/O, never throws, and its memory is bounded. */
export interface FrameDecoder {
  /** Milliseconds of silence after which `silence` is called. */
  readonly silenceMs?: number;
  /**
   * Takes the next bytes. They may be cut anywhere.
   *
   * @param monotonicMs Time at which the bytes were read. They may have arrived earlier: a busy process reads late, so
   * the time between two calls does not show silence.
   * @returns The results that these bytes complete, in order.
   */
  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[];
  /**
   * Called once when no byte has arrived for `silenceMs` and none waits: after the opening of the line, and after
   * bytes.
   *
   * @returns The results that the silence completes: usually the fault of an incomplete frame.
   */
  silence?(): readonly DecodedFrame[];
  /**
   * For devices that send only answers. Called when the line is open, after each `push`, and when the time of the
   * last prompt is over.
   */
  prompt?(monotonicMs: number): Prompt;
}

/** Largest number of bytes whose shape is shown. */
const SHOWN = 16;
/** STX, ETX, LF and CR: the first and last bytes of frames and lines. */
const DELIMITERS: readonly number[] = [0x02, 0x03, 0x0a, 0x0d];
/** Largest number of them at one end: CR, LF and ETX. */
const MOST_AT_END = 3;

/**
 * The fault of bytes that are no frame. Faults are logged, and the bytes may hold an id, so the fault does not show
 * them. It shows their shape, from which the right protocol can be guessed:
 *
 * ```
 * 02 ############ 0D 0A 03    # a hex digit, x another character, ? another byte; delimiters at both ends unchanged
 * ```
 *
 * @param problem Description of the bytes.
 * @param head The first bytes; the shape of at most 16 is shown.
 * @param length Number of all bytes.
 * @param advice What to do if it goes on.
 */
export function invalidFrame(
  problem: string,
  head: Uint8Array,
  length: number = head.length,
  advice = 'check the wiring and the baud rate',
): TallybookError {
  const shape = shapeOf(head, length);
  return new TallybookError(
    'FRAME_INVALID',
    `received ${problem} (${counted(length, 'byte')}${shape === '' ? '' : `: ${shape}`}); if this goes on, ${advice}`,
    { details: { length, problem } },
  );
}

function shapeOf(head: Uint8Array, length: number): string {
  const shown = Array.from(head.subarray(0, SHOWN), (byte, index) => {
    const isAtEnd = index === 0 || index >= length - MOST_AT_END;
    return isAtEnd && DELIMITERS.includes(byte) ? ` ${toHex(byte)} ` : symbolOf(byte);
  });
  const more = length > shown.length && shown.length > 0 ? '…' : '';
  return shown.join('').trim().replaceAll('  ', ' ') + more;
}

function symbolOf(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[0-9a-f]/i.test(character)) return '#';
  return /[ -~]/.test(character) ? 'x' : '?';
}

function toHex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
