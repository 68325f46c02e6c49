import type { Command } from 'commander';
import { settings } from '../../config/settings.js';
import type { CommandRun } from '../command-run.js';
import { serve } from '../serve.js';
import { addSettings, configOf, type Flags } from '../setting-options.js';
import { doctor, TIMEOUT_DEFAULT, type DoctorFlags } from '../doctor/doctor-command.js';

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
      const config = await configOf(flags);
      run.repairsDamage = config.onDamage === 'repair';
      run.exitCode = await serve(config);
    });
  addSettings(serving, Object.values(settings));
}

/** Adds `doctor` to the command line. */
export function defineDoctor(program: Command, run: CommandRun): void {
  program
    .command('doctor')
    .description('list the devices that can be readers, and how to use them; or try a reader')
    .option('--reader <url>', 'reader to try: shows the raw text of one tag, and its id')
    .option('--timeout <duration>', `how long to wait for the tag (default: ${TIMEOUT_DEFAULT})`)
    .option('--json', 'print JSON, for programs')
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      const interruption = new AbortController();
      const interrupt = (): void => interruption.abort();
      process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
      const write = (line: string): void => (flags.json === true ? run.write(line) : run.tell(line));
      run.exitCode = await doctor(flags, write, interruption.signal);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    });
}
