/** One run of a program. When it is over, all that it waits for never comes. */
export class Life {
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends at once, without any notice to the program: a power cut, or SIGKILL. */
  end(): void {
    this.#isOver = true;
  }
}
