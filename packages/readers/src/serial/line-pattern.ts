import { createContext, Script, type Context } from 'node:vm';
import { quote, TallybookError } from '@tallybook/domain';

/** Longest pattern, in characters. */
const MAX_PATTERN_LENGTH = 200;
/** Thousands of times what a sensible pattern needs, so that a machine with much to do does not end one. */
const MATCH_LIMIT_MS = 200;

/**
 * A regular expression out of a setting, for text out of a device. Some expressions take ages over some texts; this
 * one is given 200 ms.
 */
export class LinePattern {
  /** Code that is run in a context can be stopped, a call from outside cannot. */
  readonly #script = new Script('pattern.exec(line)');
  readonly #context: Context;

  /**
   * @param pattern At most 200 characters, with one group, which is the id, or with none: then the whole match is.
   * @throws {TallybookError} `INVALID_OPTION` if it is anything else.
   */
  constructor(pattern: string) {
    this.#context = createContext({ pattern: compile(pattern), line: '' });
  }

  /**
   * Gives the part of a line that is the id; `undefined` if the pattern does not match.
   *
   * @throws {TallybookError} `FRAME_INVALID` if matching takes longer than 200 ms.
   */
  find(line: string): string | undefined {
    this.#context['line'] = line;
    try {
      const options = { timeout: MATCH_LIMIT_MS };
      const match = this.#script.runInContext(this.#context, options) as RegExpExecArray | null;
      return match?.[1] ?? match?.[0];
    } catch (cause) {
      throw new TallybookError(
        'FRAME_INVALID',
        `the pattern needs more than ${MATCH_LIMIT_MS} ms for a line of ${line.length} characters; avoid repetitions within repetitions`,
        { cause },
      );
    }
  }
}

function compile(pattern: string): RegExp {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) {
    throw invalid(`is 1 to ${MAX_PATTERN_LENGTH} characters; got ${pattern.length}`);
  }
  let groups: number;
  try {
    // With an empty alternative it matches the empty text, and the match has a place for each group.
    groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1;
  } catch (cause) {
    throw invalid(`is a regular expression; got ${quote(pattern)}`, cause);
  }
  if (groups > 1)
    throw invalid(`has one group, which is the id, or none; write (?:…) for others; got ${groups}`);
  return new RegExp(pattern);
}

function invalid(reason: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_OPTION', `pattern ${reason}`, {
    cause,
    details: { parameter: 'pattern' },
  });
}
