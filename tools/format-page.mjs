// Formats a page of the documents, or a part of a page, as `npm run format` does.
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'oxfmt';

/** @returns {Promise<string>} */
export async function formatPage(markdown) {
  const options = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'));
  const { code, errors } = await format('page.md', markdown, options);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}

/**
 * The table of a page of the reference between its marks, as it is and as it should be.
 *
 * @param {string} page
 * @param {string} name
 * @param {readonly (readonly string[])[]} rows
 */
export async function tableOf(page, name, [titles, ...rows]) {
  const file = new URL(`../docs/reference/${page}`, import.meta.url);
  const place = new RegExp(
    `(?<=<!-- ${name}: npm run reference -->\n\n).*?(?=\n\n<!-- end of ${name} -->)`,
    's',
  );
  const [actual] = place.exec(await readFile(file, 'utf8')) ?? [];
  if (actual === undefined) throw new Error(`${page} has no place for the table of ${name}`);
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const expected = (await formatPage(lines.join('\n'))).trim();
  const write = async () =>
    writeFile(
      file,
      (await readFile(file, 'utf8')).replace(place, () => expected),
    );
  return { actual, expected, write };
}
