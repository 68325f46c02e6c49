// Makes the list of common passwords in @tallybook/system from the list of zxcvbn-ts: `npm run reference` writes it. A test checks that
// the most common ones are refused.
import { writeFile } from 'node:fs/promises';
import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_MIN_LENGTH } from '../packages/domain/src/access/passwords/password-rules.js';
import { commonWords } from '../packages/system/src/passwords/common-words.js';
import { isTriedFirst } from '../packages/system/src/passwords/is-common-password.js';

const file = new URL('../packages/system/src/passwords/listed-passwords.ts', import.meta.url);

/** Number of the most common passwords of sufficient length. OWASP ASVS 5.0, 6.2.4, requires 3,000. */
const COUNT = 4_000;
const WIDTH = 116;

/** Passwords that are not refused by other rules, or by a more common password. */
function choose(): readonly string[] {
  const words = new Set(commonWords);
  const chosen: string[] = [];
  for (const password of dictionary['passwords-common']
    .filter((each) => each.length >= PASSWORD_MIN_LENGTH)
    .slice(0, COUNT)) {
    if (isTriedFirst(password, words)) continue;
    words.add(password);
    chosen.push(password);
  }
  return chosen.sort();
}

function linesOf(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line.length + word.length >= WIDTH) {
      lines.push(`${line} `);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

const head = `/*
 * Written by \`npm run reference\` from the list of @zxcvbn-ts/language-common, of which it has a part:
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.; Copyright (c) 2021 @zxcvbn-ts; MIT License.
 */

/** Passwords that are tried first and that the rules do not refuse, with a space between two. */
export const listedPasswords: string =
`;
const quoted = linesOf(choose()).map((line) => `  '${line.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`);
await writeFile(file, `${head}${quoted.join(' +\n')};\n`);
