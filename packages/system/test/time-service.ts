import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that answers like `timedatectl show`. It records the arguments and the process of each call. */
export class TimeService implements AsyncDisposable {
  readonly program: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.program = join(folder, 'timedatectl');
  }

  /** At first it still waits for a time server. */
  static async create(): Promise<TimeService> {
    const service = new TimeService(await mkdtemp(join(tmpdir(), 'time-service-')));
    await appendFile(service.#calls, '');
    await service.answer({ NTP: 'yes', NTPSynchronized: 'no' });
    return service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** From now on answers with these properties, and with CanNTP=yes unless they say otherwise. */
  answer(properties: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries({ CanNTP: 'yes', ...properties }).map((property) => property.join('='));
    return this.run(`printf '%s\\n' ${lines.join(' ')}`);
  }

  /** From now on runs these lines of shell. */
  async run(script: string): Promise<void> {
    const whole = `#!/bin/sh\necho "$$ $*" >> '${this.#calls}'\n${script}\n`;
    // Renamed when complete: the system does not start a program that is still being written.
    const draft = `${this.program}.draft`;
    await writeFile(draft, whole, { mode: 0o755 });
    await rename(draft, this.program);
  }

  /** Each call so far: id of the process, then the arguments. */
  async calls(): Promise<readonly string[]> {
    return (await readFile(this.#calls, 'utf8')).split('\n').slice(0, -1);
  }

  get #calls(): string {
    return join(this.#folder, 'calls');
  }
}

/** Resolves when a condition holds. Processes and timers run between two checks. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5);
}
