import { quote, type Subscribable, type Subscription } from '@tallybook/domain';

/** Maximum time that a contract waits for an expected event, in milliseconds. Only a failure takes this long. */
export const PATIENCE_MS = 30_000;

/** Collects the values of a stream, and waits for them without sleeping. */
export class Recorder<T> {
  readonly values: T[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #subscription: Subscription;
  readonly #patienceMs: number;

  constructor(stream: Subscribable<T>, patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
    this.#subscription = stream.subscribe((value) => {
      this.values.push(value);
      for (const check of this.#waiting) check();
    });
  }

  /** Resolves with the first value, past or future, that satisfies the predicate; rejects after {@link PATIENCE_MS}. */
  find(what: string, predicate: (value: T) => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = this.values.find(predicate);
        if (found === undefined) return;
        this.#waiting.delete(check);
        clearTimeout(timer);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(check);
        const got = this.values.map(quote).join(', ');
        reject(new Error(`waited ${this.#patienceMs} ms in vain for ${what}; got ${got || 'nothing'}`));
      }, this.#patienceMs);
      this.#waiting.add(check);
      check();
    });
  }

  /** Resolves when this many values have come. */
  async count(count: number): Promise<readonly T[]> {
    await this.find(`${count} values`, () => this.values.length >= count);
    return this.values;
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}
