import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseName, parseTallyId, TallybookError, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService, type ServiceOptions } from '../fixtures/running-service.js';
import { turns } from '../fixtures/shelf.js';

const NAMES = 3_000;
const target = '/api/mapping';
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const idOf = (n: number): string => `04${String(n).padStart(8, '0')}`;
const nameOf = (n: number): { first: string; last: string } => ({ first: `Ada ${n}`, last: 'é'.repeat(50) });

/** A service whose mapping (about 400 KB) and day are too large for the cache. */
async function start(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await RunningService.start({ maxCachedBytes: 10_000, ...options });
  for (let n = 0; n < NAMES; n++) await service.mapping.put(parseTallyId(idOf(n)), parseName(nameOf(n)));
  return service;
}

const mappingText = (): string =>
  `{${Array.from({ length: NAMES }, (_, n) => `"${idOf(n)}":${JSON.stringify(nameOf(n))}`).join(',')}}`;

interface Counts {
  /** Number of pages read from all snapshots. */
  pages: number;
  /** Number of open snapshots. */
  open: number;
  /** Number of pages after which a snapshot ends. */
  most: number;
}

/** Makes an answer larger than the buffers of any connection. */
function endless(service: RunningService): Counts {
  const counts = { pages: 0, open: 0, most: Infinity };
  service.mapping.snapshot = () => {
    counts.open++;
    return Promise.resolve({
      page: (after) => {
        const start = after === undefined ? 0 : Number(after.slice(2)) + 1;
        const ids = Array.from({ length: 500 }, (_, n) => parseTallyId(idOf(start + n)));
        return Promise.resolve(counts.pages++ < counts.most ? ids.map((id) => [id, nameOf(1)] as const) : []);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(void counts.open--),
    });
  };
  return counts;
}

/** Sends a request and reads only the beginning of the answer. */
async function askAndStall(service: RunningService, path = target): Promise<Socket> {
  const socket = service.connect();
  socket.on('error', () => undefined).write(get(path));
  await once(socket, 'readable');
  return socket;
}

/** Resolves when no page was read for a while. */
async function stalled(counts: { readonly pages: number }): Promise<void> {
  for (let last = -1; last !== counts.pages;) {
    last = counts.pages;
    await turns(1_000);
  }
}

describe('An answer that is too large to be kept', () => {
  it('has the same bytes as one that is kept', async () => {
    await using large = await start();
    await using small = await start({ maxCachedBytes: 8_388_608 });
    const [streamed, whole] = [await large.request(target), await small.request(target)];
    expect(streamed.text).to.equal(mappingText());
    expect(whole.text).to.equal(streamed.text);
    expect(whole.headers.get('content-length')).to.equal(String(Buffer.byteLength(whole.text)));
    expect(streamed.headers.has('content-length')).to.equal(false);
    for (const name of ['content-type', 'cache-control', 'x-content-type-options']) {
      expect(streamed.headers.get(name), name).to.equal(whole.headers.get(name));
    }
    expect(streamed.headers.get('etag')).to.match(/^"[\w-]{43}"$/);
  });

  it('is answered to HEAD with its headers', async () => {
    await using service = await start();
    const { headers } = await service.request(target);
    const head = await service.request(target, { method: 'HEAD' });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('etag')).to.equal(headers.get('etag'));
  });

  it('is answered with 304 without a read, many times', async () => {
    await using service = await start();
    const { headers } = await service.request(target);
    const { reads } = service.mapping;
    const known = { headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    for (let n = 0; n < 3; n++) expect((await service.request(target, known)).status).to.equal(304);
    expect(service.mapping.reads).to.equal(reads);
    await service.mapping.put(parseTallyId(idOf(0)), parseName(nameOf(7)));
    expect((await service.request(target, known)).status).to.equal(200);
  });

  it('is complete over HTTP/1.0, where the end of the connection ends it', async () => {
    await using service = await start();
    const answer = await service.exchange('GET /api/mapping HTTP/1.0\r\nHost: localhost\r\n\r\n');
    expect(answer.split('\r\n\r\n')[1]).to.equal(mappingText());
  });

  it('is followed by the next answer on its connection', async () => {
    await using service = await start();
    const requests = `${get(target)}${get('/api/time')}${get(target).replace('Host', 'Connection: close\r\nHost')}`;
    const answer = await service.exchange(requests);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).to.have.length(3);
    expect(answer.endsWith('}\r\n0\r\n\r\n')).to.equal(true);
  });

  it('is read no faster than its client reads, and released when the client leaves', async () => {
    await using service = await start();
    const counts = endless(service);
    const socket = await askAndStall(service);
    await stalled(counts);
    expect(counts.open).to.equal(1);
    socket.destroy();
    while (counts.open > 0) await turns(1);
    expect(service.reports).to.deep.equal([]);
  });

  it('does not make others wait', async () => {
    await using service = await start();
    const counts = endless(service);
    const socket = service.connect();
    socket
      .on('error', () => undefined)
      .resume()
      .write(get(target));
    for (let n = 0; n < 20; n++) {
      const { pages } = counts;
      expect((await service.request('/api/time')).status).to.equal(200);
      expect(counts.pages - pages).to.be.below(200);
    }
    expect(counts.open).to.equal(1);
    socket.destroy();
  });

  it('cuts the connection when the store fails in the middle, which is reported', async () => {
    await using service = await start();
    const counts = endless(service);
    const snapshot = service.mapping.snapshot.bind(service.mapping);
    service.mapping.snapshot = async () => {
      const good = await snapshot();
      return {
        ...good,
        page: (...of) =>
          counts.pages < 50
            ? good.page(...of)
            : Promise.reject(new TallybookError('STORE_READ_FAILED', 'the card is gone')),
      };
    };
    const socket = service.connect();
    socket.on('error', () => undefined).write(get(target));
    const answer = await text(socket).catch(String);
    expect(answer.endsWith('0\r\n\r\n')).to.equal(false);
    expect(service.reports.map(({ error }) => (error as TallybookError).code)).to.deep.equal([
      'STORE_READ_FAILED',
    ]);
    expect(counts.open).to.equal(0);
  });

  it('fails without a report when its client has left', async () => {
    await using service = await start();
    const counts = endless(service);
    const snapshot = service.mapping.snapshot.bind(service.mapping);
    let fail: ((error: Error) => void) | undefined;
    service.mapping.snapshot = async () => {
      const good = await snapshot();
      return {
        ...good,
        page: (...of) => (counts.pages < 50 ? good.page(...of) : new Promise((_, reject) => (fail = reject))),
      };
    };
    const socket = service.connect();
    socket.on('error', () => undefined).resume();
    socket.write(get(target));
    while (fail === undefined) await turns(1);
    socket.destroy();
    await once(socket, 'close');
    // Once a later request is answered, the server has seen the closed connection.
    await service.request('/api/time');
    fail(new TallybookError('NOT_OPEN', 'the store is closing'));
    while (counts.open > 0) await turns(1);
    expect(service.reports).to.deep.equal([]);
  });

  it('cuts off a client that does not read, and reports nothing', async () => {
    await using service = await start({ answers: { answerStallMs: 200 } });
    const counts = endless(service);
    const socket = await askAndStall(service);
    while (counts.open > 0) await turns(1);
    socket.destroy();
    expect(service.reports).to.deep.equal([]);
  });

  it('is refused with 503 and Retry-After while there is no room for it', async () => {
    await using service = await start({ answers: { maxAnswerBytes: 2_000_000 } });
    endless(service);
    const socket = await askAndStall(service);
    await service.mapping.put(parseTallyId(idOf(0)), parseName(nameOf(1)));
    const { status, headers, text } = await service.request(target);
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).to.deep.equal([
      503,
      '5',
      'no-store',
    ]);
    expect(text).to.match(/^too many large answers/);
    expect(service.reports).to.deep.equal([]);
    socket.destroy();
  });

  it('finds room again by cutting off clients that do not read', async () => {
    await using service = await start({ answers: { maxAnswerBytes: 2_000_000 } });
    const counts = endless(service);
    await askAndStall(service);
    await stalled(counts);
    await service.mapping.put(parseTallyId(idOf(0)), parseName(nameOf(1)));
    counts.most = counts.pages + 10;
    while ((await service.request(target)).status === 503) await turns(1);
    expect(counts.open).to.equal(0);
  });
});

