import { createContext, Script, type Context } from 'node:vm';
import { quote, TallybookError } from '@tallybook/domain';

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
    throw invalid(`is 1 to ${MAX_PATTERN_LENGTH} characters; got ${pattern.length}`);
  }
  let compiled: RegExp;
  let groups: number;
  try {
    // With an empty alternative, the expression matches the empty text. The match then has one element for each group.
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
