import { Option, type Command } from 'commander';
import { settings } from '../../config/settings.js';
import type { CommandRun } from '../command-run.js';
import { erase, person, retention } from '../personal/personal-commands.js';
import {
  addSettings,
  collect,
  configOf,
  formatOption,
  type Flags,
  type Written,
} from '../setting-options.js';

/** Adds `erase`, `person` and `retention` to the command line. They serve duties towards recorded persons. */
export function definePersonalCommands(program: Command, run: CommandRun): void {
  const { store, clock, zone, dayStart, keep, keepGuests, backupFolder } = settings;
  addSettings(program.command('erase'), [store, clock, backupFolder])
    .description('erase persons, from everything and for good')
    .argument('[id...]', 'tags of the persons')
    .addOption(personOption(', repeatable'))
    .option('--dry-run', 'only show what would be removed')
    .option('--confirm', 'do not ask first, for scripts')
    .option(...formatOption)
    .action(async (tags: readonly string[], options: Flags & Decision & Written & ByPerson) => {
      const { dryRun, confirm, format, person: persons = [], ...flags } = options;
      const decision = { isDryRun: dryRun === true, isConfirmed: confirm === true };
      const lines = await erase(configOf(flags, run), { tags, persons, format }, decision);
      for (const line of lines) run.write(line);
    });
  addSettings(program.command('person'), [store, clock])
    .description('write everything stored about a person to standard output, as JSON')
    .argument('[id]', 'tag of the person')
    .addOption(personOption())
    .option(...formatOption)
    .action(async (tag: string | undefined, options: Flags & Written & ByPerson) => {
      const { format, person: persons = [], ...flags } = options;
      await person(configOf(flags, run), { tags: tag === undefined ? [] : [tag], persons, format });
    });
  addSettings(program.command('retention'), [store, clock, zone, dayStart, keep, keepGuests, backupFolder])
    .description('remove days older than --keep, and erase guests')
    .option('--dry-run', 'only show what would be removed')
    .option(
      '--confirm',
      'do not ask first, and remove even in doubtful cases, such as very many days at once',
    )
    .action(async ({ dryRun, confirm, ...flags }: Flags & Decision) => {
      const options = { isDryRun: dryRun === true, isConfirmed: confirm === true };
      for (const line of await retention(configOf(flags, run), options)) run.write(line);
    });
}

const personOption = (more = ''): Option =>
  new Option('--person <id>', `id of a person, if a tag does not say who is meant${more}`).argParser(collect);

interface ByPerson {
  readonly person?: readonly string[];
}

/** Whether data is removed, or only reported. */
interface Decision {
  readonly dryRun?: true;
  readonly confirm?: true;
}
