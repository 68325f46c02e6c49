import { TallybookError } from '../../errors.js';
import { commonWords } from './common-words.js';
import { listedPasswords } from './listed-passwords.js';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;

/** Rows of keys and of the alphabet: a part of one is refused as a password. */
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

let common: ReadonlySet<string> | undefined;

/** Unicode NFC, because keyboards write the same letter in different ways. */
export function normalisePassword(text: string): string {
  return text.normalize('NFC');
}

/**
 * Checks a new password, which may be untrusted. No rules demand digits or signs: such rules make passwords worse.
 *
 * @param userName The user who gets the password.
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
  // Made for the first password: a device on which nobody signs in does not need the set.
  common ??= new Set([...commonWords, ...listedPasswords.split(' ')]);
  if (isTriedFirst(text, common)) {
    throw refused('this one is too common');
  }
  if (isHardlyMoreThan(text, userName)) throw refused('this one is too close to the name of the user');
  return password;
}

/**
 * Whether attackers try this password first.
 *
 * @param text In small letters.
 * @param words Such passwords, and words that they are made of.
 */
export function isTriedFirst(text: string, words: ReadonlySet<string>): boolean {
  return new Set(text).size < 3 || isOfRow(text) || isDate(text) || isCommon(text, words);
}

/** Eight digits, as birthdays are written: `24121987`, `12241987` or `19871224`. */
function isDate(text: string): boolean {
  return /^(?:[0-3]\d[0-3]\d(?:19|20)\d\d|(?:19|20)\d\d[0-3]\d[0-3]\d)$/.test(text);
}

function isOfRow(text: string): boolean {
  const backwards = Array.from(text).reverse().join('');
  return rows.some((row) => row.includes(text) || row.includes(backwards));
}

function isCommon(text: string, words: ReadonlySet<string>): boolean {
  const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [text, bare, decode(bare), decode(text), firstHalf(bare)].some((word) => words.has(word));
}

function decode(text: string): string {
  return Array.from(text, (sign) => letterOf[sign] ?? sign).join('');
}

/** `passpass` is no better than `pass`. */
function firstHalf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** Whether a password is the name with at most three more characters. */
function isHardlyMoreThan(text: string, name: string): boolean {
  return name.length > 2 && text.includes(name) && text.length - name.length <= 3;
}

function refused(reason: string): TallybookError {
  return new TallybookError('INVALID_PASSWORD', `choose another password: ${reason}`);
}
