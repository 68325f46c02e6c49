import { parseName, parseTallyId, TallybookError, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService, type ServiceOptions, useService } from '../fixtures/running-service.js';
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

/** Reads the names of a service until the test ends it. */
function endless(service: RunningService): { pages: number; open: number } {
  const counts = { pages: 0, open: 0 };
  service.mapping.snapshot = () => {
    counts.open++;
    return Promise.resolve({
      page: async () => {
        counts.pages++;
        // Nothing is sent before all is read, so these few names are in memory at most.
        return Promise.resolve([[parseTallyId(idOf(counts.pages)), parseName(nameOf(1))] as const]);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(void counts.open--),
    });
  };
  return counts;
}

describe('An answer that is too large to be kept', () => {
  const service = useService(start);

  it('has the same bytes as one that is kept', async () => {
    await using large = await start();
    await using small = await start({ maxCachedBytes: 8_388_608 });
    const [streamed, whole] = [await large.request(target), await small.request(target)];
    expect(streamed.text).to.equal(mappingText());
    expect(whole.text).to.equal(streamed.text);
    expect(whole.headers.get('content-length')).to.equal(String(Buffer.byteLength(whole.text)));
    expect(streamed.headers.get('content-length')).to.equal(whole.headers.get('content-length'));
    for (const name of ['content-type', 'cache-control', 'x-content-type-options']) {
      expect(streamed.headers.get(name), name).to.equal(whole.headers.get(name));
    }
    expect(streamed.headers.get('etag')).to.match(/^"[\w-]{43}"$/);
  });

  it('is answered to HEAD with its headers', async () => {
    const { headers } = await service.request(target);
    const head = await service.request(target, { method: 'HEAD' });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('etag')).to.equal(headers.get('etag'));
  });

  it('is answered with 304 without a read, many times', async () => {
    const { headers } = await service.request(target);
    const { reads } = service.mapping;
    const known = { headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    for (let n = 0; n < 3; n++) expect((await service.request(target, known)).status).to.equal(304);
    expect(service.mapping.reads).to.equal(reads);
    await service.mapping.put(parseTallyId(idOf(0)), parseName(nameOf(7)));
    expect((await service.request(target, known)).status).to.equal(200);
  });

  it('is complete over HTTP/1.0, where the end of the connection ends it', async () => {
    const answer = await service.exchange('GET /api/mapping HTTP/1.0\r\nHost: localhost\r\n\r\n');
    expect(answer.split('\r\n\r\n')[1]).to.equal(mappingText());
  });

  it('is followed by the next answer on its connection', async () => {
    const requests = `${get(target)}${get('/api/time')}${get(target).replace('Host', 'Connection: close\r\nHost')}`;
    const answer = await service.exchange(requests);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).to.have.length(3);
    expect(answer.endsWith(mappingText())).to.equal(true);
  });

  it('does not make others wait, and is given up when its client leaves', async () => {
    const counts = endless(service);
    const socket = service.connect();
    socket.write(get(target));
    while (counts.pages === 0) await turns(1);
    for (let n = 0; n < 20; n++) {
      const { pages } = counts;
      expect((await service.request('/api/time')).status).to.equal(200);
      expect(counts.pages - pages).to.be.below(200);
    }
    expect(counts.open).to.equal(1);
    socket.destroy();
    while (counts.open > 0) await turns(1);
    expect(service.reports).to.deep.equal([]);
  });

  it('is an ordinary 500 when the store fails in the middle, which is reported once', async () => {
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
    expect((await service.request(target)).status).to.equal(500);
    expect(service.reports.map(({ error }) => (error as TallybookError).code)).to.deep.equal([
      'STORE_READ_FAILED',
    ]);
    expect(counts.open).to.equal(0);
  });

  it('is cut off if its client reads nothing, and reports nothing', async () => {
    await using service = await start({ answerStallMs: 200 });
    for (let n = NAMES; n < 12 * NAMES; n++) {
      await service.mapping.put(parseTallyId(idOf(n)), parseName(nameOf(n)));
    }
    const socket = service.connect().pause();
    socket.write(get(target));
    // Only a write shows the cut to a client that does not read.
    while (!socket.destroyed) {
      socket.write('\r\n');
      await turns(1);
    }
    expect(service.reports).to.deep.equal([]);
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
      expect(headers.get('content-length')).to.equal(String(Buffer.byteLength(text)));
    });
  }
});

describe('A client that does not read', () => {
  it('is cut off also if only small answers wait for it', async () => {
    await using service = await RunningService.start({ answerStallMs: 200 });
    for (let n = 0; n < 500; n++) await service.mapping.put(parseTallyId(idOf(n)), parseName(nameOf(n)));
    const socket = service.connect().pause();
    // Only a write shows the cut to a client that does not read.
    while (!socket.destroyed) {
      socket.write(get(target));
      await turns(1);
    }
    expect(service.reports).to.deep.equal([]);
  });
});
