import { Command, CommanderError, Option } from 'commander';
import { isTallybookError, TallybookError, type ErrorCode } from '@tallybook/domain';
import { exportBackup, importBackup } from './backup-commands.js';
import { readConfigFile, type FileSettings } from '../config/config-file.js';
import { loadConfig, loadStoreUrl, type Settings } from '../config/config.js';
import { settings, type Setting } from '../config/settings.js';
import { doctor, TIMEOUT_DEFAULT, type DoctorFlags } from './doctor/doctor-command.js';
import { importNames } from './import-names-command.js';
import { describeCall, findTaken, type Start } from './invocation.js';
import { repair } from './repair-command.js';
import { readVersion } from '../version.js';
import { serve } from './serve.js';

/** Exit code after wrong settings or a wrong command line. */
const USAGE_EXIT_CODE = 2;
/** Exit code if the store is damaged: starting again does not help, a repair does. */
const DAMAGE_EXIT_CODE = 3;

const ABOUT_URLS = `
Every reader, indicator and publisher takes name=NAME. docs/reference/configuration.md has all parameters of their URLs.
Quote a URL with & or ? in a shell: --reader 'serial:/dev/ttyUSB0?protocol=id12&name=door'
`;

const exitCodes: Readonly<Partial<Record<ErrorCode, number>>> = {
  INVALID_OPTION: USAGE_EXIT_CODE,
  STORE_CORRUPT: DAMAGE_EXIT_CODE,
};

/**
 * Runs the command line `tallybook`.
 *
 * @param args Without the program and the script.
 * @returns The exit code: 0 done, 1 failed, 2 wrong settings or usage, 3 the store is damaged.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const start: Start = { argv: process.argv, env: process.env, folder: process.cwd() };
  const call = describeCall(start);
  const run: Run = { exitCode: 0, repairsDamage: false, call };
  const program = createProgram(run);
  try {
    refuseTaken(program, start, args);
    await program.parseAsync(args, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    if (!isTallybookError(error)) throw error;
    const code = error.code === 'INVALID_OPTION' ? '' : ` (${error.code})`;
    const message = asCalledHere(error.message, call).replaceAll('\n', '\n  ');
    process.stderr.write(`tallybook: ${message}${code}\n`);
    // Damage that is found behind the opening is repaired at the next start.
    if (error.code === 'STORE_CORRUPT' && run.repairsDamage) return 1;
    return exitCodes[error.code] ?? 1;
  }
}

/** What becomes known of a run of the command line. */
interface Run {
  exitCode: number;
  /** Whether it is one of a server that repairs a damaged store when it starts. */
  repairsDamage: boolean;
  /** How the program is called here. */
  readonly call: string;
}

/** The packages name the program as it is when it is installed; people get what they can type. */
function asCalledHere(text: string, call: string): string {
  return text.replaceAll(
    /\btallybook (?=(?:serve|export|import-names|import|repair|doctor)\b)/g,
    () => `${call} `,
  );
}

/** @throws {TallybookError} `INVALID_OPTION` if npm took options that were meant for this program. */
function refuseTaken(program: Command, start: Start, args: readonly string[]): void {
  const options = program.commands.flatMap((command) => command.options.flatMap(({ long }) => long ?? []));
  const taken = findTaken([...new Set(options)], start);
  if (taken.length === 0) return;
  // Where no command was named, the start of the checkout has put in this one.
  const words = args[0] === 'serve' ? args.slice(1) : args;
  throw new TallybookError(
    'INVALID_OPTION',
    `npm took ${taken.join(' and ')} for itself; put -- before the options of Tallybook: ${['npm start --', ...words, taken[0]].join(' ')} …`,
  );
}

