import { Command, CommanderError, Option } from 'commander';
import { counted, isTallybookError, TallybookError, type ErrorCode } from '@tallybook/domain';
import { addAccessCommands } from './access/access-commands.js';
import { listAudit, parseAuditHead, verifyAudit } from './audit-commands.js';
import { exportBackup, importBackup } from './backup-commands.js';
import { copyStore } from './copy-command.js';
import { readConfigFile, type FileSettings } from '../config/config-file.js';
import { loadConfig, loadStoreUrl, type Config, type Settings } from '../config/config.js';
import { settings, type Setting } from '../config/settings.js';
import { doctor, TIMEOUT_DEFAULT, type DoctorFlags } from './doctor/doctor-command.js';
import { importNames } from './import-names-command.js';
import { describeCall, findTaken, type Start } from './invocation.js';
import { describeStore, migrateStore } from '../config/stores.js';
import { repair } from './repair-command.js';
import { erase, person, retention } from './personal/personal-commands.js';
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
    /\btallybook (?=(?:serve|export|import-names|import|repair|copy|migrate|erase|person|retention|audit|doctor|user|token|stations|setup-code)\b)/g,
    () => `${call} `,
  );
}

/** @throws {TallybookError} `INVALID_OPTION` if npm took options that were meant for this program. */
function refuseTaken(program: Command, start: Start, args: readonly string[]): void {
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  const options = commands.flatMap((command) => command.options.flatMap(({ long }) => long ?? []));
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
      `${ABOUT_URLS}\nOther commands, such as export, erase, user and doctor, are listed by ${run.call} help.\n`,
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
      const { names, entries, corrections, provisional, refused = 0 } = await importBackup(store, file);
      const counts = [counted(names, 'name'), counted(entries, 'entry', 'entries')];
      if (corrections > 0) counts.push(counted(corrections, 'correction'));
      if (provisional > 0) counts.push(`${counted(provisional, 'scan')} taken with a wrong clock`);
      const without = refused > 0 ? `, without ${counted(refused, 'record')} of persons who were erased` : '';
      writeLine(`imported ${counts.join(', ')} into ${describeStore(store)}${without}`);
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
    .command('migrate')
    .description('make the tables of this version in a PostgreSQL, or change those of an earlier version')
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .option('--zone <zone>', 'with --day-start: the days of the site become those of this time zone')
    .option('--day-start <HH:MM>', 'with --zone; no server of the site may run then')
    .allowExcessArguments(false)
    .action(async ({ zone, dayStart, ...flags }: Flags & CalendarFlags) => {
      const store = await storeOf(flags);
      const { from, to } = await migrateStore(store, calendarOf({ zone, dayStart }));
      const what = from === 0 ? `made tables of format ${to}` : `brought format ${from} to ${to}`;
      writeLine(`${from === to ? `nothing to do: format ${to}` : what}, in ${describeStore(store)}`);
    });

  program
    .command('copy')
    .description(
      'copy a store whole into another one, such as from a device into PostgreSQL, and compare both',
    )
    .requiredOption('--from <url>', 'store that is read')
    .requiredOption('--to <url>', 'store that is written')
    .option('--merge', 'also into a store that holds a record of its own, which stays')
    .allowExcessArguments(false)
    .action(async ({ from, to, merge }: CopyFlags) => {
      for (const line of await copyStore(from, to, { isMerging: merge === true })) writeLine(line);
    });

  addPersonalCommands(program);

  const audit = program
    .command('audit')
    .description('read who did what and when: the audit trail of a store');
  audit
    .command('verify')
    .description('say whether an entry is missing or was changed, and where the trail ends')
    .option('--expect <number:hash>', 'where it ended before, as this command and the log of the service say')
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .allowExcessArguments(false)
    .action(async ({ expect, ...flags }: Flags & { readonly expect?: string }) => {
      const expected = expect === undefined ? undefined : parseAuditHead(expect);
      const { isSound, lines } = await verifyAudit(await storeOf(flags), expected);
      for (const line of lines) writeLine(line);
      if (!isSound) run.exitCode = 1;
    });
  audit
    .command('list')
    .description('print all entries, one on a line')
    .option('--json', 'print JSON, for programs')
    .addOption(configOption())
    .addOption(optionOf(settings.store))
    .allowExcessArguments(false)
    .action(async ({ json, ...flags }: Flags & { readonly json?: true }) => {
      await listAudit(await storeOf(flags), { isJson: json === true });
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

  addAccessCommands<Flags>(program, {
    addStoreOptions: (command) =>
      command.addOption(configOption()).addOption(optionOf(settings.store)).allowExcessArguments(false),
    storeOf,
    write: (line) => writeLine(asCalledHere(line, run.call)),
    remark: (line) => void process.stderr.write(`${asCalledHere(line, run.call)}\n`),
  });
  for (const command of program.commands) addHints(command, `${run.call} ${command.name()}`);
  return program;
}

/** Says where help is, also of the commands below a command. */
function addHints(command: Command, call: string): void {
  command.showHelpAfterError(`(${call} --help says more)`);
  for (const each of command.commands) addHints(each, `${call} ${each.name()}`);
}

/** What a club, a school or a company owes to the persons whose tags it records. */
function addPersonalCommands(program: Command): void {
  const { store, clock, zone, dayStart, keep, backupFolder } = settings;
  const add = (name: string, own: readonly Setting[]): Command => {
    const command = program.command(name).addOption(configOption());
    for (const setting of own) command.addOption(optionOf(setting));
    return command.allowExcessArguments(false);
  };
  add('erase', [store, clock, backupFolder])
    .description('erase persons by their tags, from everything and for good')
    .argument('<id...>', 'tags')
    .option('--dry-run', 'only say what would go')
    .option('--confirm', 'do not ask first, for scripts')
    .action(async (ids: readonly string[], { dryRun, confirm, ...flags }: Flags & Decision) => {
      const options = { isDryRun: dryRun === true, isConfirmed: confirm === true };
      for (const line of await erase(await configOf(flags), ids, options)) writeLine(line);
    });
  add('person', [store, clock])
    .description('write everything that is kept of a tag to standard output, as JSON')
    .argument('<id>', 'tag')
    .action(async (id: string, flags: Flags) => person(await configOf(flags), id));
  add('retention', [store, clock, zone, dayStart, keep, backupFolder])
    .description('remove the days that were kept long enough, as --keep says')
    .option('--dry-run', 'only say what would go')
    .option('--confirm', 'also what is doubtful, such as very many days at once')
    .action(async ({ dryRun, confirm, ...flags }: Flags & Decision) => {
      const options = { isDryRun: dryRun === true, isConfirmed: confirm === true };
      for (const line of await retention(await configOf(flags), options)) writeLine(line);
    });
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Whether something is removed, or only said. */
interface Decision {
  readonly dryRun?: true;
  readonly confirm?: true;
}

interface CalendarFlags {
  readonly zone?: string;
  readonly dayStart?: string;
}

interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly merge?: true;
}

/** @throws {TallybookError} `INVALID_OPTION` if one is given without the other, or is wrong. */
function calendarOf({
  zone,
  dayStart,
}: { [K in keyof CalendarFlags]: CalendarFlags[K] | undefined }): Required<CalendarFlags> | undefined {
  if (zone === undefined && dayStart === undefined) return undefined;
  if (zone === undefined || dayStart === undefined)
    throw new TallybookError('INVALID_OPTION', 'migrate takes --zone and --day-start together');
  return { zone: settings.zone.parse(zone), dayStart: settings.dayStart.parse(dayStart) };
}

/** The settings as flags, and the file that has more of them. */
interface Flags extends Settings {
  readonly config?: string;
}

async function storeOf({ config: file, store }: Flags): Promise<string> {
  const flags = store === undefined ? {} : { store };
  return loadStoreUrl(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
}

async function configOf({ config: file, ...flags }: Flags): Promise<Config> {
  return loadConfig(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
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
