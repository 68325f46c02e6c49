import { isIP } from 'node:net';
import { parseDuration, invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import { roles, type Role } from '@tallybook/domain/access';

/** @throws {TallybookError} `INVALID_OPTION` if it cannot be an address or the name of a host. */
export function parseHost(text: string): string {
  if (/^[^\s/]+$/.test(text)) return text;
  throw invalidOption(`an address or host name such as 127.0.0.1, :: or localhost; got ${quote(text)}`);
}

/** @throws {TallybookError} `INVALID_OPTION` if it is not a number in digits within the bounds. */
export function parseWhole(text: string, lowest: number, highest: number): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (value >= lowest && value <= highest) return value;
  throw invalidOption(`a whole number from ${lowest} to ${highest}; got ${quote(text)}`);
}

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 86_400_000;

/**
 * @returns Milliseconds, 60000..31622400000.
 * @throws {TallybookError} `INVALID_OPTION` if it is not a duration, or is too short or too long.
 */
export function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= MINUTE_MS && intervalMs <= YEAR_MS) return intervalMs;
  throw invalidOption(`1m to 366d; got ${quote(text)}`);
}

/** @throws {TallybookError} `INVALID_OPTION` if it is none of the allowed texts. */
export function parseOneOf<T extends string>(allowed: readonly T[], text: string): T {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw invalidOption(`one of ${allowed.join(', ')}; got ${quote(text)}`);
}

/** @throws {TallybookError} `INVALID_OPTION` if it is longer than `maxLength`, or not one line. */
export function parseText(text: string, maxLength: number): string {
  if (text.length <= maxLength && /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(text)) return text;
  throw invalidOption(`1 to ${maxLength} characters of one line; got ${quote(text)}`);
}

/** Maximum number of characters in the name of a place. */
const PLACE_MAX_LENGTH = 80;

/**
 * @returns The name in Unicode NFC, trimmed.
 * @throws {TallybookError} `INVALID_OPTION` if it is not 1 to 80 characters of one line, one of them visible.
 */
export function parsePlaceName(text: string): string {
  // A code point of NFC is made of at most four code units; longer texts take long to normalise.
  const name = text.length > 4 * PLACE_MAX_LENGTH ? text : text.normalize('NFC').trim();
  const isLine = !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u.test(name);
  const isVisible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(name);
  if (isLine && isVisible && Array.from(name).length <= PLACE_MAX_LENGTH) return name;
  throw invalidOption(`1 to ${PLACE_MAX_LENGTH} characters of one line; got ${quote(text)}`);
}

/**
 * @throws {TallybookError} `INVALID_OPTION` if it is neither an IP address, nor an IP address with a slash and the
 * length of a prefix.
 */
export function checkNetwork(text: string): void {
  const [, address = '', prefix = '0'] = /^([^/%]*)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128)) return;
  throw invalidOption(
    `an address or a network such as 192.0.2.1, 172.16.0.0/12 or fd00::/8; got ${quote(text)}`,
  );
}

/** Headers with another purpose, which must not name the sender of a request. */
const TAKEN_HEADERS = [
  'authorization',
  'cookie',
  'host',
  'origin',
  'connection',
  'content-type',
  'content-length',
];

/**
 * @returns The name in lower case.
 * @throws {TallybookError} `INVALID_OPTION` if it cannot be the name of a header that names the sender of a request.
 */
export function parseHeaderName(text: string): string {
  const name = text.toLowerCase();
  if (/^[a-z0-9][a-z0-9_-]*$/.test(name) && !TAKEN_HEADERS.includes(name)) return name;
  throw invalidOption(`the name of a header such as Remote-User; got ${quote(text)}`);
}

/**
 * @returns The name of a group and its role, of `staff=viewer`. Names of a directory have `=` and commas, so the role is after the
 * last `=`.
 * @throws {TallybookError} `INVALID_OPTION` if it is something else.
 */
export function parseGroupRole(text: string): readonly [group: string, role: Role] {
  const [, group = '', role = ''] = /^(.*\S)\s*=([^=]*)$/.exec(text.trim()) ?? [];
  if (group !== '') return [group, parseOneOf(roles, role)];
  throw invalidOption(`GROUP=ROLE such as staff=viewer; got ${quote(text)}`);
}

export function splitAtCommas(text: string): readonly string[] {
  return text.trim().split(',');
}

/**
 * Splits `GROUP=ROLE` pairs: one a line, or on one line with commas between them. A group with `=` and commas is alone, or on a line
 * of its own.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is unclear where a pair ends.
 */
export function splitGroupRoles(text: string): readonly string[] {
  if (text.includes('\n')) return text.split('\n').filter((line) => line.trim() !== '');
  const pairs = splitAtCommas(text);
  if (pairs.every((pair) => /^[^=]*=?[^=]*$/.test(pair))) return pairs;
  const isPair = new RegExp(`=(?:${roles.join('|')})\\s*$`);
  if (!pairs.slice(0, -1).some((pair) => isPair.test(pair))) return [text];
  throw invalidOption(
    `write each GROUP=ROLE on a line of its own, because a group has = or a comma; got ${quote(text)}`,
  );
}
