/** A request that the service ends and is started again. Only where something waits for it, it is possible. */
export class RestartRequest {
  #accept: (() => void) | undefined;

  /** Whether something would start the service again. */
  get isPossible(): boolean {
    return this.#accept !== undefined;
  }

  /** Makes it possible. Resolves when somebody asks for it. */
  wait(): Promise<void> {
    return new Promise((resolve) => (this.#accept = resolve));
  }

  /** Has no effect where it is not possible. */
  ask(): void {
    this.#accept?.();
  }
}
