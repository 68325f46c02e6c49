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
import { listenFailed } from './require-free-place.js';

/** A certificate and its key in PEM. Certificates of the authorities above it may follow it. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The source of the certificate for TLS. */
export interface KeyPairSource {
  /** Read when the listener opens; `undefined` for no TLS. */
  readonly current: KeyPair | undefined;
  /** Each new pair that replaces the one before. New connections get it. */
  readonly changes: Subscribable<KeyPair>;
}

/** The reached limit of a connection. */
export type RefusedFor = 'connections' | 'connections of one address' | 'waiting requests of one connection';

export interface HttpListenerOptions {
  /** Default: none, which is plain HTTP. */
  readonly tls?: KeyPairSource;
  /** Largest number of simultaneous connections, at least 1, default 1500. */
  readonly maxConnections?: number;
  /**
   * Largest number of connections of one client, at least 1, default 200. A client is an IPv4 address or a /64 of IPv6.
   * This machine has no such limit.
   */
  readonly maxConnectionsPerAddress?: number;
  /**
   * Longest time for a request to arrive, in milliseconds, at least 1, default 30000. Its header has a third of this
   * time.
   */
  readonly requestTimeoutMs?: number;
  /** Longest wait of a connection for its next request, in milliseconds, at least 1, default 5000. */
  readonly idleMs?: number;
  /**
   * Longest time without progress on a connection with an unfinished answer, in milliseconds, at least 1, default
   * 60000. The application itself cuts off clients that take nothing of its answers for 30 seconds. This limit is for
   * all other connections.
   */
  readonly stallMs?: number;
  /** Longest time for unfinished requests when the server stops, in milliseconds, at least 1, default 2000. */
  readonly drainMs?: number;
  /** Largest number of requests on a connection that wait for earlier answers, at least 1, default 16. */
  readonly maxWaiting?: number;
  /** Measures requests. Default: no measurement. */
  readonly meter?: HttpMeter;
  /**
   * Called for each connection that is refused, or is cut because of too many requests. The address is given if it is
   * known.
   */
  readonly reportRefused?: (reason: RefusedFor, address?: string) => void;
}

type Limits = Required<Omit<HttpListenerOptions, 'tls'>>;

/** The default limits. */
export const listenerDefaults: Limits = Object.freeze({
  maxConnections: 1_500,
  maxConnectionsPerAddress: 200,
  requestTimeoutMs: 30_000,
  idleMs: 5_000,
  stallMs: 60_000,
  drainMs: 2_000,
  maxWaiting: 16,
  meter: new HttpMeter(),
  reportRefused: () => undefined,
});

/**
 * Milliseconds without traffic after which TCP checks whether the other side is still there. If bytes wait for a client that
 * has vanished, the kernel gives up later: on Linux after about a quarter of an hour.
 */
const TCP_KEEP_ALIVE_MS = 15_000;

/** Resources of an open listener. */
interface Listening {
  readonly server: Server;
  readonly scheme: 'http' | 'https';
  readonly connections: HttpConnections;
  /** Absent without TLS. */
  readonly renewal: Subscription | undefined;
}

/** Older versions of TLS are broken: RFC 8996. */
const LEAST_TLS = 'TLSv1.2';

/**
 * All ciphers of TLS 1.3. Of TLS 1.2, only ciphers with forward secrecy and authenticated encryption, without CBC: RFC
 * 9325, section 4.2.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/**
 * Listens for HTTP on a TCP port, over TLS if there is a certificate.
 *
 * Every connection gives its place back: clients are cut if they are slow, or take nothing of an answer.
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

  /** Its address, as a URL without a path. */
  get url(): string {
    if (this.#listening === undefined) throw this.notOpen();
    // A server that listens on a TCP port has an address object.
    const address = this.#listening.server.address() as AddressInfo;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${this.#listening.scheme}://${host}:${address.port}`;
  }

  protected override onOpen(): Promise<void> {
    const { maxConnections, maxConnectionsPerAddress, maxWaiting, meter, reportRefused } = this.#options;
    const connections = new HttpConnections(maxConnectionsPerAddress, maxWaiting);
    meter.countConnections = () => connections.count;
    const pair = this.#tls?.current;
    const server = this.#createServer(connections, pair);
    server.maxConnections = maxConnections;
    server.on('drop', (dropped?: DropArgument) => reportRefused('connections', dropped?.remoteAddress));
    return new Promise((resolve, reject) => {
      server.once('error', (cause) => {
        reject(listenFailed(this.#host, this.#port, cause));
      });
      server.listen(this.#port, this.#host, () => {
        const scheme = pair === undefined ? 'http' : 'https';
        this.#listening = { server, scheme, connections, renewal: pair && this.#renew(server) };
        resolve();
      });
    });
  }

  #createServer(connections: HttpConnections, pair: KeyPair | undefined): Server {
    const { requestTimeoutMs, idleMs, stallMs, meter, reportRefused } = this.#options;
    // Node accepts only whole milliseconds.
    const thirdMs = Math.ceil(requestTimeoutMs / 3);
    const inTurn =
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        const isServed = connections.serve(response, () => {
          meter.noteRequest(response);
          handle(request, response);
        });
        if (isServed) return;
        reportRefused('waiting requests of one connection', request.socket.remoteAddress);
        request.socket.destroy();
      };
    const options = {
      headersTimeout: thirdMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(thirdMs / 2),
      keepAliveTimeout: idleMs,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      // The application itself refuses requests without `Host`, with a message.
      requireHostHeader: false,
    };
    const secured = {
      ...options,
      ...pair,
      minVersion: LEAST_TLS,
      ciphers: CIPHERS,
      handshakeTimeout: thirdMs,
    } as const;
    const handle = inTurn(this.#handle);
    const server = pair === undefined ? createServer(options, handle) : createTlsServer(secured, handle);
    server.timeout = stallMs;
    // Node would drop all fields after the 2000th, which may include `Host` and `X-Forwarded-For`. The limit of 16 KiB is
    // enough.
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
        // No answer here: before the handshake, any other client could not read it.
        else socket.destroy();
      } else if (socket instanceof Socket) {
        refuse(error, socket, connections.answersOn(socket));
      } else refuse(error, socket);
    });
    server.on(
      'checkContinue',
      inTurn((request, response) => {
        response.writeContinue();
        this.#handle(request, response);
      }),
    );
    server.on('checkExpectation', inTurn(refuseExpectation));
    return server;
  }

  /** New connections get the new certificate; existing connections keep the old one. */
  #renew(server: Server): Subscription | undefined {
    if (!(server instanceof TlsServer)) return undefined;
    return this.#tls?.changes.subscribe((pair) =>
      server.setSecureContext({ ...pair, minVersion: LEAST_TLS, ciphers: CIPHERS }),
    );
  }

  /** Unfinished requests are answered; connections that are still busy after `drainMs` are cut. */
  protected override async onClose(): Promise<void> {
    if (this.#listening === undefined) return;
    const { server, connections, renewal } = this.#listening;
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
