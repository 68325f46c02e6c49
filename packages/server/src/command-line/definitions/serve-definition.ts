import type { Command } from 'commander';
import { adaptersOf } from '../../config/adapters.js';
import { settingsOf } from '../../config/settings.js';
import type { CommandRun } from '../command-run.js';
import { serve } from '../serve.js';
import { addSettings, configOf, type Flags } from '../setting-options.js';

const ABOUT_URLS = `
Every reader, indicator and publisher takes name=NAME. docs/reference/configuration.md has all parameters of their URLs.
Quote a URL with & or ? in a shell: --reader 'serial:/dev/ttyUSB0?protocol=id12&name=door'
`;

/** Adds `serve` to the command line. */
export function defineServe(program: Command, run: CommandRun): void {
  const serving = program
    .command('serve')
    .description('record taps, and serve the record over HTTP')
    .addHelpText(
      'after',
      `${ABOUT_URLS}\nOther commands, such as export, erase, user and doctor, are listed by ${run.call} help.\n`,
    )
    .action(async (flags: Flags) => {
      const config = configOf(flags, run);
      run.repairsDamage = config.onDamage === 'repair';
      run.exitCode = await serve(config);
    });
  const adapters = adaptersOf(run.used.map(({ registration }) => registration));
  addSettings(serving, Object.values(settingsOf(adapters)));
}
