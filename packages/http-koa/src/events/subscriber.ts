import type { ServerResponse } from 'node:http';

/** A response that streams events. */
export class Subscriber {
  readonly response: ServerResponse;
  /** Whether it got all changes so far, so that it gets the next ones with all others. */
  isCurrent = false;
  /** Bytes of its latest page, as long as some of them wait. */
  #pageBytes = 0;
  #onTaken: () => void = () => undefined;

  /** @param onGone Called when the connection has ended, in whatever way. */
  constructor(response: ServerResponse, onGone: () => void) {
    this.response = response;
    // The request, because a response that waits behind another one on its connection is not told when that ends.
    response.req.once('close', () => {
      onGone();
      this.#onTaken();
    });
  }

  /** Bytes that wait for it, without those of a page: it asks for the next page only after it has taken one. */
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
