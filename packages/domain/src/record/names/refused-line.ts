import { counted, isTallybookError, TallybookError, type ErrorCode } from '../../errors.js';
import type { IdReading } from './typed-ids.js';

/** A refused line, and the reason. */
export interface RefusedLine {
  readonly line: number;
  readonly code: ErrorCode;
  /** For people. It holds no name, and no id unless the code is `AMBIGUOUS_TALLY_ID`. */
  readonly message: string;
  /** The readings of the id, of which a person must choose, for `AMBIGUOUS_TALLY_ID`. */
  readonly readings?: readonly IdReading[];
}

/** The result of some work, or the refusal of the line. */
export function unlessRefused<T>(line: number, work: () => T): T | RefusedLine {
  try {
    return work();
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return { line, code: error.code, message: error.message };
  }
}

/** The reason once, if it is that of each line of a list without a valid one: then the list is wrong, not its lines. */
export function causesOf(refused: readonly RefusedLine[], valid: number): readonly RefusedLine[] {
  const [first, ...others] = refused;
  if (first === undefined || others.length === 0 || valid > 0) return refused;
  const isSame = ({ code, message }: RefusedLine): boolean =>
    code === first.code && (code !== 'INVALID_NAME_LIST' || message === first.message);
  if (!others.every(isSame)) return refused;
  return [
    {
      ...first,
      message: `${first.message}; ${counted(others.length, 'other line is', 'other lines are')} refused for the same reason`,
    },
  ];
}

export function invalidList(message: string): TallybookError {
  return new TallybookError('INVALID_NAME_LIST', message);
}
