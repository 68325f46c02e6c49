import type { Cursor } from '@tallybook/domain';

/** The last change that was sent to current subscribers. */
export class LastSentCursor {
  #cursor: Cursor = 0;
  #isOpen = false;
  /** Callbacks that wait for the next sent change. */
  readonly #awaiting: (() => void)[] = [];

  get cursor(): Cursor {
    return this.#cursor;
  }

  set(cursor: Cursor): void {
    this.#cursor = cursor;
    this.#release();
  }

  /** Resolves when a later change was sent, or when no more will be sent. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOpen) this.#awaiting.push(resolve);
      else resolve();
    });
  }

  open(): void {
    this.#cursor = 0;
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#awaiting.splice(0)) resolve();
  }
}
