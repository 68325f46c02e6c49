import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { owner } from '@tallybook/domain/access';
import { expect } from 'chai';
import { clientNetworkOf } from '../../src/requests/client-network.js';
import type { Answer } from '../fixtures/documented.js';
import { RunningService } from '../fixtures/running-service.js';
import { StreamClient } from '../fixtures/stream-client.js';

const club = '192.0.2.7';
const other = '198.51.100.9';

function ask(service: RunningService, path: string, client: string): Promise<Answer> {
  return service.request(path, { headers: { 'X-Client': client, Accept: 'application/json' } });
}

/** Repeats a request until it is refused. Returns that answer and the number of earlier ones. */
async function untilRefused(
  request: () => Promise<Answer>,
): Promise<{ readonly refusal: Answer; readonly allowed: number }> {
  for (let allowed = 0; ; allowed++) {
    const answer = await request();
    if (answer.status === 429) return { refusal: answer, allowed };
    if (allowed > 200) throw new Error('nothing was refused');
  }
}

describe('the number of requests of one client', () => {
  it('is limited: 429 has the time of the next try, and others are answered meanwhile', async () => {
    await using service = await RunningService.start({ maxReadsPerSecond: 1 });
    const { refusal, allowed } = await untilRefused(() => ask(service, '/api/mapping', club));
    expect(allowed).to.equal(10);
    expect(refusal.headers.get('retry-after')).to.equal('1');
    expect(JSON.parse(refusal.text)).to.deep.include({
      status: 429,
      detail: 'too many requests from this address; try again in 1 s',
    });
    expect((await ask(service, '/api/mapping', other)).status).to.equal(200);
    expect(service.limited).to.deep.equal([['maxReadsPerSecond', club]]);
    service.clock.advance(1_000);
    expect((await ask(service, '/api/mapping', club)).status).to.equal(200);
    expect((await ask(service, '/api/mapping', club)).status).to.equal(429);
    expect(service.reports).to.deep.equal([]);
  });

  it('is counted separately for reads, changes and exports', async () => {
    await using service = await RunningService.start({
      maxReadsPerSecond: 1,
      maxWritesPerSecond: 2,
      maxExportsPerMinute: 3,
    });
    const csv = '/api/csv?from=1763424000&to=1763800000';
    const post = (): Promise<Answer> =>
      service.post({ id: '04A2B3C4D5', name: { first: 'Ada', last: '' } }, { 'X-Client': club });
    expect((await untilRefused(() => ask(service, csv, club))).allowed).to.equal(3);
    const exports = await untilRefused(() => ask(service, '/api/export', club));
    expect(exports.allowed).to.equal(0);
    expect(Number(exports.refusal.headers.get('retry-after'))).to.equal(20);
    expect((await untilRefused(post)).allowed).to.equal(20);
    expect((await ask(service, '/api/mapping', club)).status).to.equal(200);
    expect((await untilRefused(() => ask(service, '/api/nothing', club))).allowed).to.equal(9);
  });

  it('is counted also for missing paths and for health', async () => {
    await using service = await RunningService.start({ maxReadsPerSecond: 1 });
    await untilRefused(() => ask(service, '/no-such-page', club));
    expect((await ask(service, '/api/health/live', club)).status).to.equal(429);
  });

  it('is not limited for programs of this machine, or with 0', async () => {
    await using service = await RunningService.start({ maxReadsPerSecond: 1 });
    for (let n = 0; n < 30; n++) {
      expect(
        (await ask(service, '/api/mapping', ['127.0.0.1', '::1', '::ffff:127.0.0.1'][n % 3] ?? '')).status,
      ).to.equal(200);
    }
    await using open = await RunningService.start({ maxReadsPerSecond: 0 });
    for (let n = 0; n < 30; n++) expect((await ask(open, '/api/mapping', club)).status).to.equal(200);
  });

  it('is that of the address that a trusted proxy names; the proxy itself is not counted', async () => {
    await using service = await RunningService.start({
      maxReadsPerSecond: 1,
      access: { trustedProxies: ['127.0.0.1'] },
    });
    const through = (client: string): Promise<Answer> =>
      service.request('/api/mapping', { headers: { 'X-Forwarded-For': client } });
    expect((await untilRefused(() => through(club))).allowed).to.equal(10);
    expect((await through(other)).status).to.equal(200);
    expect((await service.request('/api/mapping')).status).to.equal(200);
  });
});

