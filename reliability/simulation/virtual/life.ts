/** One run of a program: what it waits for does not come any more once the run is over. */
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
