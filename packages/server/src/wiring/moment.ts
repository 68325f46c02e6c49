/** An event that happens once, and for which others wait. */
export class Moment {
  /** Resolves when it has happened. */
  readonly promise: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Only the first call has an effect. */
  happen(): void {
    this.#resolve();
  }
}
