import { invalidOption } from '@tallybook/devices';
import { counted } from '@tallybook/domain';
import type { MigrationReport } from '@tallybook/store-postgres';
import type { Command } from 'commander';
import { settings } from '../../config/settings.js';
import { describeStore, migrateStore } from '../../config/stores.js';
import { exportBackup, importBackup } from '../backup-commands.js';
import type { CommandRun } from '../command-run.js';
import { copyStore } from '../copy-command.js';
import { importNames, type ImportChoices } from '../import-names-command.js';
import { repair } from '../repair-command.js';
import { rollBack } from '../roll-back-command.js';
import { addStoreOptions, configOf, formatOption, storeOf, type Flags } from '../setting-options.js';
import { listAudit, parseAuditHead, verifyAudit } from '../audit-commands.js';

interface CalendarFlags {
  readonly zone?: string;
  readonly dayStart?: string;
}

interface ImportFlags extends Flags, Omit<ImportChoices, 'isDryRun' | 'settings' | 'remark'> {
  readonly dryRun?: true;
}

interface RollBackFlags {
  readonly out?: string;
  readonly confirm?: true;
}

interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly merge?: true;
}

/** Adds the commands for a whole store to the command line. */
export function defineStoreCommands(program: Command, run: CommandRun): void {
  defineBackups(program, run);
  defineImportNames(program, run);
  addStoreOptions(program.command('repair'))
    .description(
      'replace a damaged store by a new one with all rows that can be saved, and keep the old files',
    )
    .action(async (flags: Flags) => {
      for (const line of await repair(storeOf(flags, run))) run.tell(line);
    });
  addStoreOptions(program.command('rollback'))
    .description('put a store back as it was before an update changed its format, within 14 days')
    .option('--out <file>', 'file for a backup of the present store (default: in its folder)')
    .option('--confirm', 'do not ask first, for scripts')
    .action(async ({ out, confirm, ...flags }: Flags & RollBackFlags) => {
      const tell = (line: string): void => run.tell(line);
      const options = { out, isConfirmed: confirm === true, tell };
      for (const line of await rollBack(storeOf(flags, run), options)) run.tell(line);
    });
  defineMigrate(program, run);
  program
    .command('copy')
    .description(
      'copy a whole store into another one, such as from a device into PostgreSQL, and compare both',
    )
    .requiredOption('--from <url>', 'store to read')
    .requiredOption('--to <url>', 'store to write')
    .option('--merge', 'join the record with that of the target, instead of refusing a target that has one')
    .allowExcessArguments(false)
    .action(async ({ from, to, merge }: CopyFlags) => {
      for (const line of await copyStore(from, to, { isMerging: merge === true })) run.write(line);
    });
}

function defineBackups(program: Command, run: CommandRun): void {
  addStoreOptions(program.command('export'))
    .description('write all data as JSON Lines, to a file or to standard output')
    .argument('[file]', 'file to write, all of it or nothing; - or none: standard output')
    .action(async (file: string | undefined, flags: Flags) => {
      await exportBackup(storeOf(flags, run), file);
    });
  addStoreOptions(program.command('import'))
    .description('merge an export into the store; if a line is invalid, nothing is changed')
    .argument('<file>')
    .action(async (file: string, flags: Flags) => {
      const store = storeOf(flags, run);
      const counts = await importBackup(store, file);
      const { persons = 0, names, entries, corrections, provisional, refused = 0 } = counts;
      const parts = persons > 0 ? [counted(persons, 'person')] : [];
      parts.push(counted(names, 'name'), counted(entries, 'entry', 'entries'));
      if (corrections > 0) parts.push(counted(corrections, 'correction'));
      if (provisional > 0) parts.push(`${counted(provisional, 'scan')} taken with a wrong clock`);
      const [what, where] = [parts.join(', '), describeStore(store)];
      // The counts are of the file, not of the store.
      run.write(
        refused === 0
          ? `imported ${what} into ${where}`
          : `read ${what}; all but ${counted(refused, 'record')} of persons who were erased are in ${where}`,
      );
    });
}

