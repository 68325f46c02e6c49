import type { TallybookError, TallyId } from '@tallybook/domain';

/** Result of a decoder. */
export type DecodedFrame =
  /** The bytes of an id; `isUid` if they are the UID of an ISO/IEC 14443 type A tag. */
  | { readonly id: TallyId; readonly isUid?: boolean }
  /** An id as the device spells it. */
  | { readonly text: string }
  /** Bytes that do not make an id. */
  | { readonly fault: TallybookError };

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
