import { writeFileSync } from 'node:fs';
import type { KeyEvent } from '../../src/hid/key-decoder.js';
import { PrintingStandIn } from '../fixtures/printing-stand-in.js';
import { type } from './typed-keys.js';

/** The first output of evtest 1.35 for a device, without most of its keys. */
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

/** A fake `evtest` that prints and fails like the real one. */
export class EvtestStandIn extends PrintingStandIn {
  #nowMs = 1_763_700_000_000;

  constructor(key = 'Event code 2 (KEY_1)') {
    super('evtest', '', 'cat "$folder/head"');
    writeFileSync(this.file('head'), HEAD(key));
  }

  /** Types a text with the layout "us", a second after the former text. */
  type(text: string): void {
    this.#nowMs += 1_000;
    this.press(...type(text, this.#nowMs));
  }

  /** Types a text that is longer than a pipe holds. */
  async typeAll(text: string): Promise<void> {
    this.#nowMs += 1_000;
    const keys = type(text, this.#nowMs);
    this.#nowMs = keys.at(-1)?.timeMs ?? this.#nowMs;
    await this.printAll(...keys.flatMap(toLines));
  }

  press(...keys: readonly KeyEvent[]): void {
    this.print(...keys.flatMap(toLines));
  }

  /**
   * Blocks this process for a time. Keys are pressed at its beginning: when this returns, they have arrived, but were
   * not read yet. All former output must have been read.
   */
  pressWhileHeldUp(holdMs: number, ...keys: readonly KeyEvent[]): void {
    const lines = keys.flatMap(toLines);
    const end = this.printedBytes + lines.join('\n').length + 1;
    this.print(...lines);
    do Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, holdMs);
    while (this.printedBytes < end);
  }

  /** Reports lost events. */
  drop(): void {
    this.#nowMs += 1_000;
    this.print(`Event: time ${(this.#nowMs / 1_000).toFixed(6)}, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<`);
  }

  /** Reports from now on that another program has grabbed the device. */
  grab(): void {
    writeFileSync(this.file('head'), HEAD('Event code 2 (KEY_1)') + GRABBED);
  }

  /** Prints nothing from now on when it is started. */
  hang(): void {
    writeFileSync(this.file('head'), '');
  }

  /** Works normally again. */
  release(): void {
    writeFileSync(this.file('head'), HEAD('Event code 2 (KEY_1)'));
  }

  unplug(text = UNPLUGGED): void {
    this.fail(text);
  }

  plug(): void {
    this.work();
  }
}

/** The output of evtest for a key. */
function toLines({ code, value, timeMs }: KeyEvent): readonly string[] {
  const time = `Event: time ${(timeMs / 1_000).toFixed(6)}`;
  return [
    `${time}, type 4 (EV_MSC), code 4 (MSC_SCAN), value 7001e`,
    `${time}, type 1 (EV_KEY), code ${code} (KEY_X), value ${value}`,
    `${time}, -------------- SYN_REPORT ------------`,
  ];
}
