// The table of settings in docs/reference/configuration.md, made of the one in the server: `npm run reference` writes it.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { settings, type Setting } from '@tallybook/server';
import { formatPage } from './format-page.mjs';

const page = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url));
const TABLE = /(?<=<!-- settings: npm run reference -->\n\n).*?(?=\n\n<!-- end of settings -->)/s;

/** The page as it is, and as it should be. */
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

// Not awaited here: a test imports this file, and whatever awaits at the top is loaded as a module of another kind, and all
// packages with it a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  void settingsReference().then(({ expected }) => writeFile(page, expected));
}
