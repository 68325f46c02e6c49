import type { Command } from 'commander';
import { listAudit, parseAuditHead, verifyAudit } from '../audit-commands.js';
import type { CommandRun } from '../command-run.js';
import { addStoreOptions, storeOf, type Flags } from '../setting-options.js';

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
    const { isSound, lines } = await verifyAudit(await storeOf(flags), expected);
    for (const line of lines) run.write(line);
    if (!isSound) run.exitCode = 1;
  });
  const list = audit
    .command('list')
    .description('print all entries, one on a line')
    .option('--json', 'print JSON, for programs');
  addStoreOptions(list).action(async ({ json, ...flags }: Flags & { readonly json?: true }) => {
    await listAudit(await storeOf(flags), { isJson: json === true });
  });
}
