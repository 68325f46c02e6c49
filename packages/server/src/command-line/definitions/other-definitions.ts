import type { Command } from 'commander';
import type { CommandRun } from '../command-run.js';
import { addSettings } from '../setting-options.js';
import { doctor, TIMEOUT_DEFAULT, type DoctorFlags } from '../doctor/doctor-command.js';
import { defineAccessCommands } from './access-definitions.js';
import { definePersonalCommands } from './personal-definitions.js';
import { defineAuditCommands, defineStoreCommands } from './store-definitions.js';

/** Adds all commands except `serve`, in the order of the help. */
export function defineOthers(program: Command, run: CommandRun): void {
  defineStoreCommands(program, run);
  definePersonalCommands(program, run);
  defineAuditCommands(program, run);
  defineDoctor(program, run);
  defineAccessCommands(program, run);
}

function defineDoctor(program: Command, run: CommandRun): void {
  addSettings(program.command('doctor'), [])
    .description('list the devices that can be readers, and how to use them; or try a reader')
    .option('--reader <url>', 'reader to try: shows the raw text of one tag, and its id')
    .option('--timeout <duration>', `how long to wait for the tag (default: ${TIMEOUT_DEFAULT})`)
    .option('--json', 'print JSON, for programs')
    .action(async (flags: DoctorFlags) => {
      const interruption = new AbortController();
      const interrupt = (): void => interruption.abort();
      process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
      const write = (line: string): void => (flags.json === true ? run.write(line) : run.tell(line));
      run.exitCode = await doctor(flags, run.used, write, interruption.signal);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    });
}
