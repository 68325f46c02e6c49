/** Counts the reads of a LevelDB that are under way, so that it can be opened anew between them. */
export class Reads {
  #count = 0;
  #held = 0;
  #isIdle: (() => void) | undefined;
  #gate: Promise<void> | undefined;

  /** Whether somebody reads a former state, for longer than one read. */
  get areHeld(): boolean {
    return this.#held > 0;
  }

  /** Reads, as soon as that is possible. */
  async during<T>(read: () => Promise<T>): Promise<T> {
    while (this.#gate !== undefined) await this.#gate;
    this.#count++;
    try {
      return await read();
    } finally {
      this.#count--;
      if (this.#count === 0) this.#isIdle?.();
    }
  }

  /** Notes that a former state is read until the returned function is called. */
  hold(): () => void {
    this.#held++;
    let isHeld = true;
    return () => {
      if (isHeld) this.#held--;
      isHeld = false;
    };
  }

  /** Does work while nothing is read, and others wait. Resolves with whether it was done: not while a former state is held. */
  async without(work: () => Promise<void>): Promise<boolean> {
    let open = (): void => undefined;
    this.#gate = new Promise<void>((resolve) => (open = resolve));
    try {
      if (this.#count > 0) await new Promise<void>((resolve) => (this.#isIdle = resolve));
      if (this.areHeld) return false;
      await work();
      return true;
    } finally {
      this.#isIdle = undefined;
      this.#gate = undefined;
      open();
    }
  }
}