describe('A day that is too large to be kept', () => {
  for (const form of ['', '&expand=entries']) {
    it(`has the same bytes as one that is kept: ${form === '' ? 'ids' : form}`, async () => {
      await using service = await start();
      const ids = Array.from({ length: 2_500 }, (_, n) => parseTallyId(idOf(n)));
      const entries = ids.map((id, n) => {
        const at = toTimestamp(1_763_500_000 + n);
        return { id, first: at, last: at, count: 1 };
      });
      await service.days.merge(toDay(20_413), entries);
      const { text, headers } = await service.request(`/api/day?day=20413${form}`);
      expect(text).to.equal(JSON.stringify({ date: 20_413, ids, ...(form === '' ? {} : { entries }) }));
      expect(headers.has('content-length')).to.equal(false);
    });
  }
});

describe('A client that does not read', () => {
  it('is cut off also if only small answers wait for it', async () => {
    await using service = await RunningService.start({ answers: { answerStallMs: 200 } });
    for (let n = 0; n < 500; n++) await service.mapping.put(parseTallyId(idOf(n)), parseName(nameOf(n)));
    const socket = service.connect();
    socket.on('error', () => undefined).pause();
    // Only a write shows the cut to a client that does not read.
    while (!socket.destroyed) {
      socket.write(get(target));
      await turns(1);
    }
    expect(service.reports).to.deep.equal([]);
  });
});
