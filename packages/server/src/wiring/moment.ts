/** Something that happens once, and that others wait for. */
export class Moment {
  /** Resolves when it has happened. */
  readonly promise: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Has an effect the first time only. */
  happen(): void {
    this.#resolve();
  }
}
