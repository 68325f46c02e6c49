/** All of them: also a server, which defines no other command than its own, names them. */
const COMMANDS = [
  ...['serve', 'export', 'import', 'import-names', 'repair', 'migrate', 'copy'],
  ...['erase', 'person', 'retention', 'audit', 'doctor'],
  ...['user', 'token', 'passkey', 'stations', 'setup-code', 'help'],
];
const CALLS = new RegExp(`\\btallybook (?=(?:${COMMANDS.join('|')})(?![\\w-]))`, 'g');

/** A run of the command line: how it was called, what it prints, and what becomes known of it. */
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

  /** Prints a line of the result for people, who get what they can type. */
  tell(line: string): void {
    this.write(this.asCalledHere(line));
  }

  /** Tells people what is not the result. */
  remark(line: string): void {
    process.stderr.write(`${this.asCalledHere(line)}\n`);
  }

  /** The packages name the program as it is when it is installed; people get what they can type. */
  asCalledHere(text: string): string {
    return text.replaceAll(CALLS, () => `${this.call} `);
  }
}
