import { TallybookError } from '@tallybook/domain';

export function invalidList(message: string): TallybookError {
  return new TallybookError('INVALID_NAME_LIST', message);
}

/** Most characters of a line: a name has a few hundred bytes, so what is longer is no list of names. */
export const LINE_MAX_LENGTH = 10_000;

export const TOO_LONG: string = `is longer than ${LINE_MAX_LENGTH} characters`;
