// Installs and compiles before a command, with messages for the person who waits. The messages go to standard error,
// because the output of the command itself may go to a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Lines that show progress, not errors. */
const IS_PLAIN = /^\r?$|^ {4}\* | - (?:Projects? |Building |Skipping |Updating )/;

/** Runs programs of the checkout. The title of each is printed first. */
export class Preparation {
  #root;
  #beganMs = performance.now();
  #hasSaid = false;

  /** @param root Path of the checkout. */
  constructor(root) {
    this.#root = root;
  }

  /** Rejects with a {@link FailedProgram} if the program fails. */
  async run(title, program, args) {
    this.#say(`${title} …`);
    await this.#end(program, this.#spawn(program, args, process.stderr));
  }

  /** Compiles all packages. On a terminal, shows the number of the present package. */
  async compile(title) {
    this.#say(`${title} …`);
    // With --verbose, the compiler names the packages; otherwise it prints nothing until the end.
    const args = ['node_modules/typescript-native/bin/tsc', '-b', '--verbose'];
    const compiler = this.#spawn('node', args, 'pipe');
    const ended = this.#end('tsc', compiler);
    let total = 0;
    let done = 0;
    for await (const line of createInterface({ input: compiler.stdout })) {
      if (/^ {4}\* \w+\//.test(line)) total++;
      else if (/ - Building project /.test(line)) showOnTerminal(`  package ${++done} of ${total}`);
      else if (!IS_PLAIN.test(line)) process.stderr.write(`${line}\n`);
    }
    showOnTerminal('');
    await ended;
  }

  /** Prints the total time, if there was something to do. */
  finish() {
    if (this.#hasSaid) this.#say(`done in ${Math.round((performance.now() - this.#beganMs) / 1_000)} s`);
  }

  #say(text) {
    this.#hasSaid = true;
    process.stderr.write(`${text}\n`);
  }

  #spawn(program, args, output) {
    return spawn(program, args, { cwd: this.#root, stdio: ['inherit', output, 'inherit'] });
  }

  async #end(program, child) {
    const [code, signal] = await once(child, 'close').catch((error) => {
      process.stderr.write(`${program} could not be started: ${error.message}\n`);
      return [1];
    });
    if (signal) process.stderr.write(`${describeEnd(program, signal)}\n`);
    if (code !== 0) throw new FailedProgram(code ?? 1);
  }
}

/** Why a program ended that a signal has ended: such a program prints nothing. */
export function describeEnd(program, signal) {
  const reason =
    signal === 'SIGKILL'
      ? ', probably for lack of memory: a build needs 600 MB; close other programs, or add swap'
      : '';
  return `${program} was ended by ${signal}${reason}`;
}

/** The failure of a program that has already printed its error. */
export class FailedProgram extends Error {
  /** @param code Exit code of the program. */
  constructor(code) {
    super(`a program ended with ${code}`);
    this.code = code;
  }
}

function showOnTerminal(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}
