import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { clientNetworkOf, Places } from '@tallybook/http-koa';
import type { OwedAnswers } from './http-refusal.js';

/** Outcome for a new connection. `gone` means that it was already cut. */
type Admission = 'admitted' | 'gone' | 'closing' | 'too many';

/** The requests of a connection. */
interface Requests {
  /** The response to the request that is being handled, or was handled last. */
  current?: ServerResponse;
  /** The response to the latest request, which may wait. */
  latest?: ServerResponse;
  waiting: number;
}

/**
 * The connections of an HTTP server: the number of each client, and the unfinished answers.
 *
 * A connection is remembered from {@link admit} until it is closed.
 */
export class HttpConnections {
  /** With TLS, the secured connection replaces the bare one. */
  readonly #open = new Map<Socket, Requests>();
  readonly #perClient: Places;
  readonly #mostWaiting: number;
  #isDraining = false;

  /** @param mostWaiting Largest number of waiting requests on one connection. */
  constructor(maxPerClient: number, mostWaiting: number) {
    this.#perClient = new Places(maxPerClient);
    this.#mostWaiting = mostWaiting;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Adds a new connection if it is allowed. Connections from this machine are not counted by client. */
  admit(socket: Socket): Admission {
    const address = socket.remoteAddress;
    if (address === undefined) return 'gone';
    if (this.#isDraining) return 'closing';
    const leave = this.#perClient.take(clientNetworkOf(address));
    if (leave === undefined) return 'too many';
    this.#open.set(socket, { waiting: 0 });
    socket.once('close', () => {
      this.#open.delete(socket);
      leave();
    });
    return 'admitted';
  }

  /** Adds a connection after its TLS handshake. It replaces the admitted bare connection below it. */
  secure(socket: TLSSocket): void {
    const below = this.findBelow(socket);
    // The bare connection is already gone, and its end also ends this one.
    if (below === undefined) return;
    this.#open.delete(below);
    this.#open.set(socket, { waiting: 0 });
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Whether a connection was admitted and is still there; with TLS, ask with the secured connection. */
  has(socket: Duplex): boolean {
    return socket instanceof Socket && this.#open.has(socket);
  }

  answersOn(socket: Socket): OwedAnswers {
    return this.#open.get(socket) ?? {};
  }

  /**
   * Handles a request when the answers before it are sent, and never if these end its connection. Node alone would handle
   * all requests of 64 KiB at once, and keep their answers in memory.
   *
   * @returns `false` if too many requests wait already.
   */
  serve(response: ServerResponse, handle: () => void): boolean {
    const { socket } = response.req;
    const requests = this.#open.get(socket);
    // Node still delivers requests that it has read from a cut connection.
    if (requests === undefined || socket.destroyed) return true;
    const before = requests.latest;
    requests.latest = response;
    const begin = (): void => {
      if (!socket.writable) return;
      requests.current = response;
      handle();
    };
    // Only `close` shows whether a response ends its connection, not `finish`.
    if (before === undefined || before.closed) begin();
    else if (requests.waiting >= this.#mostWaiting) return false;
    else {
      requests.waiting += 1;
      before.once('close', () => {
        requests.waiting -= 1;
        begin();
      });
    }
    return true;
  }

  /**
   * Closes all connections: each when it has no unfinished answer, and all at the deadline. Resolves when all are
   * closed.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.#isDraining = true;
    const closed = [...this.#open.keys()].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    const deadline = setTimeout(() => {
      for (const socket of this.#open.keys()) socket.destroy();
    }, deadlineMs);
    for (const socket of this.#open.keys()) this.#closeWhenAnswered(socket);
    await Promise.all(closed);
    clearTimeout(deadline);
  }

  /** The bare connection below a secured connection. */
  findBelow(socket: TLSSocket): Socket | undefined {
    return [...this.#open.keys()].find(
      (each) => !(each instanceof TLSSocket) && endsOf(each) === endsOf(socket),
    );
  }

  #closeWhenAnswered(socket: Socket): void {
    const response = this.#open.get(socket)?.latest;
    // `server.closeIdleConnections()` would cut a written answer that is not completely sent.
    if (response === undefined || response.writableFinished) socket.destroy();
    else response.once('close', () => this.#closeWhenAnswered(socket));
  }
}

function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
