import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { connectTo, listen } from '../fixtures/http/listening.js';
import { leaveOut } from '../fixtures/leave-out.js';

/** Begins a request, and returns the server's side of it, without an answer. */
async function begin() {
  let take: (incoming: IncomingMessage) => void = () => undefined;
  const taken = new Promise<IncomingMessage>((resolve) => (take = resolve));
  const listener = await listen((incoming) => take(incoming));
  const client = request(listener.url, { agent: false }).on('error', () => undefined);
  client.end();
  const { socket } = await taken;
  const { server } = socket as Socket & { readonly server: Server };
  return { listener, client, socket, server };
}

/** The values for connections in the documents: configuration.md at "max-connections", and http-api.md. */
const documented = {
  'the header': ['headersTimeout', 10_000],
  'all of a request': ['requestTimeout', 30_000],
  'a look for those that came too slowly': ['connectionsCheckingInterval', 5_000],
  'the next request': ['keepAliveTimeout', 5_000],
  'anything to move while an answer is due': ['timeout', 60_000],
} as const;

describe('HttpListener with default options', () => {
  for (const [what, [property, milliseconds]] of Object.entries(documented)) {
    it(`waits ${milliseconds} ms for ${what}`, async () => {
      const { listener, client, server } = await begin();
      expect((server as unknown as Record<string, unknown>)[property]).to.equal(milliseconds);
      client.destroy();
      await listener.close();
    });
  }

  it('has 1,500 connections at most', async () => {
    const { listener, client, server } = await begin();
    expect(server.maxConnections).to.equal(1_500);
    client.destroy();
    await listener.close();
  });

  it('leaves no timer when it is closed with a request in flight', async () => {
    using timers = new RecordedTimers();
    const { listener, client } = await begin();
    const closed = listener.close();
    while (timers.pending.length === 0) await new Promise(setImmediate);
    expect(timers.pending).to.deep.equal([2_000]);
    client.destroy();
    await closed;
    expect(timers.pending).to.deep.equal([]);
  });

  it('cuts a request in flight two seconds after the beginning of its closing, not before', async () => {
    using timers = new RecordedTimers();
    const { listener, socket } = await begin();
    const closed = listener.close();
    while (!timers.pending.includes(2_000)) await new Promise(setImmediate);
    expect(socket.destroyed).to.equal(false);
    timers.expire(2_000);
    expect(socket.destroyed).to.equal(true);
    await closed;
  });

  it('continues to read from a refused client for a second, unless the client leaves', async () => {
    using timers = new RecordedTimers();
    const listener = await listen(() => undefined);
    const socket = connectTo(listener);
    socket.write('HELO\r\n\r\n');
    await once(socket, 'data');
    expect(timers.pending).to.deep.equal([1_000]);
    socket.destroy();
    await listener.close();
    expect(timers.pending).to.deep.equal([]);
  });

  it('makes TCP check after 15 seconds whether the other side is there', async function () {
    leaveOut(this, process.platform === 'linux' ? undefined : 'only Linux shows the timers of connections');
    const { listener, client, socket } = await begin();
    const { remotePort = 0, localPort = 0 } = socket;
    const ports = [localPort, remotePort].map(
      (port) => `[0-9A-F]{8}:${port.toString(16).toUpperCase().padStart(4, '0')}`,
    );
    // The timer (2: keep-alive) and the time until it fires, in hundredths of a second.
    const row = new RegExp(`${ports.join(' ')} 01 \\S+ 02:([0-9A-F]+)`);
    const table = await readFile('/proc/self/net/tcp', 'latin1');
    expect(parseInt(row.exec(table)?.[1] ?? '', 16)).to.be.within(1_000, 1_500);
    client.destroy();
    await listener.close();
  });
});

describe('HttpListener', () => {
  it('accepts every whole number of milliseconds as the limit of a request', async () => {
    for (const requestTimeoutMs of [1, 1_000]) {
      const listener = await listen(() => undefined, { requestTimeoutMs });
      await listener.close();
    }
  });

  it('answers that a request without its body took too long', async () => {
    const listener = await listen(() => undefined, { requestTimeoutMs: 600 });
    const socket = connectTo(listener);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
    const answer = (await socket.toArray()).join('');
    expect(answer).to.match(/^HTTP\/1\.1 408 .*too long/s);
    await listener.close();
  });
});
