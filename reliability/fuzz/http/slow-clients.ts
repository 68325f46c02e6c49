import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAnswers } from './http-answers.js';

/** The first bytes of a slow client, which then sends one byte at a time. */
const beginnings: readonly string[] = [
  '',
  'G',
  'GET /api/days?from=0&to=0 HTTP/1.1\r\nHost: localhost\r\nX: ',
  'POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{',
  'POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
];
const BYTE_EVERY_MS = 200;

/**
 * Keeps connections busy with a byte from time to time, until the server ends them or the time is over.
 *
 * @returns The problems of the connections, and the number of connections that the server ended.
 */
export async function trickle(
  port: number,
  clients: number,
  forMs: number,
): Promise<{ readonly failures: readonly string[]; readonly endedByServer: number }> {
  const all = Array.from({ length: clients }, (_, n) =>
    trickleOne(port, beginnings[n % beginnings.length] ?? '', forMs),
  );
  const ended = await Promise.all(all);
  const failures = ended.flatMap(({ problem }) => problem ?? []);
  return { failures, endedByServer: ended.filter(({ isEnded }) => isEnded).length };
}

async function trickleOne(
  port: number,
  beginning: string,
  forMs: number,
): Promise<{ isEnded: boolean; problem?: string }> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
  socket.write(beginning);
  // A digit fits into a header and a body, and into the size of a chunk until that is too long.
  const drip = setInterval(() => socket.write('1'), BYTE_EVERY_MS);
  const closed = once(socket, 'close').then(() => true);
  const isEnded = await Promise.race([closed, pause(forMs, false)]);
  clearInterval(drip);
  socket.destroy();
  const { statuses, problem } = parseAnswers(Buffer.concat(received));
  const failed = statuses.find((status) => status >= 500);
  if (problem === undefined && failed === undefined) return { isEnded };
  const what = problem ?? `answered with ${failed ?? ''}`;
  return { isEnded, problem: `a slow client that began with ${JSON.stringify(beginning)}: ${what}` };
}
