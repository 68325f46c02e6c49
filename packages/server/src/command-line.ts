import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { isTallybookError, type ErrorCode } from '@tallybook/domain';
import { indicatorSchemes } from '@tallybook/indicators';
import { publisherSchemes } from '@tallybook/publisher-mqtt';
import { readerSchemes } from '@tallybook/readers';
import { exportBackup, importBackup } from './backup-commands.js';
import {
  damageReactions,
  defaultSettings,
  loadConfig,
  loadStoreUrl,
  logLevels,
  type Settings,
} from './config.js';
import { doctor, TIMEOUT_DEFAULT, type DoctorFlags } from './doctor/doctor-command.js';
import { repair } from './repair-command.js';
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
  const run: Run = { exitCode: 0, repairsDamage: false };
  const program = createProgram(run);
  try {
    await program.parseAsync(args, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    if (!isTallybookError(error)) throw error;
    const code = error.code === 'INVALID_OPTION' ? '' : ` (${error.code})`;
    process.stderr.write(`tallybook: ${error.message.replaceAll('\n', '\n  ')}${code}\n`);
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
}

function createProgram(run: Run): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const program = new Command('tallybook')
    .description('Attendance service: tap a tag, have it recorded durably, see it live')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(tallybook --help says more)');

  program
    .command('serve')
    .description('record what the readers read, and serve it over HTTP')
    .addOption(option('--host <address>', 'address to listen on', 'host'))
    .addOption(option('--port <port>', 'port to listen on, 0 for a free one', 'port'))
    .addOption(storeOption())
    .addOption(
      option(
        '--on-damage <reaction>',
        `a store that is damaged at the start: ${damageReactions.join(' or ')}`,
        'onDamage',
        'TALLYBOOK_ON_DAMAGE',
      ),
    )
    .addOption(
      option(
        '--reader <url>',
        `reader, may be repeated: ${Object.values(readerSchemes).join(', ')}`,
        'reader',
        'TALLYBOOK_READERS',
      ).argParser(collect),
    )
    .addOption(
      option(
        '--indicator <url>',
        `lights, buzzer or display at a reader, may be repeated: ${Object.values(indicatorSchemes).join(', ')}`,
        'indicator',
        'TALLYBOOK_INDICATORS',
      ).argParser(collect),
    )
    .addOption(
      option(
        '--publish <url>',
        `who is told of every scan, may be repeated: ${Object.values(publisherSchemes).join(', ')}`,
        'publish',
        'TALLYBOOK_PUBLISH',
      ).argParser(collect),
    )
    .addOption(option('--zone <zone>', 'IANA time zone in which days are counted', 'zone'))
    .addOption(option('--day-start <HH:MM>', 'time at which a day begins', 'dayStart', 'TALLYBOOK_DAY_START'))
    .addOption(
      option(
        '--repeat-window <duration>',
        'a tag seen again within this time is the same tap, 0 for off',
        'repeatWindow',
        'TALLYBOOK_REPEAT_WINDOW',
      ),
    )
    .addOption(
      option(
        '--clock <mode>',
        'system: trusted as far as the system says; trusted: you vouch for it, as with a battery clock',
        'clock',
      ),
    )
    .addOption(option('--backlog <n>', 'scans kept in memory while the store cannot write', 'backlog'))
    .addOption(option('--backup <folder>', 'folder for backups, best on another card', 'backup'))
    .addOption(
      option(
        '--backup-every <duration>',
        'time from one backup to the next',
        'backupEvery',
        'TALLYBOOK_BACKUP_EVERY',
      ),
    )
    .addOption(
      option('--backup-keep <n>', 'how many backups are kept', 'backupKeep', 'TALLYBOOK_BACKUP_KEEP'),
    )
    .addOption(
      option(
        '--max-subscribers <n>',
        'event streams at a time',
        'maxSubscribers',
        'TALLYBOOK_MAX_SUBSCRIBERS',
      ),
    )
    .addOption(
      option('--max-connections <n>', 'connections at a time', 'maxConnections', 'TALLYBOOK_MAX_CONNECTIONS'),
    )
    .addOption(
      option(
        '--max-connections-per-address <n>',
        'connections at a time of one other machine',
        'maxConnectionsPerAddress',
        'TALLYBOOK_MAX_CONNECTIONS_PER_ADDRESS',
      ),
    )
    .addOption(
      option(
        '--allowed-host <name>',
        'name under which people reach this machine, may be repeated; addresses, localhost, *.local and its own name need none',
        'allowedHost',
        'TALLYBOOK_ALLOWED_HOSTS',
      ).argParser(collect),
    )
    .addOption(option('--log-level <level>', logLevels.join(', '), 'logLevel', 'TALLYBOOK_LOG_LEVEL'))
    .addHelpText('after', ABOUT_URLS)
    .allowExcessArguments(false)
    .action(async (flags: Settings) => {
      const config = loadConfig(flags);
      run.repairsDamage = config.onDamage === 'repair';
      run.exitCode = await serve(config);
    });

  program
    .command('export')
    .description('write everything as JSON Lines, to a file or to standard output')
    .argument('[file]', 'the file, written whole or not at all')
    .addOption(storeOption())
    .allowExcessArguments(false)
    .action(async (file: string | undefined, flags: Settings) => {
      await exportBackup(loadStoreUrl(flags), file);
    });

  program
    .command('import')
    .description('read JSON Lines back; a bad line changes nothing, importing twice changes nothing more')
    .argument('<file>')
    .addOption(storeOption())
    .allowExcessArguments(false)
    .action(async (file: string, flags: Settings) => {
      const { names, entries, provisional } = await importBackup(loadStoreUrl(flags), file);
      const waiting =
        provisional === 0 ? '' : `, and ${provisional} scans that were taken with a wrong clock`;
      process.stdout.write(`imported ${names} names and ${entries} entries${waiting}\n`);
    });

  program
    .command('repair')
    .description(
      'save what can be saved of a damaged store into a new one in its place, and keep the old files',
    )
    .addOption(storeOption())
    .allowExcessArguments(false)
    .action(async (flags: Settings) => {
      for (const line of await repair(loadStoreUrl(flags))) process.stdout.write(`${line}\n`);
    });

  program
    .command('doctor')
    .description('say which devices can be readers and what to do to use them, or try one')
    .option('--reader <url>', 'a reader to try: what it says of one tag, and the id that is made of it')
    .option('--timeout <duration>', `how long to wait for the tag (default: ${TIMEOUT_DEFAULT})`)
    .option('--json', 'for programs')
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      const interruption = new AbortController();
      const interrupt = (): void => interruption.abort();
      process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
      run.exitCode = await doctor(flags, writeLine, interruption.signal);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    });
  return program;
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function storeOption(): Option {
  return option('--store <url>', 'store: level:PATH or memory:', 'store');
}

/** Collects the values of an option that may be repeated. */
function collect(value: string, values: readonly string[] | undefined): readonly string[] {
  return [...(values ?? []), value];
}

/** The default and the variable are for the help only: `config.ts` joins them, so that one place knows precedence. */
function option(
  flags: string,
  description: string,
  setting: keyof Settings,
  variable = `TALLYBOOK_${setting.toUpperCase()}`,
): Option {
  const value = defaultSettings[setting];
  return new Option(flags, `${description} (default: ${String(value) || 'none'}, env: ${variable})`);
}
