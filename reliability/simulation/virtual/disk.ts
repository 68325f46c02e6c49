import { TallybookError } from '@tallybook/domain';
import type { Random } from '../../random.js';
import type { Life } from './life.js';
import type { Scheduler } from './scheduler.js';

/** The health of a disk. Faults change it while the disk is in use. */
export interface DiskHealth {
  /** Share of writes that are refused. Half of these have happened nevertheless. */
  failing: number;
}

/** The moments of a write at which a program may end: before it has happened, or after that but before its answer. */
export type WriteMoment = 'before' | 'after';

/** The operations of the ports that change data. */
const writes: ReadonlySet<string> = new Set([
  'record',
  'merge',
  'remove',
  'put',
  'write',
  'change',
  'correct',
  'decide',
  'add',
  'settle',
  'erase',
  'expire',
  'shorten',
  'adoptKey',
  'advance',
  'replace',
  'acknowledge',
]);
/** Members of the ports that answer at once, or are no operations. */
const immediate: ReadonlySet<string> = new Set([
  'open',
  'close',
  'isRefused',
  'of',
  'snapshot',
  'trace',
  'take',
  'newId',
  'lastResortOf',
  'stampAfter',
]);

/** Longest time until an operation happens, and longest time from then until its answer, in milliseconds. */
const SLOWEST_MS = 20;

interface DiskParts {
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly random: Random;
  readonly health: DiskHealth;
  /** Called for each write. It may end the life. */
  readonly onWrite: (moment: WriteMoment) => void;
}

/**
 * Makes the operations of stores take time, one after another, as on one disk. When the life of the program ends, a
 * write that is under way has happened or not, and has no answer.
 */
export class Disk {
  readonly #parts: DiskParts;
  /** The time at which the latest requested operation happens. */
  #lastMs = 0;

  constructor(parts: DiskParts) {
    this.#parts = parts;
  }

  /**
   * The same store, on this disk.
   *
   * @param onCall Called at once with each requested operation and its promise.
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
    const { scheduler, life, random, health, onWrite } = this.#parts;
    return new Promise((resolve, reject) => {
      const delayMs = random.between(0, SLOWEST_MS);
      this.#lastMs = Math.max(this.#lastMs, scheduler.nowMs + delayMs);
      this.#after(this.#lastMs - scheduler.nowMs, () => {
        if (!isWrite) {
          resolve(operation());
          return;
        }
        const fails = random.chance(health.failing);
        onWrite('before');
        if (life.isOver) return;
        // A failed write has happened completely or not at all.
        const result = fails && random.chance(0.5) ? undefined : operation();
        // The caller gets the rejection later.
        if (result instanceof Promise) result.catch(() => undefined);
        onWrite('after');
        this.#after(random.between(0, SLOWEST_MS), () => {
          if (!fails) resolve(result);
          else reject(new TallybookError('STORE_WRITE_FAILED', 'the simulated disk refuses to write'));
        });
      });
    });
  }

  #after(delayMs: number, work: () => void): void {
    this.#parts.scheduler.after(delayMs, () => {
      if (!this.#parts.life.isOver) work();
    });
  }
}
