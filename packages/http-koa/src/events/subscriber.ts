import type { ServerResponse } from 'node:http';

/** A response that streams events. */
export class Subscriber {
  readonly response: ServerResponse;
  /** Whether it has been told all changes so far, so that it is told the next ones with all others. */
  isCurrent = false;
  /** Bytes of the page that it was given last, as long as some of them wait. */
  #pageBytes = 0;
  #onTaken: () => void = () => undefined;

  /** @param onGone Called when it has gone, in whatever way. */
  constructor(response: ServerResponse, onGone: () => void) {
    this.response = response;
    // The request, because a response that waits behind another one on its connection is not told when that ends.
    response.req.once('close', () => {
      onGone();
      this.#onTaken();
    });
  }

  /** Bytes that wait for it, but for a page, for which nobody waits but itself. */
  get waiting(): number {
    return this.response.writableLength - this.#pageBytes;
  }

  write(events: Buffer): void {
    this.response.write(events);
  }

  /** Writes a page of what it missed. Resolves when it has taken the page, or has gone. */
  take(page: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#pageBytes = page.length;
      this.#onTaken = () => {
        this.#pageBytes = 0;
        resolve();
      };
      this.response.write(page, () => this.#onTaken());
    });
  }
}
