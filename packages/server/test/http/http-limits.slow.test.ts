import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import type { HttpListener } from '@tallybook/server';
import { expect } from 'chai';
import { Emitter } from '@tallybook/domain';
import { HttpConnections } from '../../src/http/http-connections.js';
import { makeCertificate } from '../../../testing/test/fixtures/certificate.js';
import { listen } from '../fixtures/http/listening.js';

const hello: RequestListener = (_, response) => {
  response.end('hello');
};
const ask = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

const certificate = { current: makeCertificate(), changes: new Emitter<never>() };

/** A connection, with TLS if the listener uses it. */
function connectTo(listener: HttpListener, allowHalfOpen = false): Socket {
  const { port, protocol } = new URL(listener.url);
  const to = { port: Number(port), host: '127.0.0.1', allowHalfOpen };
  const socket = protocol === 'http:' ? connect(to) : connectSecurely({ ...to, rejectUnauthorized: false });
  return socket.on('error', () => undefined);
}

/** Whether a new connection gets an answer. */
async function isServed(listener: HttpListener): Promise<boolean> {
  const socket = connectTo(listener);
  socket.write(ask);
  const answer = await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => undefined),
  ]).catch(
    // A broken handshake is an error.
    () => undefined,
  );
  socket.destroy();
  return answer !== undefined;
}

/** Resolves when the only place is free again. */
async function placeIsFree(listener: HttpListener): Promise<void> {
  while (!(await isServed(listener))) await new Promise(setImmediate);
}

for (const [scheme, secured] of [
  ['http', {}],
  ['https', { tls: certificate }],
] as const)
  describe(`connections to HttpListener by ${scheme}`, () => {
    it('are limited: one more is closed without an answer, and reported, until one leaves', async () => {
      const refused: unknown[] = [];
      const reportRefused = (...of: readonly unknown[]): unknown => refused.push(of);
      await using listener = await listen(hello, { ...secured, maxConnections: 2, reportRefused });
      const sockets = [connectTo(listener), connectTo(listener)];
      for (const socket of sockets) {
        socket.write(ask);
        await once(socket, 'data');
      }
      expect(await isServed(listener)).to.equal(false);
      expect(refused).to.deep.equal([['connections', '127.0.0.1']]);
      sockets[0]?.destroy();
      await placeIsFree(listener);
      sockets[1]?.destroy();
    });

    it('free their place when their request came too slowly, also if they stay open', async () => {
      // The handshake gets a third of this time, and is slow on a busy machine.
      await using listener = await listen(hello, { ...secured, maxConnections: 1, requestTimeoutMs: 1_800 });
      const silent = connectTo(listener, true).setEncoding('latin1');
      let answer = '';
      silent.on('data', (chunk: string) => (answer += chunk));
      await once(silent, 'end');
      expect(answer).to.match(
        /^HTTP\/1\.1 408 .*\r\nCross-Origin-Resource-Policy: same-origin\r\n.*too long/s,
      );
      await placeIsFree(listener);
      expect(silent.writable).to.equal(true);
      silent.destroy();
    });

    it('free their place when they send no more requests', async () => {
      await using listener = await listen(hello, { ...secured, maxConnections: 1, idleMs: 50 });
      const idle = connectTo(listener);
      idle.write(ask);
      await once(idle, 'data');
      await once(idle, 'close');
      await placeIsFree(listener);
    });

    it('are not affected by others that are too slow, too large, or silent', async () => {
      await using listener = await listen(hello, { ...secured });
      const beginnings = [
        '',
        'GET / HT',
        `GET / HTTP/1.1\r\nX: ${'x'.repeat(10_000)}`,
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1',
      ];
      const others = Array.from({ length: 100 }, (_, n) => {
        const socket = connectTo(listener);
        socket.write(beginnings[n % beginnings.length] ?? '');
        return socket;
      });
      const tooLarge = connectTo(listener).setEncoding('latin1');
      tooLarge.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`);
      expect(String((await once(tooLarge, 'data'))[0])).to.match(/^HTTP\/1\.1 431 /);
      expect(await isServed(listener)).to.equal(true);
      for (const socket of [...others, tooLarge]) socket.destroy();
    });

    for (const [behind, bytes] of [
      ['', ''],
      [', also if what is no HTTP follows its request', 'HELO\r\n\r\n'],
    ] as const)
      it(`free their place when an answer is not read for a while${behind}`, async () => {
        const endless: RequestListener = (request, response) => {
          if (request.url === '/') response.end('hello');
          else response.end(Buffer.alloc(50_000_000));
        };
        await using listener = await listen(endless, { ...secured, maxConnections: 1, stallMs: 300 });
        const sleeping = connectTo(listener);
        sleeping.write(ask.replace('/', '/large') + bytes);
        await once(sleeping, 'data');
        sleeping.pause();
        await placeIsFree(listener);
        sleeping.destroy();
      });

    it('get the complete refusal, even while they still send', async () => {
      await using listener = await listen(hello, { ...secured });
      const socket = connectTo(listener);
      socket.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(5_000_000)}`);
      expect(await text(socket)).to.match(/^HTTP\/1\.1 431 .*\r\nthe headers have more than 16 KiB$/s);
    });

    it('get a refusal of every expectation except 100-continue', async () => {
      await using listener = await listen(hello, { ...secured });
      const socket = connectTo(listener);
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nExpect: rain\r\nConnection: close\r\n\r\n');
      const answer = await text(socket);
      expect(answer).to.match(
        /^HTTP\/1\.1 417 .*Cross-Origin-Resource-Policy: same-origin\r\n.*Content-Type: text\/plain; charset=utf-8\r\n.*100-continue/s,
      );
    });

    it('get the rest of a large answer when the listener closes, but no new answer', async () => {
      const large = Buffer.alloc(30_000_000, 'x');
      const refused: unknown[] = [];
      const listener = await listen((_, response) => void response.end(large), {
        ...{ ...secured, drainMs: 600_000, reportRefused: (...of) => refused.push(of) },
      });
      const socket = connectTo(listener);
      socket.write(ask);
      await once(socket, 'readable');
      const closed = listener.close();
      expect(await isServed(listener)).to.equal(false);
      const length = (await text(socket)).length;
      expect(length).to.be.greaterThan(30_000_000);
      await closed;
      // No limit was reached.
      expect(refused).to.deep.equal([]);
    });
  });

