import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Handles the requests of a connection one after another, however many the client sends without waiting for answers.
 *
 * Node hands over all requests of a piece of 64 KiB at once, more than a thousand, and keeps every answer in memory until the ones
 * before it are taken.
 *
 * Of the body of a waiting request Node reads 64 KiB, and no more until its turn, so that waiting costs little memory. A client that sends
 * more behind an answer that takes longer than a request may take to arrive loses its connection. RFC 9112, 9.3.2, lets a server close.
 */
export class RequestTurns {
  readonly #mostWaiting: number;
  readonly #waiting = new WeakMap<Socket, number>();
  readonly #current = new WeakMap<Socket, ServerResponse>();

  /** @param mostWaiting Requests that may wait on one connection. */
  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** The response to the request of a connection that is handled, or was last. */
  currentOf(socket: Socket): ServerResponse | undefined {
    return this.#current.get(socket);
  }

  /**
   * Handles a request when the answer before it on its connection is sent, or never if the connection is lost or ends with that answer.
   *
   * @param before The response before, if there is one.
   * @returns Whether there was room for it.
   */
  take(response: ServerResponse, before: ServerResponse | undefined, handle: () => void): boolean {
    const { socket } = response.req;
    const handleIfOpen = (): void => {
      if (!socket.writable) return;
      this.#current.set(socket, response);
      handle();
    };
    // A response that has ended its connection is finished before that shows: only after `close` it is known.
    if (before === undefined || before.closed) {
      handleIfOpen();
      return true;
    }
    const waiting = this.#waiting.get(socket) ?? 0;
    if (waiting >= this.#mostWaiting) return false;
    this.#waiting.set(socket, waiting + 1);
    before.once('close', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      handleIfOpen();
    });
    return true;
  }
}
