import type { ReceiptStore } from '@tallybook/domain';

/** Largest number of runs of a device that are remembered while the program runs. */
const MOST_RUNS = 64;

/**
 * Remembers the numbers that a device gave to its scans, so that a repeated scan is not taken again. The numbers of a
 * run ascend: numbers skipped below a taken number count as taken too, except the numbers of scans that could not be
 * kept.
 */
export class DeviceNumbers {
  readonly #device: string;
  readonly #store: ReceiptStore | undefined;
  readonly #runs = new Map<string, RunNumbers>();

  /** @param store Without a store, the numbers are forgotten when the program ends. */
  constructor(device: string, store: ReceiptStore | undefined) {
    this.#device = device;
    this.#store = store;
  }

  /**
   * The taken numbers of a run, including those that another server has taken. If the store cannot be read, a tap may
   * be taken twice, but none is lost.
   */
  async of(run: string): Promise<RunNumbers> {
    const known = this.#runs.get(run);
    const numbers = known ?? new RunNumbers();
    this.#runs.delete(run);
    this.#runs.set(run, numbers);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    const latest = await this.#store?.latest(this.#device, run).catch(() => undefined);
    if (latest !== undefined) numbers.learn(latest);
    numbers.isCurrent = latest !== undefined || this.#store === undefined;
    return numbers;
  }

  /**
   * Stores the number up to which a run was taken. Resolves with `false` if the store cannot write; then the next call
   * stores it.
   */
  async keep(run: string, numbers: RunNumbers): Promise<boolean> {
    if (!numbers.isNew || this.#store === undefined) return true;
    const { upTo } = numbers;
    try {
      await this.#store.note(this.#device, run, upTo);
    } catch {
      return false;
    }
    numbers.kept(upTo);
    return true;
  }
}

/** The taken numbers of one run of a device. */
export class RunNumbers {
  /**
   * Whether the store could be read at the last request of the run. If so, the numbers that other servers took are
   * known.
   */
  isCurrent = true;
  #upTo = 0;
  #keptUpTo = 0;
  /** Taken numbers above a number that was not taken. */
  readonly #above = new Set<number>();

  /** All numbers up to this number were taken. */
  get upTo(): number {
    return this.#upTo;
  }

  /** Records that all numbers up to `latest` are stored, by this server or another one. */
  learn(latest: number): void {
    this.#upTo = Math.max(this.#upTo, latest);
    this.#keptUpTo = Math.max(this.#keptUpTo, latest);
    for (const n of this.#above) if (n <= this.#upTo) this.#above.delete(n);
  }

  get isNew(): boolean {
    return this.#upTo > this.#keptUpTo;
  }

  has(n: number): boolean {
    return n <= this.#upTo || this.#above.has(n);
  }

  /** @param missing Numbers that the device will send again. */
  take(taken: readonly number[], missing: readonly number[]): void {
    for (const n of taken) this.#above.add(n);
    const first = missing.reduce((least, n) => Math.min(least, n), Infinity);
    for (const n of this.#above) if (n < first && n > this.#upTo) this.#upTo = n;
    for (const n of this.#above) if (n <= this.#upTo) this.#above.delete(n);
  }

  kept(upTo: number): void {
    this.#keptUpTo = Math.max(this.#keptUpTo, upTo);
  }
}

/** Runs work of the same name one after the other. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#last.set(name, settled);
    await settled;
    if (this.#last.get(name) === settled) this.#last.delete(name);
    return turn;
  }
}
