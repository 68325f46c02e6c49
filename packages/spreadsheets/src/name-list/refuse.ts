import type { RefusedLine } from '@tallybook/domain';

/** A line that cannot be read. */
export function refuse(line: number, message: string): RefusedLine {
  return { line, code: 'INVALID_NAME_LIST', message };
}

/** Most characters of a line: a name has a few hundred bytes, so what is longer is no list of names. */
export const LINE_MAX_LENGTH = 10_000;

export const TOO_LONG: string = `is longer than ${LINE_MAX_LENGTH} characters`;
