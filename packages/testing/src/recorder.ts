import type { Subscribable } from '@tallybook/domain';

/** How long a contract waits for something that must happen, in milliseconds. Only a failure takes this long. */
export const PATIENCE_MS = 5_000;

/** Collects what a stream delivers, and waits for it without sleeping. */
export class Recorder<T> {
  readonly values: T[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #subscription: { unsubscribe(): void };

  constructor(stream: Subscribable<T>) {
    this.#subscription = stream.subscribe((value) => {
      this.values.push(value);
      for (const check of this.#waiting) check();
    });
  }

  /** Resolves with the first value, past or future, that satisfies the predicate; rejects after five seconds. */
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
        reject(new Error(`waited ${PATIENCE_MS} ms in vain for ${what}; got ${JSON.stringify(this.values)}`));
      }, PATIENCE_MS);
      this.#waiting.add(check);
      check();
    });
  }

  /** Resolves when so many values have come. */
  async count(count: number): Promise<readonly T[]> {
    await this.find(`${count} values`, () => this.values.length >= count);
    return this.values;
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}
