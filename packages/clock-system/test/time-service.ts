import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that answers like `timedatectl show`, and notes its calls: process and arguments. */
export class TimeService implements AsyncDisposable {
  readonly program: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.program = join(folder, 'timedatectl');
  }

  /** It waits for a time server at first. */
  static async create(): Promise<TimeService> {
    const service = new TimeService(await mkdtemp(join(tmpdir(), 'time-service-')));
    await appendFile(service.#calls, '');
    await service.answer({ NTP: 'yes', NTPSynchronized: 'no' });
    return service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Answers with these properties from now on; with CanNTP=yes unless they have another one. */
  answer(properties: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries({ CanNTP: 'yes', ...properties }).map((property) => property.join('='));
    return this.run(`printf '%s\\n' ${lines.join(' ')}`);
  }

  /** Runs these lines of shell from now on. */
  async run(script: string): Promise<void> {
    const whole = `#!/bin/sh\necho "$$ $*" >> '${this.#calls}'\n${script}\n`;
    // Put in place by a rename: a program cannot be started while it is being written.
    const draft = `${this.program}.draft`;
    await writeFile(draft, whole, { mode: 0o755 });
    await rename(draft, this.program);
  }

  /** Each call so far: the id of the process, then the arguments. */
  async calls(): Promise<readonly string[]> {
    return (await readFile(this.#calls, 'utf8')).split('\n').slice(0, -1);
  }

  get #calls(): string {
    return join(this.#folder, 'calls');
  }
}

/** Resolves when a condition holds. Between two checks, processes and timers can run. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5);
}