function createProgram(run: Run): Command {
  const program = new Command(run.call)
    .description('Attendance service: records taps of tags durably and shows them live')
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError(`(${run.call} help says more)`);

  const serving = program
    .command('serve')
    .description('record taps, and serve the record over HTTP')
    .addOption(configOption())
    .addHelpText(
      'after',
      `${ABOUT_URLS}\nOther commands are export, import, import-names, repair and doctor: ${run.call} help lists them.\n`,
    )
    .allowExcessArguments(false)
    .action(async ({ config: file, ...flags }: Flags) => {
      const config = loadConfig(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
      run.repairsDamage = config.onDamage === 'repair';
      run.exitCode = await serve(config);
    });
  for (const setting of Object.values(settings)) serving.addOption(optionOf(setting));

  program
    .command('export')
    .description('write all data as JSON Lines, to a file or to standard output')
    .argument('[file]', 'file to write, whole or not at all; - or none: standard output')
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .allowExcessArguments(false)
    .action(async (file: string | undefined, flags: Flags) => {
      await exportBackup(await storeOf(flags), file);
    });

  program
    .command('import')
    .description(
      'add an export to the store, all of it or, if a line is invalid, nothing; importing twice changes nothing more',
    )
    .argument('<file>')
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .allowExcessArguments(false)
    .action(async (file: string, flags: Flags) => {
      const store = await storeOf(flags);
      const { names, entries, corrections, provisional } = await importBackup(store, file);
      const counts = [countOf(names, 'name'), countOf(entries, 'entry', 'entries')];
      if (corrections > 0) counts.push(countOf(corrections, 'correction'));
      if (provisional > 0) counts.push(`${countOf(provisional, 'scan')} taken with a wrong clock`);
      writeLine(`imported ${counts.join(', ')} into ${store}`);
    });

  program
    .command('import-names')
    .description('take names from a list, CSV or JSON Lines, as a spreadsheet saves it: all of it or nothing')
    .argument('<file>', 'with the columns id, first name and last name')
    .option('--dry-run', 'only say what would change')
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .allowExcessArguments(false)
    .action(async (file: string, { dryRun, ...flags }: Flags & { readonly dryRun?: true }) => {
      writeLine(await importNames(await storeOf(flags), file, { isDryRun: dryRun === true }));
    });

  program
    .command('repair')
    .description(
      'replace a damaged store by a new one with all rows that can be saved, and keep the old files',
    )
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .allowExcessArguments(false)
    .action(async (flags: Flags) => {
      for (const line of await repair(await storeOf(flags))) writeLine(asCalledHere(line, run.call));
    });

  program
    .command('doctor')
    .description('list the devices that can be readers, with what is missing to use them; or try a reader')
    .option('--reader <url>', 'reader to try: shows the raw text of one tag, and its id')
    .option('--timeout <duration>', `how long to wait for the tag (default: ${TIMEOUT_DEFAULT})`)
    .option('--json', 'print JSON, for programs')
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      const interruption = new AbortController();
      const interrupt = (): void => interruption.abort();
      process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
      const write = (line: string): void =>
        writeLine(flags.json === true ? line : asCalledHere(line, run.call));
      run.exitCode = await doctor(flags, write, interruption.signal);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    });
  for (const command of program.commands) {
    command.showHelpAfterError(`(${run.call} ${command.name()} --help says more)`);
  }
  return program;
}

function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The settings as flags, and the file that has more of them. */
interface Flags extends Settings {
  readonly config?: string;
}

async function storeOf({ config: file, store }: Flags): Promise<string> {
  const flags = store === undefined ? {} : { store };
  return loadStoreUrl(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
}

async function fileOf(flag: string | undefined): Promise<FileSettings | undefined> {
  const name = flag ?? (process.env['TALLYBOOK_CONFIG'] ?? '').trim();
  return name === '' ? undefined : readConfigFile(name);
}

function configOption(): Option {
  return new Option(
    '--config <file>',
    'file of settings, TOML or JSON (default: none, env: TALLYBOOK_CONFIG)',
  );
}

/** The default and the variable are for the help only: `loadConfig` joins them, so that one place knows precedence. */
function optionOf(setting: Setting): Option {
  const { flag, value, help, variable } = setting;
  const byDefault = String(setting.default) || 'none';
  const option = new Option(`--${flag} ${value}`, `${help} (default: ${byDefault}, env: ${variable})`);
  // For one that may stand alone.
  option.preset('true');
  return 'parse' in setting ? option : option.argParser(collect);
}

/** Collects the values of an option that may be repeated. */
function collect(value: string, values: readonly string[] | undefined): readonly string[] {
  return [...(values ?? []), value];
}
