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
