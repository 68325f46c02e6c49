import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { HttpListener } from '@tallybook/server';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { connectTo, listen } from '../fixtures/http/listening.js';

const hello = (_: IncomingMessage, response: ServerResponse): void => {
  response.end('hello');
};

/** Sends bytes over a connection of their own, and resolves with all that comes back. */
async function answerTo(listener: HttpListener, bytes: string): Promise<string> {
  const socket = connectTo(listener);
  socket.write(bytes);
  return (await socket.toArray()).join('');
}

const get = (...paths: readonly string[]): string =>
  paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('');

testLifecycle('HttpListener', () => new HttpListener(hello, '127.0.0.1', 0));

describe('HttpListener', () => {
  for (const host of ['127.0.0.1', '::1']) {
    it(`answers at the URL that it names, on ${host}`, async function () {
      const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
      if (!own.some(({ address }) => address === host)) this.skip('this machine has no IPv6');
      await using listener = new HttpListener(hello, host, 0);
      await listener.open();
      expect(await (await fetch(listener.url)).text()).to.equal('hello');
    });
  }

  it('names the used port, with advice', async () => {
    await using first = await listen(hello);
    const port = Number(new URL(first.url).port);
    const second = new HttpListener(hello, '127.0.0.1', port);
    const error = await rejectionOf('LISTEN_FAILED', second.open());
    expect(error.message).to.match(new RegExp(`127\\.0\\.0\\.1 port ${port}: .*--port`));
    expect(error).to.have.deep.property('details', { host: '127.0.0.1', port });
    expect(error).to.have.nested.property('cause.code', 'EADDRINUSE');
    expect(second.status).to.equal('closed');
  });

  it('reports an address that this machine does not have', async () => {
    const listener = new HttpListener(hello, '192.0.2.1', 0);
    const error = await rejectionOf('LISTEN_FAILED', listener.open());
    expect(error.message).to.match(/192\.0\.2\.1 port 0: .*--host/);
  });

  it('refuses bytes that are no HTTP, or have too large headers, with the reason', async () => {
    await using listener = await listen(hello);
    const [head = '', reason = ''] = (await answerTo(listener, 'HELO\r\n\r\n')).split('\r\n\r\n');
    expect(reason).to.match(/^this is not a valid/);
    const [status, ...fields] = head.split('\r\n');
    expect(status).to.equal('HTTP/1.1 400 Bad Request');
    expect(fields).to.include.members([
      ...['Cross-Origin-Resource-Policy: same-origin', 'Content-Type: text/plain; charset=utf-8'],
      ...[`Content-Length: ${reason.length}`, 'Connection: close'],
    ]);
    const headers = `X: ${'x'.repeat(20_000)}\r\n`;
    expect(await answerTo(listener, `GET / HTTP/1.1\r\n${headers}\r\n`)).to.match(
      /^HTTP\/1\.1 431 .*\r\n\r\nthe headers/s,
    );
  });

  it('passes on all fields of a header, also after thousands of short ones', async () => {
    const show = ({ headers, rawHeaders }: IncomingMessage, response: ServerResponse): void => {
      response.end(
        `${String(headers['x-forwarded-for'])} ${rawHeaders.filter((name) => name === 'Host').length}`,
      );
    };
    await using listener = await listen(show);
    const many = 'a:\r\n'.repeat(3_000);
    const last = 'X-Forwarded-For: 192.0.2.1\r\nHost: b\r\nConnection: close\r\n';
    const answer = await answerTo(listener, `GET / HTTP/1.1\r\nHost: a\r\n${many}${last}\r\n`);
    expect(answer).to.match(/\r\n\r\n192\.0\.2\.1 2$/);
  });

  it('refuses a request with a broken body, after earlier answers of its connection, and does not handle it', async () => {
    const handled: unknown[] = [];
    const whole = (incoming: IncomingMessage, response: ServerResponse): void => {
      handled.push(incoming.url);
      if (incoming.method === 'POST') incoming.on('end', () => response.end('done')).resume();
      else setImmediate(() => response.end('slow'));
    };
    await using listener = await listen(whole);
    const partsOf = async (bytes: string): Promise<readonly string[] | null> =>
      (await answerTo(listener, bytes)).match(/HTTP\/1\.1 \d+|slow|done/g);
    const broken =
      'POST /broken HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n';
    const [ok, bad] = ['HTTP/1.1 200', 'HTTP/1.1 400'];
    expect(await partsOf(broken)).to.deep.equal([bad]);
    expect(handled.splice(0)).to.deep.equal(['/broken']);
    expect(await partsOf(get('/a', '/b') + broken)).to.deep.equal([ok, 'slow', ok, 'slow', bad]);
    expect(handled).to.deep.equal(['/a', '/b']);
  });

  it('answers 100-continue when the answer before is sent', async () => {
    const slowly = (incoming: IncomingMessage, response: ServerResponse): void => {
      if (incoming.url === '/slow') setImmediate(() => response.end('slow'));
      else incoming.on('end', () => response.end('done')).resume();
    };
    await using listener = await listen(slowly);
    const partsOf = async (requests: string): Promise<readonly string[] | null> =>
      (await answerTo(listener, requests)).match(/HTTP\/1\.1 \d+|slow|done/g);
    const asking =
      'POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab';
    const [ok, invited] = ['HTTP/1.1 200', 'HTTP/1.1 100'];
    expect(await partsOf(asking)).to.deep.equal([invited, ok, 'done']);
    expect(await partsOf(get('/slow') + asking)).to.deep.equal([ok, 'slow', invited, ok, 'done']);
  });

  it('handles the requests of one connection one after another', async () => {
    const events: string[] = [];
    const slowly = ({ url }: IncomingMessage, response: ServerResponse): void => {
      events.push(`begin ${url}`);
      setImmediate(() => {
        events.push(`end ${url}`);
        if (url === '/c') response.setHeader('Connection', 'close');
        response.end();
      });
    };
    await using listener = await listen(slowly, { maxWaiting: 2 });
    expect((await answerTo(listener, get('/a', '/b', '/c'))).match(/200/g)).to.have.length(3);
    expect(events).to.deep.equal(['begin /a', 'end /a', 'begin /b', 'end /b', 'begin /c', 'end /c']);
  });

  for (const [when, end] of [
    ['at once', (response: ServerResponse) => response.end('last')],
    ['later', (response: ServerResponse) => setImmediate(() => response.end('last'))],
  ] as const) {
    it(`never handles a request after an answer that ends its connection ${when}`, async () => {
      const handled: unknown[] = [];
      const closing = ({ url }: IncomingMessage, response: ServerResponse): void => {
        handled.push(url);
        response.setHeader('Connection', 'close');
        end(response);
      };
      await using listener = await listen(closing);
      expect(await answerTo(listener, get('/a', '/b', '/c'))).to.match(/\r\n\r\nlast$/);
      expect(handled).to.deep.equal(['/a']);
    });
  }

  it('cuts a connection on which too many requests wait, once, and handles none of them', async () => {
    const handled: unknown[] = [];
    const refused: unknown[] = [];
    const never = ({ url }: IncomingMessage): void => void handled.push(url);
    const reportRefused = (...of: readonly unknown[]): number => refused.push(of);
    await using listener = await listen(never, { maxWaiting: 2, reportRefused });
    const socket = connectTo(listener);
    const closed = once(socket, 'close');
    for (let n = 0; n < 10; n++) socket.write(get(`/${n}`));
    socket.resume();
    await closed;
    expect(handled).to.deep.equal(['/0']);
    expect(refused).to.deep.equal([['waiting requests of one connection', '127.0.0.1']]);
  });
});
