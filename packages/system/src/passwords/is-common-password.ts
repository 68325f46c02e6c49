import { commonWords } from './common-words.js';
import { listedPasswords } from './listed-passwords.js';

/** Rows of keys and of the alphabet: a part of one is common as a password. */
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

/**
 * Whether attackers try a password first: one of the 4,000 most common ones, a word or a row of keys, also with digits and signs
 * around it or in place of letters, or a date.
 */
export function isCommonPassword(password: string): boolean {
  // Made for the first password: a device on which nobody signs in does not need the set.
  common ??= new Set([...commonWords, ...listedPasswords.split(' ')]);
  return isTriedFirst(password.toLowerCase(), common);
}

/**
 * @param text In small letters.
 * @param words Common passwords, and words that they are made of.
 */
export function isTriedFirst(text: string, words: ReadonlySet<string>): boolean {
  return new Set(text).size < 3 || isOfRow(text) || isDate(text) || isOfWord(text, words);
}

/** Eight digits, as birthdays are written: `24121987`, `12241987` or `19871224`. */
function isDate(text: string): boolean {
  return /^(?:[0-3]\d[0-3]\d(?:19|20)\d\d|(?:19|20)\d\d[0-3]\d[0-3]\d)$/.test(text);
}

function isOfRow(text: string): boolean {
  const backwards = Array.from(text).reverse().join('');
  return rows.some((row) => row.includes(text) || row.includes(backwards));
}

function isOfWord(text: string, words: ReadonlySet<string>): boolean {
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
