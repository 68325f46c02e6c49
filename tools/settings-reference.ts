// Makes the table of settings in docs/reference/configuration.md from the settings of the server: `npm run reference`
// writes it.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { settings, type Setting } from '@tallybook/server';
import { formatPage } from './format-page.mjs';

const page = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url));
const TABLE = /(?<=<!-- settings: npm run reference -->\n\n).*?(?=\n\n<!-- end of settings -->)/s;

/** The present text of the page, and the expected text. */
export async function settingsReference(): Promise<{ readonly actual: string; readonly expected: string }> {
  const actual = await readFile(page, 'utf8');
  if (!TABLE.test(actual)) throw new Error(`${page} has no place for the table of settings`);
  const rows = ['| flag | variable | default | allowed |', '| --- | --- | --- | --- |'];
  for (const setting of Object.values(settings)) rows.push(row(setting));
  const table = (await formatPage(rows.join('\n'))).trim();
  return { actual, expected: actual.replace(TABLE, () => table) };
}

function row(setting: Setting): string {
  const { flag, value, variable, allowed } = setting;
  const isList = !('parse' in setting);
  const byDefault = [setting.default].flat().join(', ');
  const cells = [
    `\`--${flag} ${value}\`${isList ? ', repeatable' : ''}`,
    `\`${variable}\`${isList ? ', commas' : ''}`,
    byDefault === '' ? 'none' : `\`${byDefault}\``,
    allowed,
  ];
  return `| ${cells.join(' | ')} |`;
}

// Not awaited here, because a test imports this file: a file with `await` at the top level is loaded as an ES module, and
// all packages are then loaded a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  void settingsReference().then(({ expected }) => writeFile(page, expected));
}
