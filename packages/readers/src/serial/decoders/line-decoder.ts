import { isTallybookError } from '@tallybook/domain';
import { LineSplitter, type Line } from '../../line-splitter.js';
import type { DecodedFrame, FrameDecoder } from './frame-decoder.js';
import { invalidFrame } from './invalid-frame.js';

/** Longest line, in characters. */
const MAX_LENGTH = 256;
/**
 * Milliseconds for which lines are ignored after a line that took too long, so that lines cannot take all the processor
 * time.
 */
const REST_MS = 5_000;
/** Only white space of ASCII: the lines are still bytes, and a byte A0 may be a part of a character. */
const WHITE_SPACE_AROUND = /^[\t\v\f\r ]+|[\t\v\f\r ]+$/g;
const NO_END =
  'let the reader end lines with CR or LF, or set pattern and match=part, so that silence ends them; or check the wiring';

/**
 * Decodes lines of text that end with CR, LF or both, each an id or a part of it. Empty lines mean nothing.
 *
 * A line of more than 256 characters is one fault. So is one with a pause of more than 200 ms before its end, unless the
 * pause may end lines.
 */
export class LineDecoder implements FrameDecoder {
  /** No device pauses for so long within a line; bytes after the pause are another line. */
  readonly silenceMs = 200;
  readonly #take: (line: string) => DecodedFrame;
  readonly #lines = new LineSplitter(MAX_LENGTH);
  readonly #endsWithSilence: boolean;
  #restUntilMs = -Infinity;
  #lastMs = 0;

  /**
   * @param take Decodes the bytes of a line, without white space around them. It may throw a `TallybookError`.
   * @param endsWithSilence Whether a pause of 200 ms ends a line too.
   */
  constructor(take: (line: string) => DecodedFrame, endsWithSilence = false) {
    this.#take = take;
    this.#endsWithSilence = endsWithSilence;
  }

  push(chunk: Uint8Array, monotonicMs: number): readonly DecodedFrame[] {
    this.#lastMs = monotonicMs;
    return this.#decodeAll(this.#lines.push(Buffer.from(chunk).toString('latin1')));
  }

  silence(): readonly DecodedFrame[] {
    const rest = this.#lines.end();
    if (this.#endsWithSilence) return this.#decodeAll(rest);
    const texts = Array.from(rest, (line) => ('text' in line ? line.text.trim() : ''));
    return texts.filter((text) => text !== '').map((text) => invalid('a line without its end', text, NO_END));
  }

  #decodeAll(lines: Iterable<Line>): readonly DecodedFrame[] {
    const decoded = Array.from(lines, (line) => this.#decode(line, this.#lastMs));
    return decoded.filter((frame) => frame !== undefined);
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

function invalid(problem: string, text: string, advice?: string): DecodedFrame {
  return { fault: invalidFrame(problem, Buffer.from(text, 'latin1'), text.length, advice) };
}
