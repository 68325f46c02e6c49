import { TallybookError } from '@tallybook/domain';
import type { Random } from '../../random.js';
import type { Life } from './life.js';
import type { Scheduler } from './scheduler.js';

/** What may go wrong with a disk. Faults change it while it is in use. */
export interface DiskHealth {
  /** Share of writes that are refused: half of them have happened nevertheless. */
  failing: number;
}

/** The moments of a write at which a program may end: nothing has happened, or nobody knows that it has. */
export type WriteMoment = 'before' | 'after';

/** The operations of the ports that change something. */
const writes: ReadonlySet<string> = new Set([
  'record',
  'merge',
  'remove',
  'put',
  'change',
  'correct',
  'decide',
  'add',
  'settle',
  'erase',
  'expire',
  'shorten',
  'advance',
  'replace',
  'acknowledge',
]);
/** Members of the ports that answer at once, or are no operations. */
const immediate: ReadonlySet<string> = new Set([
  'open',
  'close',
  'refusedUntil',
  'snapshot',
  'trace',
  'take',
]);

/** Longest time that an operation takes to happen, and again until its answer is there, in milliseconds. */
const SLOWEST_MS = 20;

/**
 * Makes the operations of stores take time, one after another, as those of one disk. When the life of the program ends, a
 * write that is in flight has happened or has not, and nobody hears of it.
 */
export class Disk {
  readonly #scheduler: Scheduler;
  readonly #life: Life;
  readonly #random: Random;
  readonly #health: DiskHealth;
  readonly #onWrite: (moment: WriteMoment) => void;
  /** When the last operation that was asked for happens. */
  #lastMs = 0;

  constructor(parts: {
    readonly scheduler: Scheduler;
    readonly life: Life;
    readonly random: Random;
    readonly health: DiskHealth;
    /** Is told of each write. It may end the life. */
    readonly onWrite: (moment: WriteMoment) => void;
  }) {
    this.#scheduler = parts.scheduler;
    this.#life = parts.life;
    this.#random = parts.random;
    this.#health = parts.health;
    this.#onWrite = parts.onWrite;
  }

  /**
   * The same store, on this disk.
   *
   * @param onCall Is called at once with each operation that is asked for, and what it promises.
   */
  holding<T extends object>(
    store: T,
    onCall: (operation: string, args: readonly unknown[], result: Promise<unknown>) => void = () => undefined,
  ): T {
    const operations = new Map<string, unknown>();
    const find = (key: string): unknown => {
      const value: unknown = Reflect.get(store, key, store);
      if (typeof value !== 'function') return value;
      const operation = value as (...args: readonly unknown[]) => unknown;
      const found = immediate.has(key)
        ? operation.bind(store)
        : (...args: readonly unknown[]) => {
            const result = this.#run(() => operation.apply(store, [...args]), writes.has(key));
            onCall(key, args, result);
            return result;
          };
      operations.set(key, found);
      return found;
    };
    return new Proxy(store, {
      get: (_, key) => {
        if (typeof key !== 'string') return Reflect.get(store, key, store) as unknown;
        return operations.get(key) ?? find(key);
      },
    });
  }

  #run(operation: () => unknown, isWrite: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const delayMs = this.#random.between(0, SLOWEST_MS);
      this.#lastMs = Math.max(this.#lastMs, this.#scheduler.nowMs + delayMs);
      this.#after(this.#lastMs - this.#scheduler.nowMs, () => {
        if (!isWrite) {
          resolve(operation());
          return;
        }
        const fails = this.#random.chance(this.#health.failing);
        this.#onWrite('before');
        if (this.#life.isOver) return;
        // A write that fails has happened as a whole, or not at all.
        const result = fails && this.#random.chance(0.5) ? undefined : operation();
        // Whoever waits for it hears of its failure, later.
        if (result instanceof Promise) result.catch(() => undefined);
        this.#onWrite('after');
        this.#after(this.#random.between(0, SLOWEST_MS), () => {
          if (!fails) resolve(result);
          else reject(new TallybookError('STORE_WRITE_FAILED', 'the simulated disk refuses to write'));
        });
      });
    });
  }

  #after(delayMs: number, work: () => void): void {
    this.#scheduler.after(delayMs, () => {
      if (!this.#life.isOver) work();
    });
  }
}
