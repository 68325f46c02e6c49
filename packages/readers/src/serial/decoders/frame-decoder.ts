import type { TallybookError, TallyId } from '@tallybook/domain';

/** What a decoder made of the bytes of a serial line. */
export type DecodedFrame =
  /** The bytes of an id; `isUid` if they are the UID of an ISO/IEC 14443 type A tag. */
  | { readonly id: TallyId; readonly isUid?: boolean }
  /** An id as the device spells it. */
  | { readonly text: string }
  /** Something that is none. */
  | { readonly fault: TallybookError };

/** What is to be said to a device. */
export interface Prompt {
  /** What to send now, if anything. */
  readonly bytes?: Uint8Array;
  /** What came to light meanwhile: that the device does not answer. */
  readonly fault?: TallybookError;
  /** When to ask again, in milliseconds from now, unless something is received before. */
  readonly againMs: number;
}

/** Finds ids in the bytes of one connection. It does no I/O, never throws, and its memory is bounded. */
export interface FrameDecoder {
  /** Milliseconds without a byte that mean something in the protocol. */
  readonly silenceMs?: number;
  /**
   * Takes the next bytes, cut anywhere.
   *
   * @param monotonicMs When they were read. They came then, or before: a process that has much to do reads late, so the
   * time between two calls is no silence.
   * @returns What these bytes completed, in order.
   */
  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[];
  /**
   * Called once when nothing has come for `silenceMs`, and nothing waits to be read: after the line was opened, and after
   * bytes.
   *
   * @returns What the silence completed: as a rule the fault of what was broken off.
   */
  silence?(): readonly DecodedFrame[];
  /**
   * For devices that speak only when they are spoken to. Asked when the line is there, after each `push`, and when
   * the time that it named is over.
   */
  prompt?(monotonicMs: number): Prompt;
}
