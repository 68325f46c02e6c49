import type { Command } from 'commander';
import { counted, TallybookError } from '@tallybook/domain';
import { addAccessCommands } from './access/access-commands.js';
import { listAudit, parseAuditHead, verifyAudit } from './audit-commands.js';
import { exportBackup, importBackup } from './backup-commands.js';
import { copyStore } from './copy-command.js';
import { settings, type Setting } from '../config/settings.js';
import { doctor, TIMEOUT_DEFAULT, type DoctorFlags } from './doctor/doctor-command.js';
import { importNames } from './import-names-command.js';
import { asCalledHere, type Run } from './invocation.js';
import { describeStore, migrateStore } from '../config/stores.js';
import { repair } from './repair-command.js';
import { erase, person, retention } from './personal/personal-commands.js';
import { configOf, configOption, optionOf, storeOf, type Flags } from './setting-options.js';

/** Adds all commands but `serve` to the command line. */
export function addCommands(program: Command, run: Run): void {
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
    .action(async (ids: readonly string[], { dryRun, ...flags }: Flags & { readonly dryRun?: true }) => {
      const lines = await erase(await configOf(flags), ids, { isDryRun: dryRun === true });
      for (const line of lines) writeLine(line);
    });
  add('person', [store, clock])
    .description('write everything that is kept of a tag to standard output, as JSON')
    .argument('<id>', 'tag')
    .action(async (id: string, flags: Flags) => person(await configOf(flags), id));
  add('retention', [store, clock, zone, dayStart, keep, backupFolder])
    .description('remove the days that were kept long enough, as --keep says')
    .option('--dry-run', 'only say what would go')
    .option('--confirm', 'also what is doubtful, such as very many days at once')
    .action(
      async ({ dryRun, confirm, ...flags }: Flags & { readonly dryRun?: true; readonly confirm?: true }) => {
        const options = { isDryRun: dryRun === true, isConfirmed: confirm === true };
        for (const line of await retention(await configOf(flags), options)) writeLine(line);
      },
    );
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
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
