import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { Socket, type AddressInfo, type DropArgument } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ManagedResource, type Subscribable, type Subscription } from '@tallybook/domain';
import { commonHeaders } from '@tallybook/http-koa';
import { HttpConnections } from './http-connections.js';
import { HttpMeter } from './http-meter.js';
import { hintAtHttps, isPlainHttp, refuse } from './http-refusal.js';
import { listenFailed } from './listen-failed.js';
import { RequestTurns } from './request-turns.js';
import { SilentPeers } from './silent-peers.js';

/** A certificate and its key in PEM. The certificate may be followed by those of the authorities above it. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Where the certificate for TLS comes from. */
export interface KeyPairSource {
  /** Read when the listener opens; `undefined` for no TLS. */
  readonly current: KeyPair | undefined;
  /** Each pair that takes the place of the one before: new connections get it. */
  readonly changes: Subscribable<KeyPair>;
}

/** The limit that a connection has reached. */
export type RefusedFor = 'connections' | 'connections of one address' | 'waiting requests of one connection';

export interface HttpListenerOptions {
  /** Default: none, which is plain HTTP. */
  readonly tls?: KeyPairSource;
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
   * Milliseconds that nothing may move on a connection on which an answer is due, at least 1, default 60000. The application
   * itself cuts off clients that take nothing of its answers for 30 seconds; this is for all other connections.
   */
  readonly stallMs?: number;
  /** Milliseconds that requests in flight may take to finish when the server stops, at least 1, default 2000. */
  readonly drainMs?: number;
  /** Requests that may wait on a connection for the answers before theirs, at least 1, default 16. */
  readonly maxWaiting?: number;
  /** Measures requests. Default: nobody does. */
  readonly meter?: HttpMeter;
  /** Called for each connection that finds no place, or is cut for too many requests, with its address if that is known. */
  readonly reportRefused?: (reason: RefusedFor, address?: string) => void;
}

type Limits = Required<Omit<HttpListenerOptions, 'tls'>>;

/** The default limits. */
export const listenerDefaults: Limits = Object.freeze({
  maxConnections: 1_500,
  maxConnectionsPerAddress: 200,
  silenceLookMs: 15_000,
  requestTimeoutMs: 30_000,
  idleMs: 5_000,
  stallMs: 60_000,
  drainMs: 2_000,
  maxWaiting: 16,
  meter: new HttpMeter(),
  reportRefused: () => undefined,
});

/** How long a connection is quiet before TCP asks whether the other side is there, in milliseconds. */
const TCP_KEEP_ALIVE_MS = 15_000;

/** Resources of an open listener. */
interface Listening {
  readonly server: Server;
  readonly scheme: 'http' | 'https';
  readonly connections: HttpConnections;
  readonly look: NodeJS.Timeout;
  /** Absent without TLS. */
  readonly renewal: Subscription | undefined;
}

/** Older ones are broken: RFC 8996. */
const LEAST_TLS = 'TLSv1.2';

/** All of TLS 1.3; of TLS 1.2 those that are forward secret and authenticate what they encrypt, without CBC: RFC 9325, section 4.2. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/**
 * Listens for HTTP on a TCP port, within TLS if there is a certificate.
 *
 * Every connection gives its place back: clients that are slow, take nothing of an answer, or have gone without closing are cut.
 */
export class HttpListener extends ManagedResource {
  readonly #handle: RequestListener;
  readonly #host: string;
  readonly #port: number;
  readonly #options: Limits;
  readonly #tls: KeyPairSource | undefined;
  #listening: Listening | undefined;

  /** @param port 0..65535; 0 lets the system choose. */
  constructor(handle: RequestListener, host: string, port: number, options: HttpListenerOptions = {}) {
    super();
    this.#handle = handle;
    this.#host = host;
    this.#port = port;
    const { tls, ...limits } = options;
    this.#options = { ...listenerDefaults, ...limits };
    this.#tls = tls;
  }

