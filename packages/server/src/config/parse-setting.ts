import { parseDuration } from '@tallybook/devices';
import { quote, TallybookError } from '@tallybook/domain';

/** @throws {TallybookError} `INVALID_OPTION` unless it can be an address or the name of a host. */
export function parseHost(text: string): string {
  if (/^[^\s/]+$/.test(text)) return text;
  throw new TallybookError(
    'INVALID_OPTION',
    `an address or host name such as 127.0.0.1, :: or localhost; got ${quote(text)}`,
  );
}

/** @throws {TallybookError} `INVALID_OPTION` unless it is digits only, within the bounds. */
export function parseWhole(text: string, lowest: number, highest: number): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (value >= lowest && value <= highest) return value;
  throw new TallybookError(
    'INVALID_OPTION',
    `a whole number from ${lowest} to ${highest}; got ${quote(text)}`,
  );
}

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 86_400_000;

/**
 * @returns Milliseconds, 60000..31622400000.
 * @throws {TallybookError} `INVALID_OPTION` if it is no duration, or a shorter or longer one.
 */
export function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= MINUTE_MS && intervalMs <= YEAR_MS) return intervalMs;
  throw new TallybookError('INVALID_OPTION', `1m to 366d; got ${quote(text)}`);
}

/** @throws {TallybookError} `INVALID_OPTION` if it is none of them. */
export function parseOneOf<T extends string>(allowed: readonly T[], text: string): T {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw new TallybookError('INVALID_OPTION', `one of ${allowed.join(', ')}; got ${quote(text)}`);
}
