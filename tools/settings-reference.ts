// Makes the table of settings in docs/reference/configuration.md from the settings of the server: `npm run reference`
// writes it.
import { fileURLToPath } from 'node:url';
import { settings, type Setting } from '@tallybook/server';
import { tableOf } from './format-page.mjs';

/** The table of settings, as it is and as it should be. */
export function settingsTable(): ReturnType<typeof tableOf> {
  const titles = ['flag', 'variable', 'default', 'allowed'];
  return tableOf('configuration.md', 'settings', [titles, ...Object.values(settings).map(cellsOf)]);
}

function cellsOf(setting: Setting): readonly string[] {
  const { flag, value, variable, allowed } = setting;
  const isList = !('parse' in setting);
  const byDefault = [setting.default].flat().join(', ');
  return [
    `\`--${flag} ${value}\`${isList ? ', repeatable' : ''}`,
    `\`${variable}\`${isList ? ', commas' : ''}`,
    byDefault === '' ? 'none' : `\`${byDefault}\``,
    allowed,
  ];
}

// Not awaited here, because a test imports this file: a file with `await` at the top level is loaded as an ES module, and
// all packages are then loaded a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) void settingsTable().then(({ write }) => write());
