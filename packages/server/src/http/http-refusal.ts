import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { commonHeaders } from '@tallybook/http-koa';

/** Milliseconds in which bytes of a refused client are read and dropped: closing at once can take the answer away. */
const LINGER_MS = 1_000;

const refusals: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers have more than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

const refused = new WeakSet<Duplex>();

/**
 * Answers bytes that are no HTTP: the parser of Node refuses them before there is a request that an application could answer. The
 * answer comes after the answers to earlier requests on the connection, of which `latest` is the last, and never within one: if
 * that is impossible, the connection ends after the bytes that were written.
 */
export function refuse(error: NodeJS.ErrnoException, socket: Duplex, latest?: ServerResponse): void {
  // The bytes after a refusal are no HTTP either.
  if (refused.has(socket)) return;
  const isAnswering = latest?.writableFinished === false;
  // The answer to a request that is broken itself waits for the rest of it, which never comes.
  const isBroken = isAnswering && !latest.req.complete;
  const isInTheWay = isAnswering && (latest.headersSent || (isBroken && latest.socket === null));
  if (!socket.writable || (isInTheWay && latest.socket === null)) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  if (isInTheWay) {
    // The written bytes are sent, such as the beginning of an endless stream. Nothing may be written into that.
    closeGently(socket);
    return;
  }
  const [status, reason] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'this is not a valid HTTP/1.1 request',
  ];
  if (isAnswering && !isBroken) latest.once('finish', () => end(socket, status, reason));
  else end(socket, status, reason);
}

/** Whether a handshake failed because the other side speaks HTTP without TLS. */
export function isPlainHttp(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_SSL_HTTP_REQUEST';
}

/** Answers, without TLS, a browser that uses `http://` at a port of https. No redirect: the request was readable by others already. */
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
  // A client that keeps its side open would keep the descriptor.
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger)).resume();
}
