import type { FileSettings } from '../config/config-file.js';
import type { Used } from '../config/load-adapters.js';

/** The names of all commands. `serve` needs them too, although it does not define the others. */
const COMMANDS = [
  ...['serve', 'export', 'import', 'import-names', 'repair', 'rollback', 'migrate', 'copy'],
  ...['erase', 'person', 'retention', 'audit', 'doctor'],
  ...['user', 'token', 'passkey', 'stations', 'setup-code', 'help'],
];
const CALLS = new RegExp(`\\btallybook (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g');

/** A run of the command line: the way it was called, and its output. */
export class CommandRun {
  exitCode = 0;
  /** Whether this run is a server that repairs a damaged store at the start. */
  repairsDamage = false;
  /** The words that call the program here. */
  readonly call: string;
  /** The settings file, if there is one. */
  file: FileSettings | undefined;
  /** The third-party adapters. */
  used: readonly Used[] = [];

  constructor(call: string) {
    this.call = call;
  }

  /** Prints a line of the result unchanged. */
  write(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  /** Prints a line of the result for people, with commands in the form that they can type here. */
  tell(line: string): void {
    this.write(this.asCalledHere(line));
  }

  /** Prints a remark for people, which is not the result, on standard error. */
  remark(line: string): void {
    process.stderr.write(`${this.asCalledHere(line)}\n`);
  }

  /** Replaces `tallybook`, the name of the installed program, by the words that people can type here. */
  asCalledHere(text: string): string {
    return text.replaceAll(CALLS, () => `${this.call} `);
  }
}
