import { quote, TallybookError } from '@tallybook/domain';

/** Minimum, maximum and default of each option. */
export type Limits<Options> = Readonly<Record<keyof Options, readonly [number, number, number]>>;

/**
 * Reads an option that is a whole number.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
 */
export function limitedOption<Options extends { readonly [K in keyof Options]?: number }>(
  name: keyof Options & string,
  options: Options,
  limits: Limits<Options>,
): number {
  const [least, most, fallback] = limits[name];
  const value = options[name] ?? fallback;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TallybookError('INVALID_OPTION', `${name} is ${least} to ${most}; got ${quote(value)}`);
}
