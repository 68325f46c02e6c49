import { createContext, Script, type Context } from 'node:vm';
import { quote, TallybookError } from '@tallybook/domain';

/** Longest pattern, in characters. */
const MAX_PATTERN_LENGTH = 200;
/** Thousands of times what a sensible pattern needs, so that a machine with much to do does not end one. */
const MATCH_LIMIT_MS = 200;

/** How much of a line a pattern matches: all of it, or any part. */
export type MatchName = 'whole' | 'part';

/** The id in a line, or why there is none. */
export type LineMatch = { readonly text: string } | { readonly problem: string };

/**
 * A regular expression out of a setting, for text out of a device. Some expressions take ages over some texts; this
 * one is given 200 ms.
 *
 * It matches whole lines: one that leaves characters of them out finds a shorter id where a character is damaged.
 */
export class LinePattern {
  /** Code that is run in a context can be stopped, a call from outside cannot. */
  readonly #script = new Script('pattern.exec(line) ?? part.test(line)');
  readonly #context: Context;

  /**
   * @param pattern At most 200 characters, with one group, which is the id, or with none: then the whole match is.
   * @param match `part` if it may leave characters of the line out. Default `whole`.
   * @throws {TallybookError} `INVALID_OPTION` if it is anything else.
   */
  constructor(pattern: string, match: MatchName = 'whole') {
    const part = compile(pattern);
    const whole = new RegExp(`^(?:${pattern})$`);
    this.#context = createContext({ pattern: match === 'whole' ? whole : part, part, line: '' });
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
    throw invalid(`is 1 to ${MAX_PATTERN_LENGTH} characters; got ${pattern.length}`);
  }
  let compiled: RegExp;
  let groups: number;
  try {
    // With an empty alternative it matches the empty text, and the match has a place for each group.
    compiled = new RegExp(pattern);
    groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1;
  } catch (cause) {
    throw invalid(`is a regular expression; got ${quote(pattern)}`, cause);
  }
  if (groups > 1) throw invalid(`has at most one group, the id; write (?:…) for other groups; got ${groups}`);
  return compiled;
}

function invalid(reason: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_OPTION', `pattern ${reason}`, {
    cause,
    details: { parameter: 'pattern' },
  });
}