describe('a client', () => {
  it('is an IPv4 address in any form, or an IPv6 network; this machine is no client', () => {
    const networks: readonly (readonly [string | undefined, string | undefined])[] = [
      ['192.0.2.7', '192.0.2.7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
      ['2001:db8:1:2::9', '2001:db8:1:2'],
      ['2001:db8::9', '2001:db8:0:0'],
      ['2001:0DB8:0000:0000:0000:0000:0000:0009', '2001:db8:0:0'],
      ['fe80::1%eth0', 'fe80::1%eth0'],
      ['127.0.0.1', undefined],
      ['127.8.9.10', undefined],
      ['::ffff:127.0.0.1', undefined],
      ['::1', undefined],
      [undefined, undefined],
    ];
    for (const [address, network] of networks) {
      expect(clientNetworkOf(address), String(address)).to.equal(network);
    }
  });
});

describe('the number of event streams', () => {
  it('of one client is limited: one more gets 429, others are not affected, and a free place is given again', async () => {
    await using service = await RunningService.start({ maxStreamsPerAddress: 2 });
    const headers = { 'X-Client': club };
    const clients = await Promise.all([
      StreamClient.connect(service, undefined, headers),
      StreamClient.connect(service, undefined, headers),
    ]);
    const { status, headers: fields, text } = await ask(service, '/api/idevent', club);
    expect([status, fields.get('retry-after')]).to.deep.equal([429, '10']);
    expect(text).to.include('this address has the maximum of 2 event streams; close one');
    const elsewhere = await StreamClient.connect(service, undefined, { 'X-Client': other });
    await service.tap('04A2B3C4D5');
    for (const client of [...clients, elsewhere]) await client.receive(2);
    expect(service.limited).to.deep.equal([['maxStreamsPerAddress', club]]);
    clients[0].response.destroy();
    await service.subscribers(2);
    await StreamClient.connect(service, undefined, headers);
    await service.subscribers(3);
  });

  it('of one session or token is limited, from all addresses together: one more ends the oldest, and no other', async () => {
    let session = 'c0ffee';
    await using service = await RunningService.start({
      maxStreamsPerSession: 2,
      maxStreamsPerAddress: 3,
      events: { maxSubscribers: 4 },
      access: {
        trustedProxies: ['127.0.0.1'],
        principalOf: () => ({ role: 'viewer', name: 'vera', credential: session }),
      },
    });
    const from = (client: string): Promise<StreamClient> =>
      StreamClient.connect(service, undefined, { 'X-Forwarded-For': client });
    session = 'facade';
    const [first, second] = [await from(club), await from(club)];
    session = 'c0ffee';
    const [oldest, older] = [await from(club), await from(other)];
    const newest = await from(other);
    await oldest.closed;
    // All streams are in use, and so are the places of this address.
    const latest = await from(club);
    await older.closed;
    await service.tap('04A2B3C4D5');
    for (const client of [first, second, newest, latest]) await client.receive(2);
    expect(oldest.events).to.deep.equal([]);
    expect(service.limited).to.deep.equal([]);
    for (const client of [first, newest]) client.response.destroy();
    await service.subscribers(2);
    await from(club);
    await latest.receive(2);
    await service.subscribers(3);
  });

  it('is not affected by a client that leaves while its token is looked up', async () => {
    const asked: IncomingMessage[] = [];
    await using service = await RunningService.start({
      maxStreamsPerAddress: 1,
      access: {
        trustedProxies: ['127.0.0.1'],
        // The token is known after the look-up.
        principalOf: (request) => (asked.push(request) === 1 ? undefined : owner),
      },
    });
    const headers = { 'X-Forwarded-For': club, Authorization: 'Bearer tb_later' };
    service.storage.access.revision = async () => {
      const [request] = asked;
      request?.destroy();
      if (request?.closed === false) await once(request, 'close');
      return '1';
    };
    await assert.rejects(StreamClient.connect(service, undefined, headers));
    expect(asked).to.have.length.above(1);
    const { response } = await StreamClient.connect(service, undefined, headers);
    expect(response.statusCode).to.equal(200);
  });

  it('of this machine is not limited by address', async () => {
    await using service = await RunningService.start({ maxStreamsPerAddress: 1 });
    await Promise.all([StreamClient.connect(service), StreamClient.connect(service)]);
    await service.subscribers(2);
  });
});
