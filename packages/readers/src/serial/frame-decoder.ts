import type { TallybookError, TallyId } from '@tallybook/domain';

/** What a decoder made of the bytes of a serial line: an id, or something that is none. */
export type DecodedFrame = { readonly id: TallyId } | { readonly fault: TallybookError };

/** Finds ids in the bytes of one connection. It does no I/O, never throws, and its memory is bounded. */
export interface FrameDecoder {
  /**
   * Takes the next bytes, cut anywhere.
   *
   * @param monotonicMs When they came, for protocols in which silence means something.
   * @returns What these bytes completed, in order.
   */
  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[];
}
