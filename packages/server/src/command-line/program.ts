// The whole process of the command line. The bundler makes the program from this file.
import * as domain from '@tallybook/domain';
import * as access from '@tallybook/domain/access';
import * as personal from '@tallybook/domain/personal';
import * as record from '@tallybook/domain/record';
import * as sync from '@tallybook/domain/sync';
import { runCommandLine } from './command-line.js';
import { outliveReaders } from './write-output.js';

/** For the other files of the program, so that there is only one copy of the domain. */
export { access, domain, personal, record, sync };

outliveReaders();
void run();

async function run(): Promise<void> {
  // No other user of the machine may read the record. This is set here and not in the library, because the umask belongs to the
  // whole process.
  process.umask(0o077);
  process.exitCode = await runCommandLine(process.argv.slice(2));
  // Ends the process even if something still holds the event loop. If nothing holds it, the process ends earlier by itself.
  setTimeout(() => process.exit(), 500).unref();
}
