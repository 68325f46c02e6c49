import { isTallybookError } from '@tallybook/domain';
import { LineSplitter, type Line } from '../stdin/line-splitter.js';
import type { DecodedFrame, FrameDecoder } from './frame-decoder.js';
import { invalidFrame } from './invalid-frame.js';

/** Longest line, in characters. */
const MAX_LENGTH = 256;
/** No device pauses for so long within a line; what comes after it is another one. */
const SILENCE_MS = 200;
/** How long lines are ignored after one that took too long, so that they cannot take all the time there is. */
const REST_MS = 5_000;
/** Only what is ASCII: the lines are still bytes, of which A0 may be a part of a character. */
const WHITE_SPACE_AROUND = /^[\t\v\f\r ]+|[\t\v\f\r ]+$/g;

/**
 * Decodes lines of text that end with CR, LF or both, each an id or a part of it. Empty lines mean nothing.
 *
 * A line of more than 256 characters, and one that is broken off for more than 200 ms, is one fault.
 */
export class LineDecoder implements FrameDecoder {
  readonly #take: (line: string) => DecodedFrame;
  readonly #lines = new LineSplitter(MAX_LENGTH);
  #lastPushMs = 0;
  #restUntilMs = -Infinity;

  /** @param take What to make of the bytes of a line, without white space around them. It may throw a `TallybookError`. */
  constructor(take: (line: string) => DecodedFrame) {
    this.#take = take;
  }

  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[] {
    const decoded: DecodedFrame[] = [];
    if (monotonicMs - this.#lastPushMs > SILENCE_MS) {
      for (const line of this.#lines.end()) {
        if ('text' in line && line.text.trim() !== '')
          decoded.push(invalid('a line without its end', line.text));
      }
    }
    this.#lastPushMs = monotonicMs;
    const text = Buffer.from(chunk).toString('latin1').replaceAll('\r', '\n');
    for (const line of this.#lines.push(text)) {
      const frame = this.#decode(line, monotonicMs);
      if (frame !== undefined) decoded.push(frame);
    }
    return decoded;
  }

  #decode(line: Line, monotonicMs: number): DecodedFrame | undefined {
    if ('isTooLong' in line) return invalid(`a line of more than ${MAX_LENGTH} characters`, '');
    const text = line.text.replace(WHITE_SPACE_AROUND, '');
    if (text === '' || monotonicMs < this.#restUntilMs) return undefined;
    try {
      return this.#take(text);
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      if (error.code === 'FRAME_INVALID') this.#restUntilMs = monotonicMs + REST_MS;
      return { fault: error };
    }
  }
}

function invalid(problem: string, text: string): DecodedFrame {
  return { fault: invalidFrame(problem, Buffer.from(text, 'latin1')) };
}
