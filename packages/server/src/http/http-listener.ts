import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket, type AddressInfo, type DropArgument } from 'node:net';
import { ManagedResource, TallybookError } from '@tallybook/domain';
import { commonHeaders } from '@tallybook/http-koa';
import { HttpConnections } from './http-connections.js';
import { HttpMeter } from './http-meter.js';
import { refuse } from './http-refusal.js';
import { SilentPeers } from './silent-peers.js';

export interface HttpListenerOptions {
  /** Connections at the same time, at least 1, default 1500. */
  readonly maxConnections?: number;
  /** Connections of one client other than this machine, which is an IPv4 address or a /64 of IPv6, at least 1, default 200. */
  readonly maxConnectionsPerAddress?: number;
  /** Milliseconds from one look for clients that are gone to the next, at least 1, default 15000. */
  readonly silenceLookMs?: number;
  /** Milliseconds that a request may take to arrive, at least 1, default 30000; its header a third of it. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that a connection may wait for its next request, at least 1, default 5000. */
  readonly idleMs?: number;
  /**
   * Milliseconds that nothing may move on a connection on which an answer is due, at least 1, default 60000. It is for
   * what the application does not watch, which cuts off who takes nothing of its answers after 30 seconds.
   */
  readonly stallMs?: number;
  /** Milliseconds that requests in flight may take to finish when the server stops, at least 1, default 2000. */
  readonly drainMs?: number;
  /** Hears of each connection that finds no place, and of its address if that is known. */
  /** Measures requests. Default: nobody does. */
  readonly meter?: HttpMeter;
  readonly reportRefused?: (reason: 'connections' | 'connections of one address', address?: string) => void;
}

/** What holds unless it is set. */
export const listenerDefaults: Required<HttpListenerOptions> = Object.freeze({
  maxConnections: 1_500,
  maxConnectionsPerAddress: 200,
  silenceLookMs: 15_000,
  requestTimeoutMs: 30_000,
  idleMs: 5_000,
  stallMs: 60_000,
  drainMs: 2_000,
  meter: new HttpMeter(),
  reportRefused: () => undefined,
});

/** How long a connection is quiet before TCP asks whether the other side is there, in milliseconds. */
const TCP_KEEP_ALIVE_MS = 15_000;

/**
 * Listens for HTTP on a TCP port.
 *
 * Every connection gives its place back: who is slow, takes nothing of an answer, or is gone without a word is cut.
 */
export class HttpListener extends ManagedResource {
  readonly #handle: RequestListener;
  readonly #host: string;
  readonly #port: number;
  readonly #options: Required<HttpListenerOptions>;
  #listening:
    | { readonly server: Server; readonly connections: HttpConnections; readonly look: NodeJS.Timeout }
    | undefined;

  /** @param port 0..65535; 0 lets the system choose. */
  constructor(handle: RequestListener, host: string, port: number, options: HttpListenerOptions = {}) {
    super();
    this.#handle = handle;
    this.#host = host;
    this.#port = port;
    this.#options = { ...listenerDefaults, ...options };
  }

  /** Where it listens, as a URL without a path. */
  get url(): string {
    if (this.#listening === undefined) throw this.notOpen();
    // A server that listens on a TCP port has an address object.
    const address = this.#listening.server.address() as AddressInfo;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  protected override onOpen(): Promise<void> {
    const { maxConnections, maxConnectionsPerAddress, silenceLookMs, meter, reportRefused } = this.#options;
    const connections = new HttpConnections(maxConnectionsPerAddress);
    meter.countConnections = () => connections.count;
    const server = this.#createServer(connections);
    server.maxConnections = maxConnections;
    server.on('drop', (dropped?: DropArgument) => reportRefused('connections', dropped?.remoteAddress));
    const silentPeers = new SilentPeers(() => connections.sockets);
    return new Promise((resolve, reject) => {
      server.once('error', (cause) => {
        reject(listenFailed(this.#host, this.#port, cause));
      });
      server.listen(this.#port, this.#host, () => {
        // Nothing is lost by a look that fails: there is another one soon.
        const lookOnce = (): void => void silentPeers.look().catch(() => undefined);
        const look = setInterval(lookOnce, silenceLookMs);
        this.#listening = { server, connections, look };
        resolve();
      });
    });
  }

  #createServer(connections: HttpConnections): Server {
    const { requestTimeoutMs, idleMs, stallMs, meter, reportRefused } = this.#options;
    const noting =
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        connections.note(response);
        meter.noteRequest(response);
        handle(request, response);
      };
    const server = createServer(
      {
        headersTimeout: requestTimeoutMs / 3,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: requestTimeoutMs / 6,
        keepAliveTimeout: idleMs,
        keepAlive: true,
        keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
        // The application says it in words.
        requireHostHeader: false,
      },
      noting(this.#handle),
    );
    server.timeout = stallMs;
    server.on('connection', (socket: Socket) => {
      const admission = connections.admit(socket);
      if (admission === 'admitted') return;
      if (admission === 'too many') reportRefused('connections of one address', socket.remoteAddress);
      socket.destroy();
    });
    server.on('clientError', (error, socket) => {
      refuse(error, socket, socket instanceof Socket ? connections.latestOf(socket) : undefined);
    });
    server.on(
      'checkContinue',
      noting((request, response) => {
        invite(response);
        this.#handle(request, response);
      }),
    );
    server.on('checkExpectation', noting(refuseExpectation));
    return server;
  }

  /** Requests in flight are answered; connections that are still busy after a while are cut. */
  protected override async onClose(): Promise<void> {
    if (this.#listening === undefined) return;
    const { server, connections, look } = this.#listening;
    clearInterval(look);
    await connections.drain(this.#options.drainMs);
    await new Promise((resolve) => server.close(resolve));
    this.#listening = undefined;
  }
}

/**
 * Invites the body of a request that asks first (`Expect: 100-continue`). Where the answer waits behind another one on
 * its connection, Node would put the invitation between its header and its body. There it is left out: clients that
 * get none send the body after a while (RFC 9110, section 10.1.1).
 */
function invite(response: ServerResponse): void {
  if (response.socket !== null) response.writeContinue();
}

function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  const headers = { ...commonHeaders, 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(417, headers).end('the only expectation that is met is 100-continue');
}

function listenFailed(host: string, port: number, cause: NodeJS.ErrnoException): TallybookError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program listens there; choose another --port',
    EACCES: 'ports below 1024 need a right of their own; choose another --port',
    EADDRNOTAVAIL: 'this machine has no such address; choose another --host',
    ENOTFOUND: 'there is no such host; choose another --host',
  };
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new TallybookError('LISTEN_FAILED', `cannot listen on ${host} port ${port}: ${reason}`, {
    cause,
    details: { host, port },
  });
}
