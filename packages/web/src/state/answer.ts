import { signal, type ReadonlySignal } from '@preact/signals';

/** The answer to what was asked last. An earlier question is given up, so that no late answer takes its place. */
export class Answer<T> {
  readonly #value = signal<T | undefined>(undefined);
  readonly #isMissing = signal(false);
  #asking = new AbortController();

  /** The last answer there was; `undefined` before the first. */
  get value(): ReadonlySignal<T | undefined> {
    return this.#value;
  }

  /** Whether the last question stayed without an answer. */
  get isMissing(): ReadonlySignal<boolean> {
    return this.#isMissing;
  }

  /** @param read Is told of the answer before, and how it hears that it is given up. */
  async ask(read: (signal: AbortSignal, known: T | undefined) => Promise<T>): Promise<void> {
    this.giveUp();
    const { signal: given } = (this.#asking = new AbortController());
    try {
      const value = await read(given, this.#value.peek());
      if (given.aborted) return;
      this.#value.value = value;
      this.#isMissing.value = false;
    } catch {
      if (!given.aborted) this.#isMissing.value = true;
    }
  }

  giveUp(): void {
    this.#asking.abort();
  }
}
