import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgramFolder } from '../../devices/test/program-folder.js';

/**
 * A program that stands in for one that prints what happens at a device, found before the real one while it is there. It
 * notes its arguments, fails if it is told to, and else prints what it is given.
 */
export class PrintingStandIn {
  readonly #folder = new ProgramFolder();

  /**
   * @param before Shell commands that come first.
   * @param greeting Shell commands for what it prints when it begins.
   */
  constructor(name: string, before: string, greeting: string) {
    execFileSync('mkfifo', [this.file('events')]);
    this.#folder.add(
      name,
      `folder=\${0%/*}
      ${before}
      echo "$*" >> "$folder/calls"
      if [ -e "$folder/refusal" ]; then cat "$folder/refusal" >&2; exit 1; fi
      exec 3<>"$folder/events"
      echo $$ > "$folder/pid"
      ${greeting}
      exec cat <&3`,
    );
  }

  /** The arguments of each call that it notes. */
  get calls(): readonly string[] {
    return existsSync(this.file('calls'))
      ? readFileSync(this.file('calls'), 'utf8').trimEnd().split('\n')
      : [];
  }

  get isRunning(): boolean {
    return existsSync(this.file('pid')) && existsSync(`/proc/${this.pid}`);
  }

  /** The process that was started last. */
  get pid(): number {
    return Number(readFileSync(this.file('pid'), 'utf8'));
  }

  /** Prints lines as they are, if it is running. */
  print(...lines: readonly string[]): void {
    try {
      const descriptor = openSync(this.file('events'), constants.O_WRONLY | constants.O_NONBLOCK);
      writeSync(descriptor, lines.map((line) => `${line}\n`).join(''));
      closeSync(descriptor);
    } catch (error) {
      // Nobody watches the device.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
  }

  /** Prints, while it is running, more lines than a pipe holds. */
  async printAll(...lines: readonly string[]): Promise<void> {
    await writeFile(this.file('events'), lines.map((line) => `${line}\n`).join(''));
  }

  dispose(): void {
    this.#folder.dispose();
  }

  /** Fails from now on, and ends if it is running. */
  protected fail(text: string): void {
    writeFileSync(this.file('refusal'), `${text}\n`);
    if (this.isRunning) process.kill(this.pid, 'SIGKILL');
    rmSync(this.file('pid'), { force: true });
  }

  /** Works again. */
  protected work(): void {
    rmSync(this.file('refusal'), { force: true });
  }

  /** The path of a file beside the program. */
  protected file(name: string): string {
    return join(this.#folder.path, name);
  }
}
