import { TallybookError } from '@tallybook/domain';

/** Whole numbers from `lowest` to `highest`, both included. */
export interface Range {
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Checks an option that is a whole number.
 *
 * @param got Text that the message shows instead of the number.
 * @throws {TallybookError} `INVALID_OPTION`, with the name in `details.parameter`, if it is out of range.
 */
export function checkRange(
  parameter: string,
  value: number,
  { lowest, highest }: Range,
  got: string = String(value),
): number {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
  throw new TallybookError(
    'INVALID_OPTION',
    `${parameter} is a whole number from ${lowest} to ${highest}; got ${got}`,
    { details: { parameter } },
  );
}
