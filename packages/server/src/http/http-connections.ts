import type { ServerResponse } from 'node:http';
import { isIPv4, type Socket } from 'node:net';

/** What becomes of a new connection; `gone` is one that was cut already. */
type Admission = 'admitted' | 'gone' | 'closing' | 'too many';

/**
 * The connections of an HTTP server: how many each address has, and what is still to be answered on each.
 *
 * A connection is remembered from {@link admit} until it is closed.
 */
export class HttpConnections {
  readonly #maxPerAddress: number;
  /** Each with the response to the latest request on it. */
  readonly #latest = new Map<Socket, ServerResponse | undefined>();
  readonly #perAddress = new Map<string, number>();
  #isDraining = false;

  constructor(maxPerAddress: number) {
    this.#maxPerAddress = maxPerAddress;
  }

  get sockets(): Iterable<Socket> {
    return this.#latest.keys();
  }

  /** Takes a new connection, if it may stay. Those of the machine itself are not counted by address. */
  admit(socket: Socket): Admission {
    const address = socket.remoteAddress;
    if (address === undefined) return 'gone';
    if (this.#isDraining) return 'closing';
    const isCounted = !isLoopback(address);
    const count = (this.#perAddress.get(address) ?? 0) + 1;
    if (isCounted && count > this.#maxPerAddress) return 'too many';
    if (isCounted) this.#perAddress.set(address, count);
    this.#latest.set(socket, undefined);
    socket.once('close', () => {
      this.#latest.delete(socket);
      if (isCounted) this.#leave(address);
    });
    return 'admitted';
  }

  note(response: ServerResponse): void {
    const { socket } = response.req;
    if (this.#latest.has(socket)) this.#latest.set(socket, response);
  }

  latestOf(socket: Socket): ServerResponse | undefined {
    return this.#latest.get(socket);
  }

  /** Resolves when all are closed: each when nothing is to be answered on it any more, at the latest after a while. */
  async drain(deadlineMs: number): Promise<void> {
    this.#isDraining = true;
    const closed = [...this.#latest.keys()].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    const deadline = setTimeout(() => {
      for (const socket of this.#latest.keys()) socket.destroy();
    }, deadlineMs);
    for (const socket of this.#latest.keys()) this.#closeWhenAnswered(socket);
    await Promise.all(closed);
    clearTimeout(deadline);
  }

  #closeWhenAnswered(socket: Socket): void {
    const response = this.#latest.get(socket);
    // `server.closeIdleConnections()` would cut an answer that has ended and is still on its way.
    if (response === undefined || response.writableFinished) socket.destroy();
    else response.once('close', () => this.#closeWhenAnswered(socket));
  }

  #leave(address: string): void {
    const count = (this.#perAddress.get(address) ?? 0) - 1;
    if (count > 0) this.#perAddress.set(address, count);
    else this.#perAddress.delete(address);
  }
}

/** Whether a client runs on this machine, as a proxy in front of the service does. */
function isLoopback(address: string): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}
