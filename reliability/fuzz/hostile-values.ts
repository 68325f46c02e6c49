import type { Random } from '../random.js';

/** Texts around the bounds of numbers, and texts that other programs accept as numbers. */
const numbers = [
  '0',
  '00',
  '-0',
  '+0',
  '-1',
  '1.0',
  '1.',
  '.5',
  '1e3',
  '1E400',
  '0x10',
  '0b1',
  '0o7',
  '1_000',
  '1,000',
  'NaN',
  'Infinity',
  '-Infinity',
  '2147483647',
  '2147483648',
  '4294967294',
  '4294967295',
  '4294967296',
  '4294967297',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551614',
  '18446744073709551615',
  '18446744073709551616',
  '99999999999999999999999999999999',
  '8640000000000',
  '8640000000001',
  '253402300800',
  '\u0661\u0662',
  '\uff11',
  '1\u0000',
  ' 1',
  '1 ',
  '\t1',
  '1\n',
] as const;

const texts = [
  '',
  ' ',
  '\u0000',
  '\u0001\u001f\u007f',
  '\u0085\u00a0',
  '\u2028\u2029',
  '\ufeff',
  '\ufffe',
  '\u200b',
  '\u202eabc',
  'é',
  'e\u0301',
  '\ud83d\ude00',
  '\ud800',
  '\udfff\ud800',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  '[object Object]',
  '{}',
  '../../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '%',
  '%zz',
  '%c0%af',
  '<script>',
  "' OR 1=1 --",
  '$(id)',
  '${7*7}',
  '\r\nX-Injected: 1',
  '04A2B3C4D5',
  '04:a2:b3:c4:d5',
  '04A2B3C4D',
  '0000000000',
  'FFFFFFFFFF',
  '04A2B3C4D5'.repeat(3),
  'g'.repeat(10),
] as const;

/** A text that a parameter or a field does not expect, or barely accepts. */
export function hostileText(random: Random): string {
  const text = random.chance(0.5) ? random.pick(numbers) : random.pick<string>(texts);
  if (random.chance(0.03)) return text.repeat(random.between(2, 2_000)).slice(0, 9_000);
  return random.chance(0.1) ? text + random.pick<string>(texts) : text;
}

/** A value of JSON that a field does not expect, or barely accepts. */
export function hostileValue(random: Random): unknown {
  const draw = random.between(0, 9);
  if (draw < 5) return hostileText(random);
  if (draw < 7) return random.pick([null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, -0, 5e-324]);
  if (draw === 7)
    return random.pick<unknown>([[], {}, [[]], [null], { first: {} }, { length: 1e9 }, { toString: 1 }]);
  if (draw === 8) return Array.from({ length: random.between(1, 500) }, () => random.between(0, 9));
  return 'x'.repeat(random.between(90, 110)) + random.pick(['', '\ud83d\ude00', 'e\u0301']);
}

/** A text for a query, with more, less or other percent-encoding than it should have. */
export function encodeText(random: Random, text: string): string {
  const bytes = Buffer.from(text);
  return Array.from(bytes, (byte) => {
    const isPlain = /[0-9A-Za-z._~-]/.test(String.fromCharCode(byte));
    if (isPlain && random.chance(0.95)) return String.fromCharCode(byte);
    return random.chance(0.97)
      ? `%${byte.toString(16).padStart(2, '0')}`
      : random.pick(['+', '%', '%u0031', '%%31']);
  }).join('');
}
