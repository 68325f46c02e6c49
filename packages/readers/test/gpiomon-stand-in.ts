import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pulsesOf } from './wiegand-frames.js';

/** Two hours after the start. */
const STARTED_US = 7_200_000_000;

/**
 * A program that stands in for `gpiomon`, found before the real one while it is there. It takes what the real one takes,
 * prints as it does, and fails as it does. D0 is line 17 and D1 is line 18.
 */
export class GpiomonStandIn {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tallybook-gpiomon-'));
  readonly #searched = process.env['PATH'];
  readonly #major: 1 | 2;
  #nowUs = STARTED_US;

  /** @param version Of libgpiod, such as `1.6.3`. */
  constructor(version: string) {
    this.#major = version.startsWith('1.') ? 1 : 2;
    execFileSync('mkfifo', [this.#file('events')]);
    const banner = this.#major === 1 ? ':' : `echo "Monitoring lines '17', and '18'..."`;
    const script = `#!/bin/sh
      folder=\${0%/*}
      if [ "$*" = --version ]; then echo 'gpiomon (libgpiod) v${version}'; exit; fi
      echo "$*" >> "$folder/calls"
      if [ -e "$folder/refusal" ]; then cat "$folder/refusal" >&2; exit 1; fi
      exec 3<>"$folder/events"
      echo $$ > "$folder/pid"
      [ -e "$folder/silent" ] || ${banner}
      exec cat <&3`;
    writeFileSync(this.#file('gpiomon'), script, { mode: 0o755 });
    process.env['PATH'] = `${this.#folder}:${this.#searched ?? ''}`;
  }

  /** The arguments of each call but those that ask for the version. */
  get calls(): readonly string[] {
    return existsSync(this.#file('calls'))
      ? readFileSync(this.#file('calls'), 'utf8').trimEnd().split('\n')
      : [];
  }

  get isRunning(): boolean {
    return existsSync(this.#file('pid')) && existsSync(`/proc/${this.pid}`);
  }

  /** The process that was started last. */
  get pid(): number {
    return Number(readFileSync(this.#file('pid'), 'utf8'));
  }

  /** Sends frames, each a second after the one before, as a busy system does: all at once, D0 before D1. */
  send(...frames: readonly string[]): void {
    const pulses = frames.flatMap((bits) => {
      this.#nowUs += 1_000_000;
      return pulsesOf(bits, this.#nowUs);
    });
    const sorted = [...pulses].sort((a, b) => a.bit - b.bit);
    this.print(...sorted.map(({ bit, atUs }) => this.#print(17 + bit, atUs)));
  }

  /** Prints lines as they are, if it is running. */
  print(...lines: readonly string[]): void {
    try {
      const descriptor = openSync(this.#file('events'), constants.O_WRONLY | constants.O_NONBLOCK);
      writeSync(descriptor, lines.map((line) => `${line}\n`).join(''));
      closeSync(descriptor);
    } catch (error) {
      // Nobody watches the lines.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
  }

  /** Fails from now on, and ends if it is running. */
  refuse(text = 'gpiomon: error waiting for events: No such file or directory'): void {
    writeFileSync(this.#file('refusal'), `${text}\n`);
    const { isRunning } = this;
    if (isRunning) process.kill(this.pid, 'SIGKILL');
    rmSync(this.#file('pid'), { force: true });
  }

  /** Does not say any more that it is ready. */
  keepSilent(): void {
    writeFileSync(this.#file('silent'), '');
  }

  /** Works again. */
  accept(): void {
    rmSync(this.#file('refusal'), { force: true });
  }

  dispose(): void {
    process.env['PATH'] = this.#searched;
    rmSync(this.#folder, { recursive: true });
  }

  #print(line: number, atUs: number): string {
    const seconds = Math.floor(atUs / 1_000_000);
    const nanoseconds = String((atUs % 1_000_000) * 1_000);
    return this.#major === 1
      ? `${line} ${seconds} ${nanoseconds}`
      : `${line} ${seconds}.${nanoseconds.padStart(9, '0')}`;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}
