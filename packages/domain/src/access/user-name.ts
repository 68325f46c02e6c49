import { quote, TallybookError } from '../errors.js';
import { isNormalisable } from '../values/normalisable.js';

export const USER_NAME_MAX_LENGTH = 64;

const userNameForm = (): RegExp => /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]*$/u;

/** Names of a `Principal` that is no user. */
const reserved: ReadonlySet<string> = new Set(['anyone', 'nobody', 'console']);

/** The form in which names are stored and compared: names that look the same, or differ only in case, are the same. */
export function normaliseUserName(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/**
 * Checks the name of a new user, which may be untrusted, and returns it in the stored form.
 *
 * @throws {TallybookError} `INVALID_USER`.
 */
export function parseUserName(value: unknown): string {
  const name = userNameOf(value);
  if (name !== undefined) return name;
  throw new TallybookError(
    'INVALID_USER',
    `the name of a user has 1 to ${USER_NAME_MAX_LENGTH} letters, digits or . _ - @ +, begins with a letter or a digit, ` +
      `and is not "anyone", "nobody" or "console"; got ${quote(value)}`,
  );
}

/** The stored form of a user's name; `undefined` if the value cannot be a name. */
export function userNameOf(value: unknown): string | undefined {
  const name = accountOf(value);
  const isFitting = Array.from(name).length <= USER_NAME_MAX_LENGTH && userNameForm().test(name);
  return isFitting && !reserved.has(name) ? name : undefined;
}

/** The stored form of a name for signing in. Empty if the value is no text or far too long: no name is empty. */
export function accountOf(value: unknown): string {
  const isText = typeof value === 'string' && isNormalisable(value, USER_NAME_MAX_LENGTH);
  return isText ? normaliseUserName(value) : '';
}
