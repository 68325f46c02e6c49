import { quote, TallybookError } from '../errors.js';
import type { AccessDirectory } from './access-directory.js';
import type { User } from './values/access.js';
import { isNormalisable } from '../values/name.js';

export const USER_NAME_MAX_LENGTH = 64;

const userNameForm = (): RegExp => /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]*$/u;

/** Names of a `Principal` that is not a user. */
const reserved: ReadonlySet<string> = new Set(['anyone', 'nobody', 'console']);

/** The form in which names are stored and compared: names that look the same, or differ only in case, are the same. */
export function normaliseUserName(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Cyrillic and Greek letters, and the dotless i, each above the Latin letter that it looks like. */
const LOOKALIKES =
  '\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04BB\u0501\u051B\u051D\u04CF\u0433\u043A\u0442' +
  '\u03B1\u03BF\u03BD\u03B9\u03BA\u03C1\u03C5\u03C7\u03C4\u0131';
const LATIN = 'aeopcyxijshdqwlrkt' + 'aovikpuxti';

/**
 * Refuses a new user whom people would take for another one.
 *
 * @throws {TallybookError} `INVALID_USER`.
 */
export function requireDistinct(name: string, users: readonly User[]): void {
  const shape = shapeOf(name);
  const other = users.find((user) => user.name !== name && shapeOf(user.name) === shape);
  if (other === undefined) return;
  throw new TallybookError(
    'INVALID_USER',
    `the name looks like that of the user ${quote(other.name)}, with other letters; choose another name`,
  );
}

function shapeOf(name: string): string {
  const letters = Array.from(name.normalize('NFKC'), (letter) => LATIN[LOOKALIKES.indexOf(letter)] ?? letter);
  return letters.join('');
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

/** The stored form of a name for signing in. Empty if the value is not text or far too long: no name is empty. */
export function accountOf(value: unknown): string {
  const isText = typeof value === 'string' && isNormalisable(value, USER_NAME_MAX_LENGTH);
  return isText ? normaliseUserName(value) : '';
}

const MAX_USERS = 1_000;

/** @throws {TallybookError} `ACCESS_LIMIT_REACHED` if there are 1,000 users. */
export function requireRoomForUser({ users }: AccessDirectory): void {
  if (users.length >= MAX_USERS) throw limitReached(`${MAX_USERS} users`);
}

export function limitReached(what: string): TallybookError {
  return new TallybookError('ACCESS_LIMIT_REACHED', `there are ${what} already, the maximum`);
}

/** @throws {TallybookError} `LAST_ADMIN` if this user is the only one who can manage access. */
export function requireOtherAdmin(user: User, { users }: AccessDirectory): void {
  const others = users.filter(({ name, role }) => role === 'admin' && name !== user.name);
  if (user.role === 'admin' && others.length === 0) {
    throw new TallybookError('LAST_ADMIN', 'this is the last admin: make somebody else one first');
  }
}
