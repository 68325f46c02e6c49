// The whole process of the command line. The bundler makes the program of this file.
import * as domain from '@tallybook/domain';
import { runCommandLine } from './command-line.js';
import { outliveReaders } from './write-output.js';

/** For the other files of the program, so that there is one of it. */
export { domain };

outliveReaders();
void run();

async function run(): Promise<void> {
  // Nobody else on the machine may read who was there. Set here and not in the library: the umask belongs to the whole process.
  process.umask(0o077);
  process.exitCode = await runCommandLine(process.argv.slice(2));
  // Ends the process even if something still holds the event loop; if nothing does, it has ended before.
  setTimeout(() => process.exit(), 500).unref();
}
