import type { Command } from 'commander';
import { settings } from '../../config/settings.js';
import type { CommandRun } from '../command-run.js';
import { erase, person, retention } from '../personal/personal-commands.js';
import { addSettings, configOf, formatOption, type Flags, type Written } from '../setting-options.js';

/** Adds `erase`, `person` and `retention` to the command line. They serve duties towards recorded persons. */
export function definePersonalCommands(program: Command, run: CommandRun): void {
  const { store, clock, zone, dayStart, keep, backupFolder } = settings;
  addSettings(program.command('erase'), [store, clock, backupFolder])
    .description('erase persons by their tags, from everything and for good')
    .argument('<id...>', 'tags')
    .option('--dry-run', 'only show what would be removed')
    .option('--confirm', 'do not ask first, for scripts')
    .option(...formatOption)
    .action(
      async (ids: readonly string[], { dryRun, confirm, format, ...flags }: Flags & Decision & Written) => {
        const options = { isDryRun: dryRun === true, isConfirmed: confirm === true, format };
        for (const line of await erase(configOf(flags, run), ids, options)) run.write(line);
      },
    );
  addSettings(program.command('person'), [store, clock])
    .description('write everything stored about a tag to standard output, as JSON')
    .argument('<id>', 'tag')
    .option(...formatOption)
    .action(async (id: string, { format, ...flags }: Flags & Written) =>
      person(configOf(flags, run), id, format),
    );
  addSettings(program.command('retention'), [store, clock, zone, dayStart, keep, backupFolder])
    .description('remove days older than --keep')
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

/** Whether data is removed, or only reported. */
interface Decision {
  readonly dryRun?: true;
  readonly confirm?: true;
}
