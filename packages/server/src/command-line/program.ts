// The whole process of the command line. The bundler makes the program from this file.
import { runCommandLine } from './command-line.js';
import { outliveReaders } from './terminal-output.js';

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
