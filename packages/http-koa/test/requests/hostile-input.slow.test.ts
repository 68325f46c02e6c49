import { METHODS } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { type RunningService, useService } from '../fixtures/running-service.js';

const RUNS = { numRuns: 150 };

const target = fc.constantFrom(
  '/api/mapping',
  '/api/day',
  '/api/today',
  '/api/days',
  '/api/time',
  '/api/provisional',
  '/api/backlog',
  '/api/openapi.json',
);
/** Characters that a request line allows, and some that it does not. */
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
});
const value = fc.oneof(
  fc.bigInt({ min: -1n, max: 2n ** 66n }).map(String),
  fc.constantFrom('', '%', '%ff', '%00', '%E0%A4', '+', '__proto__', 'entries'),
  fc.string().map((text) => encodeURIComponent(text.toWellFormed())),
  visible,
);
const name = fc.constantFrom('day', 'timestamp', 'from', 'to', 'expand', '__proto__', '%64ay', 'constructor');
const query = fc.array(fc.tuple(name, value)).map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));

/** Sends a request and expects an answer with a status below 500. */
async function expectAnswer(
  service: RunningService,
  head: string,
  body: string | Uint8Array = '',
): Promise<void> {
  const answer = await service.exchange(Buffer.from(`${head}\r\nConnection: close\r\n\r\n`, 'latin1'), body);
  expect(answer, head).to.match(/^HTTP\/1.1 [234]\d\d /);
  expect(service.reports, head).to.deep.equal([]);
}

describe('input of a client', () => {
  const service = useService();

  it('never is the fault of the server: queries', async () => {
    await fc.assert(
      fc.asyncProperty(target, query, (path, text) =>
        expectAnswer(service, `GET ${path}?${text} HTTP/1.1\r\nHost: localhost`),
      ),
      RUNS,
    );
  });

  it('never is the fault of the server: methods and targets', async () => {
    const method = fc.constantFrom(...METHODS.filter((each) => each !== 'CONNECT'));
    const any = fc.oneof(
      visible,
      visible.map((text) => `/${text}`),
      visible.map((text) => `/api/${text}`),
      visible.map((text) => `http://${text}`),
    );
    await fc.assert(
      fc.asyncProperty(method, any, (verb, path) =>
        expectAnswer(service, `${verb} ${path} HTTP/1.1\r\nHost: localhost`),
      ),
      RUNS,
    );
  });

  it('never is the fault of the server: headers', async () => {
    const header = fc.constantFrom(
      'Accept',
      'If-None-Match',
      'Content-Type',
      'Content-Encoding',
      'Host',
      'Last-Event-ID',
      'X',
    );
    const verb = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS');
    await fc.assert(
      fc.asyncProperty(
        verb,
        target,
        header,
        fc.string().map((text) => text.replace(/[^\x20-\x7e]/g, '')),
        (method, path, field, text) =>
          expectAnswer(service, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${field}: ${text}`),
      ),
      RUNS,
    );
  });

  it('never is the fault of the server: bodies of JSON', async () => {
    const field = fc.oneof(
      fc.jsonValue(),
      fc.constant('04A2B3C4D5'),
      fc.record({ first: fc.jsonValue(), last: fc.string({ unit: 'binary' }) }),
    );
    const body = fc.oneof(fc.jsonValue(), fc.record({ id: field, name: field }, { requiredKeys: [] }));
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const { status } = await service.post(JSON.stringify(json));
        expect(status).to.be.oneOf([200, 201, 400, 413]);
      }),
      RUNS,
    );
  });

  it('never is the fault of the server: times', async () => {
    service.clock.setSynchronised(false);
    const time = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.integer(),
      fc.maxSafeInteger(),
      fc.bigInt({ min: -1n, max: 2n ** 66n }).map(String),
    );
    await fc.assert(
      fc.asyncProperty(time, async (json) => {
        const { status } = await service.post(JSON.stringify({ time: json }), {}, '/api/time');
        expect(status).to.be.oneOf([200, 400]);
        expect((await service.request('/api/time')).status).to.equal(200);
        expect(service.reports).to.deep.equal([]);
      }),
      RUNS,
    );
  });

  it('never is the fault of the server: bodies of bytes, with every claimed compression', async () => {
    const coding = fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'zstd', '');
    await fc.assert(
      fc.asyncProperty(coding, fc.uint8Array({ maxLength: 200 }), async (encoding, bytes) => {
        const { status } = await service.post(bytes, { 'Content-Encoding': encoding });
        expect(status).to.be.oneOf([400, 413, 415]);
      }),
      RUNS,
    );
  });

  it('is stored completely if it is valid: every id and name', async () => {
    const id = fc
      .uint8Array({ minLength: 3, maxLength: 10 })
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    const part = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));
    await fc.assert(
      fc.asyncProperty(id, part, part, async (hex, first, last) => {
        expect((await service.post({ id: hex, name: { first, last } })).status).to.be.oneOf([200, 201]);
        const mapping = JSON.parse((await service.request('/api/mapping')).text) as Record<string, unknown>;
        expect(mapping[hex.toUpperCase()]).to.deep.equal({
          first: first.normalize('NFC').trim(),
          last: last.normalize('NFC').trim(),
        });
      }),
      RUNS,
    );
  });
});
