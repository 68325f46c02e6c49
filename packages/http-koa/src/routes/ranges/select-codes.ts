import { createHmac, randomBytes } from 'node:crypto';
import type { RangeChoice } from '@tallybook/domain/record';

/** Letters and digits without those that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';
/** Together with the P before it, the number of characters is even: sheets write tags in pairs. */
const CODE_LENGTH = 9;
const KEY_BYTES = 32;

/**
 * Reads `pseudonyms`: whether codes replace names and tags. The codes are made with a random key that is forgotten after the
 * answer. So no other answer has the same codes, and nobody can find the person of a code by trying all tags.
 */
export function selectCodes({
  pseudonyms,
}: {
  readonly pseudonyms: '1' | '0' | undefined;
}): RangeChoice['codeOf'] {
  if (pseudonyms !== '1') return undefined;
  const key = randomBytes(KEY_BYTES);
  return (person) => {
    const digest = createHmac('sha256', key).update(person).digest();
    const letters = [...digest.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
    return `P${letters.join('')}`;
  };
}
