/** Counts the reads of a LevelDB that are under way, so that the LevelDB can be opened anew between them. */
export class Reads {
  #count = 0;
  #held = 0;
  #isIdle: (() => void) | undefined;
  #gate: Promise<void> | undefined;

  /** How many former states are kept readable. */
  get held(): number {
    return this.#held;
  }

  /** Whether somebody keeps a former state readable for more than one read. */
  get areHeld(): boolean {
    return this.#held > 0;
  }

  /** Reads, as soon as no {@link without} is under way. */
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

  /** Notes that a former state is kept readable until the returned function is called. */
  hold(): () => void {
    this.#held++;
    let isHeld = true;
    return () => {
      if (isHeld) this.#held--;
      isHeld = false;
    };
  }

  /**
   * Does work while nothing is read; new reads wait. Resolves with whether it was done: it is not done while a former state is
   * held.
   */
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
