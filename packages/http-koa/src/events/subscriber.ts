import type { ServerResponse } from 'node:http';
import type { Day } from '@tallybook/domain';

/** A response that streams events. */
export class Subscriber {
  readonly response: ServerResponse;
  /** Whether it got all changes so far. If so, it gets new changes together with all others. */
  isCurrent = false;
  /** The only day whose changes it may see. Absent if it may see all. */
  readonly only: (() => Day) | undefined;
  /** Size of its latest page in bytes; 0 when the client has taken the page. */
  #pageBytes = 0;
  #onTaken: () => void = () => undefined;

  /** @param onGone Called when the connection has ended in any way. */
  constructor(response: ServerResponse, only: (() => Day) | undefined, onGone: () => void) {
    this.response = response;
    this.only = only;
    // Watches the request, because a response that waits behind another one gets no event when its connection ends.
    response.req.once('close', () => {
      onGone();
      this.#onTaken();
    });
  }

  /**
   * Bytes that wait for it, without the bytes of a page: the next page is sent only after it has taken the present one.
   */
  get waiting(): number {
    return this.response.writableLength - this.#pageBytes;
  }

  write(events: Buffer): void {
    this.response.write(events);
  }

  /** Writes a page of missed events. Resolves when the client has taken the page, or is gone. */
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
