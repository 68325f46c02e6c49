import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { clientNetworkOf, Places } from '@tallybook/http-koa';

/** Outcome for a new connection; `gone`: it was cut already. */
type Admission = 'admitted' | 'gone' | 'closing' | 'too many';

/**
 * The connections of an HTTP server: how many each client has, and which answers are still due.
 *
 * A connection is remembered from {@link admit} until it is closed.
 */
export class HttpConnections {
  /** Each with the response to the latest request on it. With TLS the secured one, as soon as there is one. */
  readonly #latest = new Map<Socket, ServerResponse | undefined>();
  readonly #perClient: Places;
  #isDraining = false;

  constructor(maxPerClient: number) {
    this.#perClient = new Places(maxPerClient);
  }

  get count(): number {
    return this.#latest.size;
  }

  get sockets(): Iterable<Socket> {
    return this.#latest.keys();
  }

  /** Takes a new connection, if it may stay. Those of the machine itself are not counted by client. */
  admit(socket: Socket): Admission {
    const address = socket.remoteAddress;
    if (address === undefined) return 'gone';
    if (this.#isDraining) return 'closing';
    const leave = this.#perClient.take(clientNetworkOf(address));
    if (leave === undefined) return 'too many';
    this.#latest.set(socket, undefined);
    socket.once('close', () => {
      this.#latest.delete(socket);
      leave();
    });
    return 'admitted';
  }

  /** Takes a connection after its TLS handshake, in the place of the bare one below it, which was admitted. */
  secure(socket: TLSSocket): void {
    const below = this.findBelow(socket);
    // The bare one is gone already, and takes this one along.
    if (below === undefined) return;
    this.#latest.delete(below);
    this.#latest.set(socket, undefined);
    socket.once('close', () => this.#latest.delete(socket));
  }

  /** Whether a connection, with TLS the secured one, was admitted and is still there. */
  has(socket: Duplex): boolean {
    return socket instanceof Socket && this.#latest.has(socket);
  }

  note(response: ServerResponse): void {
    const { socket } = response.req;
    if (this.#latest.has(socket)) this.#latest.set(socket, response);
  }

  latestOf(socket: Socket): ServerResponse | undefined {
    return this.#latest.get(socket);
  }

  /** Resolves when all connections are closed: each when no answer is due on it, and all at the deadline. */
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

  /** The bare connection below a secured one. */
  findBelow({ remoteAddress, remotePort, localAddress }: TLSSocket): Socket | undefined {
    for (const socket of this.#latest.keys()) {
      const isBelow =
        !(socket instanceof TLSSocket) &&
        socket.remotePort === remotePort &&
        socket.remoteAddress === remoteAddress &&
        socket.localAddress === localAddress;
      if (isBelow) return socket;
    }
    return undefined;
  }

  #closeWhenAnswered(socket: Socket): void {
    const response = this.#latest.get(socket);
    // `server.closeIdleConnections()` would cut an answer that has ended and is still on its way.
    if (response === undefined || response.writableFinished) socket.destroy();
    else response.once('close', () => this.#closeWhenAnswered(socket));
  }
}
