import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Handles the requests of a connection one after another, even if the client sends many without waiting for answers.
 *
 * Node delivers all requests of a piece of 64 KiB at once. That may be more than a thousand requests, and Node keeps
 * every answer in memory until the earlier answers are taken.
 *
 * Until the turn of a waiting request, Node reads at most 64 KiB of its body, so waiting takes little memory. If the
 * answer before takes longer than the limit for the arrival of a request, a client that has more to send loses its
 * connection. RFC 9112, 9.3.2, allows a server to close.
 */
export class RequestTurns {
  readonly #mostWaiting: number;
  readonly #waiting = new WeakMap<Socket, number>();
  readonly #current = new WeakMap<Socket, ServerResponse>();

  /** @param mostWaiting Largest number of waiting requests on one connection. */
  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** The response to the request of a connection that is being handled, or was handled last. */
  currentOf(socket: Socket): ServerResponse | undefined {
    return this.#current.get(socket);
  }

  /**
   * Handles a request when the previous answer on its connection is sent. Never handles it if the connection is lost or
   * ends with that answer.
   *
   * @param before The previous response, if there is one.
   * @returns `false` if too many requests wait already.
   */
  take(response: ServerResponse, before: ServerResponse | undefined, handle: () => void): boolean {
    const { socket } = response.req;
    const handleIfOpen = (): void => {
      if (!socket.writable) return;
      this.#current.set(socket, response);
      handle();
    };
    // If a response ends its connection, that is known only after `close`, not when the response is finished.
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
