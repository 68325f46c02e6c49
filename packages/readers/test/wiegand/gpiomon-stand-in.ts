import { writeFileSync } from 'node:fs';
import { PrintingStandIn } from '../fixtures/printing-stand-in.js';
import { pulsesOf } from './wiegand-frames.js';

/** Two hours after the start. */
const STARTED_US = 7_200_000_000;

/**
 * A fake `gpiomon` that accepts the same arguments, prints and fails like the real one. It does not note calls for
 * the version. D0 is line 17 and D1 is line 18.
 */
export class GpiomonStandIn extends PrintingStandIn {
  readonly #major: 1 | 2;
  #nowUs = STARTED_US;

  /** @param version Version of libgpiod, such as `1.6.3`. */
  constructor(version: string) {
    const major = version.startsWith('1.') ? 1 : 2;
    const banner = major === 1 ? ':' : `echo "Monitoring lines '17', and '18'..."`;
    super(
      'gpiomon',
      `if [ "$*" = --version ]; then echo 'gpiomon (libgpiod) v${version}'; exit; fi`,
      `[ -e "$folder/silent" ] || ${banner}`,
    );
    this.#major = major;
  }

  /**
   * Sends frames, each a second after the one before. As on a busy system, all pulses are printed at once, D0 before
   * D1.
   */
  send(...frames: readonly string[]): void {
    const pulses = frames.flatMap((bits) => {
      this.#nowUs += 1_000_000;
      return pulsesOf(bits, this.#nowUs);
    });
    const sorted = [...pulses].sort((a, b) => a.bit - b.bit);
    this.print(...sorted.map(({ bit, atUs }) => this.#print(17 + bit, atUs)));
  }

  /** Makes it fail from now on, and ends it if it is running. */
  refuse(text = 'gpiomon: error waiting for events: No such file or directory'): void {
    this.fail(text);
  }

  /** Makes it no longer report that it is ready. */
  keepSilent(): void {
    writeFileSync(this.file('silent'), '');
  }

  /** Works again. */
  accept(): void {
    this.work();
  }

  #print(line: number, atUs: number): string {
    const seconds = Math.floor(atUs / 1_000_000);
    const nanoseconds = String((atUs % 1_000_000) * 1_000);
    return this.#major === 1
      ? `${line} ${seconds} ${nanoseconds}`
      : `${line} ${seconds}.${nanoseconds.padStart(9, '0')}`;
  }
}
