import type { RefusedLine } from '@tallybook/domain/record';

/** Refuses a line that cannot be read. */
export function refuse(line: number, message: string): RefusedLine {
  return { line, code: 'INVALID_NAME_LIST', message };
}

/**
 * Maximum number of characters of a line: a name has a few hundred bytes, so a longer line is not in a list of names.
 */
export const LINE_MAX_LENGTH = 10_000;

export const TOO_LONG: string = `is longer than ${LINE_MAX_LENGTH} characters`;
