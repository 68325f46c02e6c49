import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Koa from 'koa';
import { JSON_MAX_BYTES } from '@tallybook/http-contract';
import { readJsonObject } from '../../src/requests/read-body.js';
import { LocalServer } from '../fixtures/local-server.js';
import { measureBuffers } from '../fixtures/measure-buffers.js';
import { useService } from '../fixtures/running-service.js';

const valid = '{"id":"04A2B3C4D5","name":{"first":"Ada","last":"Lovelace"}}';
const headOf = (length: number): string =>
  `POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const padded = (length: number): string => valid + ' '.repeat(length - valid.length);

describe('the body of a POST', () => {
  const service = useService();

  const refused: [
    what: string,
    body: string | Uint8Array,
    status: number,
    detail: RegExp,
    headers?: object,
  ][] = [
    ['is not JSON', '{"id":', 400, /is not JSON/],
    ['is JSON with a tail', `${valid}x`, 400, /is not JSON/],
    ['is a string', '"04A2B3C4D5"', 400, /must be a JSON object; got "04A2B3C4D5"/],
    ['is a number', '1', 400, /must be a JSON object; got 1/],
    ['is null', 'null', 400, /must be a JSON object; got null/],
    ['is an array', `[${valid}]`, 400, /must be a JSON object; got \[/],
    ['is empty', '', 400, /it is empty/],
    ['is blank', ' \n', 400, /is not JSON/],
    ['is deeply nested', '['.repeat(8_000), 400, /is not JSON/],
    [
      'is deeply nested and well-formed',
      '['.repeat(8_000) + ']'.repeat(8_000),
      400,
      // Node 26 can write such a value, and older versions cannot.
      /must be a JSON object; got (?:an array|\[{40}…)$/,
    ],
    ['is nested below a field', `{"id":${'['.repeat(8_100) + ']'.repeat(8_100)}}`, 400, /^id: /],
    ['is not UTF-8', Buffer.from(valid.replace('Ada', 'Ad\u00e9'), 'latin1'), 400, /not UTF-8/],
    ['is UTF-16', Buffer.from(valid, 'utf16le'), 400, /is not JSON/],
    ['is one byte too large', padded(JSON_MAX_BYTES + 1), 413, /at most 16384 bytes/],
    ['is far too large', 'x'.repeat(5_000_000), 413, /at most 16384 bytes/],
    [
      'is a form',
      'id=04A2B3C4D5',
      415,
      /application\/json/,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ],
    ['is text', valid, 415, /must be application\/json; got "text\/plain"/, { 'Content-Type': 'text/plain' }],
    ['is another JSON', valid, 415, /application\/json/, { 'Content-Type': 'application/vnd.api+json' }],
    ['has no real type', valid, 415, /application\/json; got "json"/, { 'Content-Type': 'json' }],
    ['has another charset', valid, 415, /utf-16/, { 'Content-Type': 'application/json; charset=utf-16' }],
    ['is gzipped', gzipSync(valid), 415, /not be compressed; got .* "gzip"/, { 'Content-Encoding': 'gzip' }],
    ['is deflated', deflateSync(valid), 415, /got .* "deflate"/, { 'Content-Encoding': 'deflate' }],
    ['is compressed with brotli', brotliCompressSync(valid), 415, /"br"/, { 'Content-Encoding': 'br' }],
    ['is a gzip bomb', gzipSync(Buffer.alloc(10_000_000)), 415, /"gzip"/, { 'Content-Encoding': 'gzip' }],
    ['claims to be gzip', valid, 415, /"GZIP"/, { 'Content-Encoding': 'GZIP' }],
    ['has two codings', valid, 415, /got .* "identity, br"/, { 'Content-Encoding': 'identity, br' }],
    ['has an unknown coding', valid, 415, /got .* "zstd"/, { 'Content-Encoding': 'zstd' }],
  ];
  for (const [what, body, status, detail, headers] of refused) {
    it(`is refused with ${status} when it ${what}, and nothing is stored`, async () => {
      const answer = await service.post(body, { ...headers });
      expect(answer.text).to.match(detail);
      expect(answer.status).to.equal(status);
      expect((await service.request('/api/mapping')).text).to.equal('{}');
      expect(service.reports).to.deep.equal([]);
    });
  }

  const accepted: [what: string, body: string | Uint8Array, headers?: object][] = [
    ['exactly as large as is allowed', padded(JSON_MAX_BYTES)],
    ['of a type in capitals', valid, { 'Content-Type': 'Application/JSON' }],
    ['in UTF-8, said so', valid, { 'Content-Type': 'application/json; charset="UTF-8"' }],
    ['with a byte order mark', `\uFEFF${valid}`],
    ['not compressed, said so', valid, { 'Content-Encoding': 'identity' }],
    ['not compressed, said so in capitals', valid, { 'Content-Encoding': 'Identity' }],
  ];
  for (const [what, body, headers] of accepted) {
    it(`is accepted ${what}`, async () => {
      const answer = await service.post(body, { ...headers });
      expect([answer.status, answer.text]).to.deep.equal([201, '']);
    });
  }

  it('is refused if it is compressed, and the answer says that no compression is accepted', async () => {
    const { headers } = await service.post(valid, { 'Content-Encoding': 'zstd' });
    expect(headers.get('accept-encoding')).to.equal('identity');
  });

  it('is refused with 415 without a type, and with 400 when there is no body at all', async () => {
    const head = 'POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
    expect(await service.exchange(`${head}Content-Length: ${valid.length}\r\n\r\n${valid}`)).to.match(
      /^HTTP\/1.1 415 /,
    );
    expect(await service.exchange(`${head}Content-Type: application/json\r\n\r\n`)).to.match(
      /^HTTP\/1.1 400 /,
    );
  });

  it('may be too large in chunks, and the connection goes on', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const answers = await service.exchange(
      'POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      `${chunk.repeat(20)}0\r\n\r\n`,
      'GET /api/mapping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(answers).to.match(/^HTTP\/1.1 413 [^]*HTTP\/1.1 200 OK[^]*\{\}$/);
  });

  it('may come in several parts, which may end amid a character', async () => {
    const bytes = Buffer.from(valid.replace('Ada', 'Adé'));
    const amid = bytes.indexOf('é') + 1;
    const parts = [bytes.subarray(0, 9), bytes.subarray(9, amid), bytes.subarray(amid)];
    const answer = await service.exchange(
      'POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']),
      '0\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1.1 201 /);
    expect((await service.request('/api/mapping')).text).to.include('"first":"Adé"');
  });

  it('is refused as soon as it is too large, before all of it has arrived', async () => {
    const socket = service.connect();
    socket.write(headOf(5_000_000) + 'x'.repeat(JSON_MAX_BYTES + 1));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).to.match(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  it('takes no more memory than allowed, for every size', async () => {
    const chunk = Buffer.alloc(1 << 20);
    const socket = service.connect();
    socket.write(headOf(65 << 20));
    const before = measureBuffers();
    for (let n = 0; n < 64; n++) await new Promise((resolve) => socket.write(chunk, resolve));
    // The request is not over: a part of its body is missing.
    expect(measureBuffers() - before).to.be.lessThan(32 << 20);
    socket.destroy();
  });

  it('may be compressed, too large and broken, and the server goes on', async () => {
    for (const size of [17_000, 20_000, 33_000, 40_000]) {
      const body = gzipSync(randomBytes(size / 2).toString('hex'));
      body.fill(255, body.length - 200);
      const { status } = await service.post(body, { 'Content-Encoding': 'gzip' });
      expect(status).to.equal(415);
    }
    expect((await service.post(valid)).status).to.equal(201);
  });

  it('cannot change the prototype of objects', async () => {
    const body = valid.replace('{"id"', '{"__proto__":{"name":{"first":"Mallory","last":""}},"id"');
    expect((await service.post(body)).status).to.equal(201);
    expect((await service.request('/api/mapping')).text).to.include('"Ada"');
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    const bare = '{"__proto__":{"id":"04A2B3C4D5","name":{"first":"Mallory","last":""}}}';
    expect((await service.post(bare)).text).to.match(/^id: /);
  });

  it('may stop in the middle: nothing is stored and nothing reported', async () => {
    const socket = service.connect();
    socket.write('POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write(`Content-Length: ${valid.length}\r\n\r\n${valid.slice(0, 20)}`);
    await new Promise((resolve) => {
      service.app.on('error', resolve);
      socket.end();
    });
    expect((await service.request('/api/mapping')).text).to.equal('{}');
    expect(service.reports).to.deep.equal([]);
  });

  const early: [what: string, sent: number][] = [
    ['is refused when it is cut, even if the arrived part is valid', valid.length + 1],
    ['is refused as one that is cut when its client leaves before it is read', valid.length],
  ];
  for (const [what, length] of early) {
    it(what, async () => {
      const outcomes: Promise<unknown>[] = [];
      const app = new Koa().use((ctx) => {
        const closed = new Promise((resolve) => ctx.req.once('close', resolve));
        const reading =
          length === valid.length ? closed.then(() => readJsonObject(ctx)) : readJsonObject(ctx);
        outcomes.push(reading.catch((error: unknown) => String(error)));
        return reading;
      });
      app.silent = true;
      const server = await new LocalServer(app.callback()).listen();
      server.connect().write(headOf(length) + valid);
      await once(server.server, 'request');
      await server[Symbol.asyncDispose]();
      expect(await Promise.all(outcomes)).to.deep.equal([
        'BadRequestError: the body did not arrive as a whole',
      ]);
    });
  }
});