  /** Where it listens, as a URL without a path. */
  get url(): string {
    if (this.#listening === undefined) throw this.notOpen();
    // A server that listens on a TCP port has an address object.
    const address = this.#listening.server.address() as AddressInfo;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${this.#listening.scheme}://${host}:${address.port}`;
  }

  protected override onOpen(): Promise<void> {
    const { maxConnections, maxConnectionsPerAddress, silenceLookMs, meter, reportRefused } = this.#options;
    const connections = new HttpConnections(maxConnectionsPerAddress);
    meter.countConnections = () => connections.count;
    const pair = this.#tls?.current;
    const server = this.#createServer(connections, pair);
    server.maxConnections = maxConnections;
    server.on('drop', (dropped?: DropArgument) => reportRefused('connections', dropped?.remoteAddress));
    const silentPeers = new SilentPeers(() => connections.sockets);
    return new Promise((resolve, reject) => {
      server.once('error', (cause) => {
        reject(listenFailed(this.#host, this.#port, cause));
      });
      server.listen(this.#port, this.#host, () => {
        // A look that fails does not matter: there is another one soon.
        const lookOnce = (): void => void silentPeers.look().catch(() => undefined);
        const look = setInterval(lookOnce, silenceLookMs);
        const scheme = pair === undefined ? 'http' : 'https';
        this.#listening = { server, scheme, connections, look, renewal: pair && this.#renew(server) };
        resolve();
      });
    });
  }

  #createServer(connections: HttpConnections, pair: KeyPair | undefined): Server {
    const { requestTimeoutMs, idleMs, stallMs, maxWaiting, meter, reportRefused } = this.#options;
    const turns = new RequestTurns(maxWaiting);
    // Node takes whole milliseconds only.
    const thirdMs = Math.ceil(requestTimeoutMs / 3);
    const noting =
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        const { socket } = request;
        // Node goes on with what it has read of a connection that was cut.
        if (socket.destroyed) return;
        const before = connections.latestOf(socket);
        connections.note(response);
        const hasRoom = turns.take(response, before, () => {
          meter.noteRequest(response);
          handle(request, response);
        });
        if (hasRoom) return;
        reportRefused('waiting requests of one connection', socket.remoteAddress);
        socket.destroy();
      };
    const options = {
      headersTimeout: thirdMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(thirdMs / 2),
      keepAliveTimeout: idleMs,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      // The application refuses such requests itself, with a message.
      requireHostHeader: false,
    };
    const secured = {
      ...options,
      ...pair,
      minVersion: LEAST_TLS,
      ciphers: CIPHERS,
      handshakeTimeout: thirdMs,
    } as const;
    const handle = noting(this.#handle);
    const server = pair === undefined ? createServer(options, handle) : createTlsServer(secured, handle);
    server.timeout = stallMs;
    // Node would leave out all fields after the 2000th, `Host` and `X-Forwarded-For` among them: 16 KiB bound them.
    server.maxHeadersCount = 0;
    server.on('connection', (socket: Socket) => {
      const admission = connections.admit(socket);
      if (admission === 'admitted') return;
      if (admission === 'too many') reportRefused('connections of one address', socket.remoteAddress);
      socket.destroy();
    });
    server.on('secureConnection', (socket: TLSSocket) => connections.secure(socket));
    server.on('clientError', (error, socket) => {
      if (pair !== undefined && !connections.has(socket)) {
        const bare = socket instanceof TLSSocket ? connections.findBelow(socket) : undefined;
        if (bare !== undefined && isPlainHttp(error)) hintAtHttps(bare);
        // Nobody could read any other answer that comes before the handshake.
        else socket.destroy();
      } else if (socket instanceof Socket) {
        refuse(error, socket, { current: turns.currentOf(socket), latest: connections.latestOf(socket) });
      } else refuse(error, socket);
    });
    server.on(
      'checkContinue',
      noting((request, response) => {
        response.writeContinue();
        this.#handle(request, response);
      }),
    );
    server.on('checkExpectation', noting(refuseExpectation));
    return server;
  }

  /** New connections get the new certificate; present ones go on with the old one. */
  #renew(server: Server): Subscription | undefined {
    if (!(server instanceof TlsServer)) return undefined;
    return this.#tls?.changes.subscribe((pair) =>
      server.setSecureContext({ ...pair, minVersion: LEAST_TLS, ciphers: CIPHERS }),
    );
  }

  /** Requests in flight are answered; connections that are still busy after a while are cut. */
  protected override async onClose(): Promise<void> {
    if (this.#listening === undefined) return;
    const { server, connections, look, renewal } = this.#listening;
    clearInterval(look);
    renewal?.unsubscribe();
    await connections.drain(this.#options.drainMs);
    await new Promise((resolve) => server.close(resolve));
    this.#listening = undefined;
  }
}

function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  const headers = { ...commonHeaders, 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(417, headers).end('the only expectation that is met is 100-continue');
}
