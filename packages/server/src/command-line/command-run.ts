/** The names of all commands: `serve` needs them too, though it defines no other command. */
const COMMANDS = [
  ...['serve', 'export', 'import', 'import-names', 'repair', 'migrate', 'copy'],
  ...['erase', 'person', 'retention', 'audit', 'doctor'],
  ...['user', 'token', 'passkey', 'stations', 'setup-code', 'help'],
];
const CALLS = new RegExp(`\\btallybook (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g');

/** A run of the command line: how it was called, and what it prints. */
export class CommandRun {
  exitCode = 0;
  /** Whether it is one of a server that repairs a damaged store when it starts. */
  repairsDamage = false;
  /** How the program is called here. */
  readonly call: string;

  constructor(call: string) {
    this.call = call;
  }

  /** Prints a line of the result, as it is. */
  write(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  /** Prints a line of the result for people, with commands as they can type them. */
  tell(line: string): void {
    this.write(this.asCalledHere(line));
  }

  /** Tells people something that is not the result, on standard error. */
  remark(line: string): void {
    process.stderr.write(`${this.asCalledHere(line)}\n`);
  }

  /** Replaces `tallybook`, the name of the installed program, by what people can type here. */
  asCalledHere(text: string): string {
    return text.replaceAll(CALLS, () => `${this.call} `);
  }
}
