import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { clientNetworkOf, Places } from '@tallybook/http-koa';

/** Outcome for a new connection. `gone` means that it was already cut. */
type Admission = 'admitted' | 'gone' | 'closing' | 'too many';

/**
 * The connections of an HTTP server: the number of each client, and the unfinished answers.
 *
 * A connection is remembered from {@link admit} until it is closed.
 */
export class HttpConnections {
  /**
   * Each connection with the response to its latest request. With TLS, the secured connection replaces the bare one.
   */
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

  /** Adds a new connection if it is allowed. Connections from this machine are not counted by client. */
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

  /** Adds a connection after its TLS handshake. It replaces the admitted bare connection below it. */
  secure(socket: TLSSocket): void {
    const below = this.findBelow(socket);
    // The bare connection is already gone, and its end also ends this one.
    if (below === undefined) return;
    this.#latest.delete(below);
    this.#latest.set(socket, undefined);
    socket.once('close', () => this.#latest.delete(socket));
  }

  /** Whether a connection was admitted and is still there; with TLS, ask with the secured connection. */
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

  /**
   * Closes all connections: each when it has no unfinished answer, and all at the deadline. Resolves when all are
   * closed.
   */
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

  /** The bare connection below a secured connection. */
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
    // `server.closeIdleConnections()` would cut a written answer that is not completely sent.
    if (response === undefined || response.writableFinished) socket.destroy();
    else response.once('close', () => this.#closeWhenAnswered(socket));
  }
}
