/** Gives each client a limited number of places. */
export class Places {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes a place.
   *
   * @param who `undefined` for a client that is not counted.
   * @returns A function that gives the place back; calling it again has no effect. `undefined` if all places are taken.
   */
  take(who: string | undefined): (() => void) | undefined {
    if (who === undefined) return () => undefined;
    const taken = this.#taken.get(who) ?? 0;
    if (taken >= this.#most) return undefined;
    this.#taken.set(who, taken + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack(who);
      isTaken = false;
    };
  }

  #giveBack(who: string): void {
    const left = (this.#taken.get(who) ?? 0) - 1;
    if (left > 0) this.#taken.set(who, left);
    else this.#taken.delete(who);
  }
}
