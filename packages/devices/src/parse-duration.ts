import { quote, TallybookError } from '@tallybook/domain';

const SPELLING = /^(?:0|([0-9]+)(ms|s|m|h|d))$/;
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a length of time: digits and a unit without a space between, such as `500ms`, `5s`, `2m`, `12h` or `1d`;
 * or a bare `0`.
 *
 * @returns Milliseconds, a safe integer.
 * @throws {TallybookError} `INVALID_OPTION` if the text is anything else.
 */
export function parseDuration(text: unknown): number {
  const match = typeof text === 'string' ? SPELLING.exec(text) : null;
  if (match !== null) {
    const [, digits = '0', unit = 'ms'] = match;
    const milliseconds = Number(digits) * (UNITS_MS[unit] ?? NaN);
    if (Number.isSafeInteger(milliseconds)) return milliseconds;
  }
  throw new TallybookError(
    'INVALID_OPTION',
    `a duration is digits and one of the units ms, s, m, h, d, such as 500ms or 2m, or a bare 0; got ${quote(text)}`,
  );
}