describe('the connections of one address', () => {
  /** The used fields of a connection. */
  const from = (remoteAddress: string): Socket =>
    Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

  for (const address of ['192.0.2.7', '2001:db8::7', '::ffff:192.0.2.7']) {
    it(`are limited for ${address}, and not for others`, async () => {
      const connections = new HttpConnections(2, 1);
      const sockets = [from(address), from(address), from(address), from('192.0.2.8')];
      expect(sockets.map((socket) => connections.admit(socket))).to.deep.equal([
        'admitted',
        'admitted',
        'too many',
        'admitted',
      ]);
      sockets[0]?.destroy();
      if (sockets[0] !== undefined) await once(sockets[0], 'close');
      const again = [from(address), from(address)];
      expect(again.map((socket) => connections.admit(socket))).to.deep.equal(['admitted', 'too many']);
    });
  }

  const networks: readonly (readonly [one: string, other: string, isSame: boolean])[] = [
    ['2001:db8:0:1::7', '2001:db8:0:1:ffff:ffff:ffff:ffff', true],
    ['2001:db8::7', '2001:db8:0:0:1::', true],
    ['fd00::1', 'fd00::2', true],
    ['::1:2:3:4:5', '0:0:0:1::9', true],
    ['2001:db8:0:1::7', '2001:db8:0:2::7', false],
    ['2001:db8::7', '2001:db8:1::7', false],
    ['fe80::1%eth0', 'fe80::2%eth0', false],
    ['192.0.2.7', '192.0.2.8', false],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.8', false],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
  ];
  for (const [one, other, isSame] of networks) {
    it(`are ${isSame ? 'those of one client' : 'counted apart'} for ${one} and ${other}`, () => {
      const connections = new HttpConnections(1, 1);
      expect(connections.admit(from(one))).to.equal('admitted');
      expect(connections.admit(from(other))).to.equal(isSame ? 'too many' : 'admitted');
    });
  }

  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    it(`are not limited for ${address}, because a proxy has all clients`, async () => {
      const connections = new HttpConnections(1, 1);
      const sockets = [from(address), from(address)];
      expect(sockets.map((socket) => connections.admit(socket))).to.deep.equal(['admitted', 'admitted']);
    });
  }

  it('do not include a cut one, or one that comes while the others are drained', async () => {
    const connections = new HttpConnections(1, 1);
    expect(connections.admit(new Socket())).to.equal('gone');
    const socket = from('192.0.2.7');
    expect(connections.admit(socket)).to.equal('admitted');
    const drained = connections.drain(0);
    expect(connections.admit(from('192.0.2.7'))).to.equal('closing');
    expect(connections.admit(from('192.0.2.8'))).to.equal('closing');
    await drained;
  });
});
