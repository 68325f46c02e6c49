import { TallybookError } from '../errors.js';
import { commonWords } from './common-passwords.js';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;

const common: ReadonlySet<string> = new Set(commonWords);

/** Rows of keys and of the alphabet, in which a password may not be a piece. */
const rows: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
];

/** Digits and signs that stand for letters. */
const letterOf: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i' },
};

/** Keyboards write the same letter in different ways. */
export function normalisePassword(text: string): string {
  return text.normalize('NFC');
}

/**
 * Checks a new password, which may be untrusted. There are no rules of what it has to be made of: those make passwords
 * worse.
 *
 * @param userName Whose it is to be.
 * @throws {TallybookError} `INVALID_PASSWORD`. The message does not show the password.
 * @see NIST SP 800-63B-4 section 3.1.1.2, OWASP ASVS 5.0 section 6.2.
 */
export function parsePassword(value: unknown, userName: string): string {
  const password =
    typeof value === 'string' ? normalisePassword(value.slice(0, 4 * PASSWORD_MAX_LENGTH)) : '';
  const length = Array.from(password).length;
  if (!(length >= PASSWORD_MIN_LENGTH && length <= PASSWORD_MAX_LENGTH)) {
    throw refused(`it has ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`);
  }
  const text = password.toLowerCase();
  if (new Set(text).size < 3 || isOfRow(text) || isCommon(text)) {
    throw refused('this one is among those that are tried first');
  }
  if (isHardlyMoreThan(text, userName)) throw refused('this one is nearly the name of the user');
  return password;
}

function isOfRow(text: string): boolean {
  const backwards = Array.from(text).reverse().join('');
  return rows.some((row) => row.includes(text) || row.includes(backwards));
}

function isCommon(text: string): boolean {
  const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [bare, decode(bare), decode(text), firstHalf(bare)].some((word) => common.has(word));
}

function decode(text: string): string {
  return Array.from(text, (sign) => letterOf[sign] ?? sign).join('');
}

/** `passpass` is no better than `pass`. */
function firstHalf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** Up to three more characters than the name do not make a password of it. */
function isHardlyMoreThan(text: string, name: string): boolean {
  return name.length > 2 && text.includes(name) && text.length - name.length <= 3;
}

function refused(reason: string): TallybookError {
  return new TallybookError('INVALID_PASSWORD', `choose another password: ${reason}`);
}
