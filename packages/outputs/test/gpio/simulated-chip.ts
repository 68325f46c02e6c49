import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const CONFIGURATION = '/sys/kernel/config';

/** A GPIO chip that the kernel simulates, with 8 lines. Each process can have one at a time. */
export class SimulatedChip {
  readonly #folder = `${CONFIGURATION}/gpio-sim/tallybook-${process.pid}`;

  /** Reason why no chip can be simulated; `undefined` if it can. */
  static get reasonAgainst(): string | undefined {
    if (!existsSync(`${CONFIGURATION}/gpio-sim`)) {
      return 'the kernel has no gpio-sim, or configfs is not mounted; "npm run uml" boots one that has';
    }
    const { error } = spawnSync('gpioset', ['--version']);
    return error === undefined ? undefined : 'gpioset is not installed; "sudo apt install gpiod" installs it';
  }

  constructor() {
    mkdirSync(this.#bank, { recursive: true });
    writeFileSync(`${this.#bank}/num_lines`, '8');
    writeFileSync(`${this.#folder}/live`, '1');
  }

  get path(): string {
    return `/dev/${this.#chip}`;
  }

  /** Whether the holder of a line drives it high. */
  isHigh(line: number): boolean {
    const device = readFileSync(`${this.#folder}/dev_name`, 'utf8').trim();
    const file = `/sys/devices/platform/${device}/${this.#chip}/sim_gpio${line}/value`;
    return readFileSync(file, 'utf8').trim() === '1';
  }

  dispose(): void {
    writeFileSync(`${this.#folder}/live`, '0');
    rmdirSync(this.#bank);
    rmdirSync(this.#folder);
  }

  get #bank(): string {
    return `${this.#folder}/bank0`;
  }

  get #chip(): string {
    return readFileSync(`${this.#bank}/chip_name`, 'utf8').trim();
  }
}
