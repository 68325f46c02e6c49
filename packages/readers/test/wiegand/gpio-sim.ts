import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const CONFIG = '/sys/kernel/config/gpio-sim';

/** Why no chip can be simulated here; `undefined` if one can. */
export function findNoGpioSim(): string | undefined {
  return existsSync(CONFIG)
    ? undefined
    : 'the kernel simulates no GPIO chips; "npm run uml" has one that does';
}

/** A GPIO chip that the kernel simulates, with a reader on two of its lines: D0 on 17, D1 on 18. */
export class SimulatedChip {
  readonly #folder: string;
  readonly #bank: string;

  /** @param label Label of the chip. */
  constructor(label: string) {
    this.#folder = join(CONFIG, label);
    this.#bank = join(this.#folder, 'bank0');
    mkdirSync(this.#bank, { recursive: true });
    writeFileSync(join(this.#bank, 'num_lines'), '32');
    writeFileSync(join(this.#bank, 'label'), label);
  }

  /** Such as `gpiochip0`. */
  get name(): string {
    return readFileSync(join(this.#bank, 'chip_name'), 'utf8').trim();
  }

  /** Makes or removes the chip. */
  setLive(isLive: boolean): void {
    writeFileSync(join(this.#folder, 'live'), isLive ? '1' : '0');
    if (isLive) for (const line of [17, 18]) this.#pull(line, 'up');
  }

  /**
   * Waits until the lines are watched, then sends a frame. Each bit waits until the kernel has noticed the one
   * before.
   */
  async send(bits: string): Promise<void> {
    for (const bit of bits) {
      const line = bit === '0' ? 17 : 18;
      const before = await this.#count(line, 0);
      this.#pull(line, 'down');
      await this.#count(line, before + 1);
      this.#pull(line, 'up');
    }
  }

  dispose(): void {
    this.setLive(false);
    rmdirSync(this.#bank);
    rmdirSync(this.#folder);
  }

  /**
   * Resolves with the number of edges that the kernel has noticed on a watched line, when they are at least a given
   * number.
   */
  async #count(line: number, atLeast: number): Promise<number> {
    const pattern = new RegExp(`: +([0-9]+) +irq_sim +${line} +gpiomon$`, 'm');
    for (;;) {
      const count = pattern.exec(readFileSync('/proc/interrupts', 'utf8'))?.[1];
      if (count !== undefined && Number(count) >= atLeast) return Number(count);
      await pause(1);
    }
  }

  #pull(line: number, direction: 'up' | 'down'): void {
    const device = readFileSync(join(this.#folder, 'dev_name'), 'utf8').trim();
    writeFileSync(`/sys/devices/platform/${device}/${this.name}/sim_gpio${line}/pull`, `pull-${direction}`);
  }
}
