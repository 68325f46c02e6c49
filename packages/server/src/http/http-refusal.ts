import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { commonHeaders } from '@tallybook/http-koa';

/**
 * Milliseconds for which bytes of a refused client are read and dropped: after an immediate close the client may lose
 * the answer.
 */
const LINGER_MS = 1_000;

const refusals: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers have more than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

/** Responses on a connection. */
export interface OwedAnswers {
  /** Response to the request that is being handled, or was handled last. */
  readonly current?: ServerResponse | undefined;
  /** Response to the latest request, which may wait for its turn. */
  readonly latest?: ServerResponse | undefined;
}

/** Connections on which nothing more is written. */
const refused = new WeakSet<Duplex>();

/** Connections that are refused after their unfinished answers are sent. */
const waiting = new WeakSet<Duplex>();

/**
 * Answers bytes that are not HTTP. The parser of Node refuses them and all following bytes before there is a request
 * for the application. The answer is sent after the answers to earlier requests on the connection, never inside one. If
 * the present answer would never end, or its own request is broken, the connection ends after the written bytes.
 */
export function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { current, latest }: OwedAnswers = {},
): void {
  if (refused.has(socket)) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // Also if the answer began after the first broken bytes. Otherwise further bytes would count as progress of a client
  // that reads nothing.
  if (isDue(current) && current.headersSent && (isEndless(current) || !current.req.complete)) {
    refused.add(socket);
    closeGently(socket);
    return;
  }
  if (waiting.has(socket)) return;
  const [status, reason] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'this is not a valid HTTP/1.1 request',
  ];
  const answer = (): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    end(socket, status, reason);
  };
  if (isDue(latest) && latest.req.complete) {
    waiting.add(socket);
    latest.once('finish', answer);
  } else if (isDue(latest) && latest.socket === null) {
    // The answer to a broken request would wait for the rest of the request, which never comes.
    waiting.add(socket);
    latest.once('socket', answer);
  } else answer();
}

function isDue(response: ServerResponse | undefined): response is ServerResponse {
  return response?.writableFinished === false;
}

function isEndless(response: ServerResponse): boolean {
  return !response.writableEnded && response.getHeader('Content-Type') === 'text/event-stream';
}

/** Whether a handshake failed because the other side speaks HTTP without TLS. */
export function isPlainHttp(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_SSL_HTTP_REQUEST';
}

/**
 * Answers, without TLS, a browser that uses `http://` at a port of https. There is no redirect, because others could
 * already read the request.
 */
export function hintAtHttps(bare: Duplex): void {
  end(bare, '400 Bad Request', 'this port speaks https: write https:// in front of the address');
}

function end(socket: Duplex, status: string, reason: string): void {
  if (!socket.writable) return;
  const headers = {
    ...commonHeaders,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': reason.length,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  closeGently(socket, `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${reason}`);
}

function closeGently(socket: Duplex, last = ''): void {
  socket.end(last);
  // Otherwise a client that keeps its side open would hold the descriptor.
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger)).resume();
}
