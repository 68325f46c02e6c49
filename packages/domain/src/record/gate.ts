/** Lets a limited number of pieces of work run at a time. The others wait. */
export class Gate {
  /** What lets the waiting work of each client begin. The client that is served next is first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /**
   * @param client Clients take turns, so that nobody waits for all the work of another. Default: all work is of one client,
   * and begins in its order.
   */
  async run<T>(work: () => Promise<T>, client = ''): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((begin) => this.#add(client, begin));
    try {
      return await work();
    } finally {
      this.#giveOn();
    }
  }

  #add(client: string, begin: () => void): void {
    const its = this.#waiting.get(client);
    if (its === undefined) this.#waiting.set(client, [begin]);
    else its.push(begin);
  }

  /** The next piece of work takes over the place. */
  #giveOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    const [client, its] = next;
    const begin = its.shift();
    this.#waiting.delete(client);
    if (its.length > 0) this.#waiting.set(client, its);
    begin?.();
  }
}
