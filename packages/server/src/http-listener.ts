import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ManagedResource, TallybookError } from '@tallybook/domain';

/** How long requests in flight may take to finish when the server stops, in milliseconds. */
const DRAIN_MS = 2_000;
const SWEEP_MS = 20;

/** Listens for HTTP on a TCP port. */
export class HttpListener extends ManagedResource {
  readonly #handle: RequestListener;
  readonly #host: string;
  readonly #port: number;
  #server: Server | undefined;

  /** @param port 0..65535; 0 lets the system choose. */
  constructor(handle: RequestListener, host: string, port: number) {
    super();
    this.#handle = handle;
    this.#host = host;
    this.#port = port;
  }

  /** Where it listens, as a URL without a path. */
  get url(): string {
    if (this.#server === undefined) throw this.notOpen();
    // A server that listens on a TCP port has an address object.
    const address = this.#server.address() as AddressInfo;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  protected override onOpen(): Promise<void> {
    const latest = new WeakMap<Duplex, ServerResponse>();
    const answer: RequestListener = (request, response) => {
      latest.set(request.socket, response);
      this.#handle(request, response);
    };
    const server = createServer(
      { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
      answer,
    );
    // Whoever takes a connection away from HTTP says that it is closed, and keeps it; its response is not kept then.
    const forget = function (this: Duplex): void {
      latest.delete(this);
    };
    server.on('connection', (socket) => socket.on('close', forget));
    server.on('clientError', (error, socket) => refuse(error, socket, latest.get(socket)));
    server.on('checkContinue', (request, response) => {
      invite(response);
      answer(request, response);
    });
    return new Promise((resolve, reject) => {
      server.once('error', (cause) => {
        reject(listenFailed(this.#host, this.#port, cause));
      });
      server.listen(this.#port, this.#host, () => {
        this.#server = server;
        resolve();
      });
    });
  }

  /** Requests in flight are answered; connections that are still busy after two seconds are cut. */
  protected override async onClose(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      // A keep-alive connection becomes idle only after its answer, that is after close() looked for idle ones.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(deadline);
        resolve();
      });
      server.closeIdleConnections();
    });
    this.#server = undefined;
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

/**
 * Answers what is no HTTP: the parser of Node refuses it before there is a request that an application could answer.
 * Not before the answers to what came earlier on the connection, of which `latest` is the last, and never within one:
 * where that cannot be, the connection is cut.
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, latest?: ServerResponse): void {
  const isAnswering = latest?.writableFinished === false;
  // The answer to a request that is broken itself waits for the rest of it, which never comes.
  const isBroken = isAnswering && !latest.req.complete;
  const isInTheWay = isAnswering && (latest.headersSent || (isBroken && latest.socket === null));
  if (!socket.writable || isInTheWay) {
    socket.destroy();
    return;
  }
  const [status, reason] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'this is not a valid HTTP/1.1 request',
  ];
  const send = (): void => {
    if (!socket.writable) return;
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${reason.length}\r\nConnection: close\r\n\r\n${reason}`,
    );
  };
  if (isAnswering && !isBroken) latest.once('finish', send);
  else send();
}

const refusals: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers have more than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

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
