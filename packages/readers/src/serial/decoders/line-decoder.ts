import { invalidOption } from '@tallybook/devices';
import { createContext, Script, type Context } from 'node:vm';
import { quote, TallybookError, isTallybookError } from '@tallybook/domain';
import { LineSplitter, type Line } from '../../line-splitter.js';
import { invalidFrame, type DecodedFrame, type FrameDecoder } from './frame-decoder.js';

/** Longest pattern, in characters. */
const MAX_PATTERN_LENGTH = 200;
/** Thousands of times as long as a sensible pattern needs, so that a busy machine does not stop one. */
const MATCH_LIMIT_MS = 200;

/** Whether a pattern must match the whole line, or any part of it. */
export type MatchName = 'whole' | 'part';

/** The id in a line, or why there is none. */
export type LineMatch = { readonly text: string } | { readonly problem: string };

/**
 * A regular expression from a setting, for text from a device. Some expressions take very long for some texts, so each
 * match is stopped after 200 ms.
 *
 * By default it matches whole lines. A pattern that matches a part would find a shorter id in a line with a damaged
 * character. Even then it never matches a part of a longer number.
 */
export class LinePattern {
  /** A script that runs in a context can be stopped; a plain call cannot. */
  readonly #script = new Script('pattern.exec(line) ?? part.test(line)');
  readonly #context: Context;

  /**
   * @param pattern At most 200 characters. If it has a group, the group is the id; else the whole match is the id.
   * @param match `part` if the pattern may match a part of the line. Default `whole`.
   * @throws {TallybookError} `INVALID_OPTION` if the pattern is anything else.
   */
  constructor(pattern: string, match: MatchName = 'whole') {
    const part = compile(pattern);
    // A part of a longer number is another tag.
    const [before, after] = match === 'whole' ? ['^', '$'] : ['(?<![0-9])', '(?![0-9])'];
    const whole = new RegExp(`${before}(?:${pattern})${after}`);
    this.#context = createContext({ pattern: whole, part, line: '' });
  }

  /**
   * Finds the id in a line.
   *
   * @throws {TallybookError} `FRAME_INVALID` if matching takes longer than 200 ms.
   */
  find(line: string): LineMatch {
    this.#context['line'] = line;
    try {
      const options = { timeout: MATCH_LIMIT_MS };
      const found = this.#script.runInContext(this.#context, options) as RegExpExecArray | boolean;
      if (typeof found !== 'boolean') return { text: found[1] ?? found[0] };
      return {
        problem: found
          ? 'a line of which the pattern matches only a part'
          : 'a line that the pattern does not match',
      };
    } catch (cause) {
      throw new TallybookError(
        'FRAME_INVALID',
        `the pattern takes more than ${MATCH_LIMIT_MS} ms for a line of ${line.length} characters; avoid repetitions within repetitions`,
        { cause },
      );
    }
  }
}

function compile(pattern: string): RegExp {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) {
    throw invalidPattern(`is 1 to ${MAX_PATTERN_LENGTH} characters; got ${pattern.length}`);
  }
  let compiled: RegExp;
  let groups: number;
  try {
    // With an empty alternative, the expression matches the empty text. The match then has one element for each group.
    compiled = new RegExp(pattern);
    groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1;
  } catch (cause) {
    throw invalidPattern(`is a regular expression; got ${quote(pattern)}`, cause);
  }
  if (groups > 1)
    throw invalidPattern(`has at most one group, the id; write (?:…) for other groups; got ${groups}`);
  return compiled;
}

function invalidPattern(reason: string, cause?: unknown): TallybookError {
  return invalidOption(`pattern ${reason}`, 'pattern', cause);
}

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

const control = (): RegExp => /\p{Cc}/u;
const OTHER_TEXT =
  'set pattern and match=part, which finds the id within other text, such as after ESC; or check the baud rate';

/** The id in a line by a pattern, or the whole line. Text may have more characters than ASCII; it is then UTF-8, as everywhere. */
export function takeLine(bytes: string, pattern: LinePattern | undefined): DecodedFrame {
  const line = Buffer.from(bytes, 'latin1').toString();
  if (pattern === undefined && !control().test(line)) return { text: line };
  const found = pattern?.find(line) ?? { problem: 'a line with control characters' };
  // The fault does not have the bytes: lines without an id may hold anything, and errors are logged.
  return 'problem' in found
    ? { fault: invalidFrame(found.problem, new Uint8Array(), line.length, OTHER_TEXT) }
    : { text: found.text.trim() };
}

function invalid(problem: string, text: string, advice?: string): DecodedFrame {
  return { fault: invalidFrame(problem, Buffer.from(text, 'latin1'), text.length, advice) };
}
