import type { ServerResponse } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';

/** What becomes of a new connection; `gone` is one that was cut already. */
type Admission = 'admitted' | 'gone' | 'closing' | 'too many';

/**
 * The connections of an HTTP server: how many each client has, and what is still to be answered on each.
 *
 * A connection is remembered from {@link admit} until it is closed.
 */
export class HttpConnections {
  readonly #maxPerClient: number;
  /** Each with the response to the latest request on it. */
  readonly #latest = new Map<Socket, ServerResponse | undefined>();
  readonly #perClient = new Map<string, number>();
  #isDraining = false;

  constructor(maxPerClient: number) {
    this.#maxPerClient = maxPerClient;
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
    const client = clientOf(address);
    const isCounted = !isLoopback(client);
    const count = (this.#perClient.get(client) ?? 0) + 1;
    if (isCounted && count > this.#maxPerClient) return 'too many';
    if (isCounted) this.#perClient.set(client, count);
    this.#latest.set(socket, undefined);
    socket.once('close', () => {
      this.#latest.delete(socket);
      if (isCounted) this.#leave(client);
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

  #leave(client: string): void {
    const count = (this.#perClient.get(client) ?? 0) - 1;
    if (count > 0) this.#perClient.set(client, count);
    else this.#perClient.delete(client);
  }
}

/**
 * Who is behind an address. In a network of IPv6, which is 64 bits, one machine may have as many addresses as it likes. All
 * link-local addresses look like one network, so they stay apart.
 */
function clientOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  if (!isIPv6(plain) || plain === '::1' || plain.startsWith('fe80:')) return plain;
  const [before = [], after = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Whether a client runs on this machine, as a proxy in front of the service does. */
function isLoopback(client: string): boolean {
  return client === '::1' || (isIPv4(client) && client.startsWith('127.'));
}