function defineImportNames(program: Command, run: CommandRun): void {
  const command = program
    .command('import-names')
    .description('import persons from a list, XLSX, CSV or JSON Lines: all of them or none')
    .argument('<file>', 'with columns of tags, names, numbers and groups')
    .option('--dry-run', 'only show what would change')
    .option(...formatOption)
    .option('--encoding <name>', 'encoding of the list, such as windows-1250 or macintosh (default: guessed)')
    .option('--id-column <column>', 'title or number of the column of the tag (default: by known titles)')
    .option('--first-column <column>', 'title or number of the column of the first name; 0: none')
    .option('--last-column <column>', 'title or number of the column of the last name; 0: none')
    .option('--number-column <column>', 'title or number of the column of the number of the member; 0: none')
    .option('--group-column <column>', 'title or number of the column of the groups; 0: none')
    .option('--person-column <column>', 'title or number of the column of the id of the person; 0: none')
    .option('--sheet <sheet>', 'name or number of the sheet of a workbook (default: the first one)')
    .option('--numbers <what>', 'what numbers are: member or running (default: as they seem)');
  addStoreOptions(command).action(async (file: string, flags: ImportFlags) => {
    const { dryRun, format, encoding, sheet, numbers, ...rest } = flags;
    const { idColumn, firstColumn, lastColumn, numberColumn, groupColumn, personColumn, ...others } = rest;
    const config = configOf(others, run);
    const columns = { idColumn, firstColumn, lastColumn, numberColumn, groupColumn, personColumn };
    const choices = { format, encoding, sheet, numbers, ...columns, isDryRun: dryRun === true };
    const remark = (line: string): void => run.remark(line);
    run.write(await importNames(config.store, file, { ...choices, settings: config, remark }));
  });
}

function defineMigrate(program: Command, run: CommandRun): void {
  addStoreOptions(program.command('migrate'))
    .description('make the tables of a PostgreSQL, or update those of an older version')
    .option('--zone <zone>', 'with --day-start: new time zone of the site')
    .option('--day-start <HH:MM>', 'with --zone: new day start of the site; stop its servers first')
    .action(async ({ zone, dayStart, ...flags }: Flags & CalendarFlags) => {
      const store = storeOf(flags, run);
      const report = await migrateStore(store, calendarOf({ zone, dayStart }));
      run.write(`${describeMigration(report)}, in ${describeStore(store)}`);
    });
}

/** Describes the result of a migration for people. */
export function describeMigration({ from, to }: MigrationReport): string {
  if (from === to) return `nothing to do: format ${to}`;
  return from === 0 ? `made tables of format ${to}` : `brought format ${from} to ${to}`;
}

/** @throws {TallybookError} `INVALID_OPTION` if only one of the two is given, or one is wrong. */
function calendarOf({
  zone,
  dayStart,
}: { [K in keyof CalendarFlags]: CalendarFlags[K] | undefined }): Required<CalendarFlags> | undefined {
  if (zone === undefined && dayStart === undefined) return undefined;
  if (zone === undefined || dayStart === undefined)
    throw invalidOption('migrate takes --zone and --day-start together');
  return { zone: settings.zone.parse(zone), dayStart: settings.dayStart.parse(dayStart) };
}

/** Adds `audit` to the command line. */
export function defineAuditCommands(program: Command, run: CommandRun): void {
  const audit = program.command('audit').description('the audit trail of a store: who did what and when');
  const verify = audit
    .command('verify')
    .description('check whether an entry is missing or was changed, and print the end of the trail')
    .option(
      '--expect <number:hash>',
      'an earlier end of the trail, as printed by this command and the log of the service',
    );
  addStoreOptions(verify).action(async ({ expect, ...flags }: Flags & { readonly expect?: string }) => {
    const expected = expect === undefined ? undefined : parseAuditHead(expect);
    const { isSound, lines } = await verifyAudit(storeOf(flags, run), expected);
    for (const line of lines) run.write(line);
    if (!isSound) run.exitCode = 1;
  });
  const list = audit
    .command('list')
    .description('print all entries, one on a line')
    .option('--json', 'print JSON, for programs');
  addStoreOptions(list).action(async ({ json, ...flags }: Flags & { readonly json?: true }) => {
    await listAudit(storeOf(flags, run), { isJson: json === true });
  });
}
