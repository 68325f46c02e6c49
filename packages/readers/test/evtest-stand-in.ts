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
import type { KeyEvent } from '../src/hid/key-decoder.js';
import { type } from './typed-keys.js';

/** What evtest 1.35 prints of a device at first, but for most of its keys. */
const HEAD = (key: string): string => `Input driver version is 1.0.1
Input device ID: bus 0x3 vendor 0xffff product 0x35 version 0x0
Input device name: "Sycreader RFID Technology Co., Ltd SYC ID&IC USB Reader"
Supported events:
  Event type 0 (EV_SYN)
  Event type 1 (EV_KEY)
    ${key}
Properties:
Testing ... (interrupt to exit)
`;
const GRABBED = `***********************************************
  This device is grabbed by another process.
  No events are available to evtest while the
  other grab is active.
***********************************************
`;
const UNPLUGGED = 'evtest: No such file or directory';

/**
 * A program that stands in for `evtest`, found before the real one while it is there. It prints as the real one does,
 * and fails as it does.
 */
export class EvtestStandIn {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tallybook-evtest-'));
  readonly #searched = process.env['PATH'];
  #nowMs = 1_763_700_000_000;

  constructor(key = 'Event code 2 (KEY_1)') {
    execFileSync('mkfifo', [this.#file('events')]);
    writeFileSync(this.#file('head'), HEAD(key));
    const script = `#!/bin/sh
      folder=\${0%/*}
      echo "$*" >> "$folder/calls"
      if [ -e "$folder/refusal" ]; then cat "$folder/refusal" >&2; exit 1; fi
      exec 3<>"$folder/events"
      echo $$ > "$folder/pid"
      cat "$folder/head"
      exec cat <&3`;
    writeFileSync(this.#file('evtest'), script, { mode: 0o755 });
    process.env['PATH'] = `${this.#folder}:${this.#searched ?? ''}`;
  }

  /** The arguments of each call. */
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

  /** Types a text with the layout "us", a second after what it typed before. */
  type(text: string): void {
    this.#nowMs += 1_000;
    this.press(...type(text, this.#nowMs));
  }

  press(...keys: readonly KeyEvent[]): void {
    this.print(
      ...keys.flatMap(({ code, value, timeMs }) => {
        const time = `Event: time ${(timeMs / 1_000).toFixed(6)}`;
        return [
          `${time}, type 4 (EV_MSC), code 4 (MSC_SCAN), value 7001e`,
          `${time}, type 1 (EV_KEY), code ${code} (KEY_X), value ${value}`,
          `${time}, -------------- SYN_REPORT ------------`,
        ];
      }),
    );
  }

  /** Says that events were lost. */
  drop(): void {
    this.#nowMs += 1_000;
    this.print(`Event: time ${(this.#nowMs / 1_000).toFixed(6)}, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<`);
  }

  /** Prints lines as they are, if it is running. */
  print(...lines: readonly string[]): void {
    try {
      const descriptor = openSync(this.#file('events'), constants.O_WRONLY | constants.O_NONBLOCK);
      writeSync(descriptor, lines.map((line) => `${line}\n`).join(''));
      closeSync(descriptor);
    } catch (error) {
      // Nobody watches the device.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
  }

  /** Says from now on that another program has the device for itself. */
  grab(): void {
    writeFileSync(this.#file('head'), HEAD('Event code 2 (KEY_1)') + GRABBED);
  }

  /** Says nothing from now on when it is started. */
  hang(): void {
    writeFileSync(this.#file('head'), '');
  }

  /** Behaves again. */
  release(): void {
    writeFileSync(this.#file('head'), HEAD('Event code 2 (KEY_1)'));
  }

  /** Fails from now on, and ends if it is running. */
  unplug(text = UNPLUGGED): void {
    writeFileSync(this.#file('refusal'), `${text}\n`);
    if (this.isRunning) process.kill(this.pid, 'SIGKILL');
    rmSync(this.#file('pid'), { force: true });
  }

  plug(): void {
    rmSync(this.#file('refusal'), { force: true });
  }

  dispose(): void {
    process.env['PATH'] = this.#searched;
    rmSync(this.#folder, { recursive: true });
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}
