import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { TallybookError, toTimestamp } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import type { StationRecord, SyncSnapshotPart } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { claimedService, createToken, tokenOf } from '../fixtures/claimed-service.js';
import { RunningService } from '../fixtures/running-service.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

const batch = {
  run: 'a',
  after: 0,
  through: 3,
  items: [],
  status: { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' },
};

const hall: StationRecord = {
  name: 'hall',
  run: 'a',
  acknowledged: 3,
  heardAt: toTimestamp(1_763_700_000),
  status: { waiting: 2, provisional: 1, isClockTrusted: true, version: '1.0.0' },
  refused: [
    { run: 'a', cursor: 2, at: toTimestamp(1_763_700_000), code: 'DAY_NOT_KEPT', message: 'too old' },
  ],
};

interface Station extends AsyncDisposable {
  readonly service: RunningService;
  readonly token: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function withStation(label = 'hall'): Promise<Station> {
  const service = await claimedService();
  const { token, id } = await createToken(service, 'station', label);
  const headers = { authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return { service, token, id, headers, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Requests changes, and waits for the answer. */
function wait({ service, headers }: Station, seconds = 30): ClientRequest {
  const path = `/api/sync/changes?origin=centre&after=7&wait=${seconds}`;
  return request({ host: '127.0.0.1', port: service.port, path, headers, agent: false }).end();
}

async function untilWaiting({ service }: Station, count: number): Promise<void> {
  while (service.centre.waiting !== count) await new Promise(setImmediate);
}

describe('POST /api/sync', () => {
  const station = useEach(withStation);

  it('passes a batch to the centre under the label of the token, and answers with its result', async () => {
    const { service, headers } = station;
    const { status, text } = await service.post(batch, headers, '/api/sync');
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.include({ run: 'a', acknowledged: 3 });
    expect(service.centre.pushed).to.deep.equal([['hall', batch]]);
  });

  it('is 401 without a token, also on an open service', async () => {
    await using service = await RunningService.start({ access: {} });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const ask = (path: string, init?: object): Promise<{ status: number; text: string }> =>
      service.request(path, { headers, ...init });
    const push = { method: 'POST', headers, body: JSON.stringify(batch) };
    for (const [path, init] of [
      ['/api/sync', push],
      ['/api/sync', { ...push, headers: { ...headers, authorization: 'Bearer tb_nobody' } }],
      ['/api/sync/changes', {}],
      ['/api/sync/snapshot', {}],
    ] as const) {
      const { status, text } = await ask(path, init);
      expect(status, path).to.equal(401);
      expect(JSON.parse(text), path).to.include({ code: 'NOT_SIGNED_IN' });
      expect(text).to.include('tallybook token add NAME --role station');
    }
    expect(service.centre.pushed).to.deep.equal([]);
    const known = { ...push, headers: { ...headers, ...(await tokenOf(service, 'station', 'hall')) } };
    expect((await ask('/api/sync', known)).status).to.equal(200);
    expect(service.centre.pushed).to.deep.equal([['hall', batch]]);
  });

  it('is 409 with the expected cursor, if the batch does not follow', async () => {
    const { service, headers } = station;
    service.centre.failure = new TallybookError('SYNC_GAP', 'there is a gap', { details: { expected: 2 } });
    const { status, text } = await service.post(
      batch,
      { ...headers, accept: 'application/json' },
      '/api/sync',
    );
    expect(status).to.equal(409);
    expect(JSON.parse(text)).to.include({ code: 'SYNC_GAP', expected: 2 });
  });

  it('is 400 for an invalid batch, 413 for one that is too large, 415 for another type', async () => {
    const { service, headers } = station;
    const post = (body: string, type = 'application/json'): Promise<{ status: number }> =>
      service.post(body, { ...headers, 'Content-Type': type }, '/api/sync');
    expect((await post('{"items":[]}')).status).to.equal(400);
    expect((await post('')).status).to.equal(400);
    expect((await post(`"${'x'.repeat(262_143)}"`)).status).to.equal(413);
    expect((await post(JSON.stringify(batch), 'text/plain')).status).to.equal(415);
  });
});

describe('GET /api/sync/changes', () => {
  const station = useEach(withStation);

  it('requests the changes after a place, and waits for the given time', async () => {
    const { service, headers } = station;
    await service.request('/api/sync/changes', { headers });
    const { status, text } = await service.request('/api/sync/changes?origin=centre&after=7&wait=25', {
      headers,
    });
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.include({ origin: 'centre', cursor: 7 });
    expect(service.centre.asked).to.deep.equal([
      [undefined, 0],
      [{ origin: 'centre', cursor: 7 }, 25_000],
    ]);
  });

  it('is 410 when the centre no longer has the changes', async () => {
    const { service, headers } = station;
    const { status } = await service.request('/api/sync/changes?origin=other&after=7', { headers });
    expect(status).to.equal(410);
  });

  it('is 400 for half a place', async () => {
    const { service, headers } = station;
    for (const query of ['origin=centre', 'after=7']) {
      const { status } = await service.request(`/api/sync/changes?${query}`, { headers });
      expect(status, query).to.equal(400);
    }
    expect(service.centre.asked).to.deep.equal([]);
  });

  it('ends its wait when the station leaves', async () => {
    station.service.centre.isQuiet = true;
    const asking = wait(station);
    asking.on('error', () => undefined);
    await untilWaiting(station, 1);
    asking.destroy();
    await untilWaiting(station, 0);
  });

  it('ends at once when the token is revoked', async () => {
    station.service.centre.isQuiet = true;
    const asking = wait(station);
    await untilWaiting(station, 1);
    await station.service.access.credentials.revoke(owner, station.id);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(401);
    response.resume();
    await untilWaiting(station, 0);
  });

  it('allows 4 waiting requests of one token', async () => {
    const { service, headers } = station;
    service.centre.isQuiet = true;
    const asking = [1, 2, 3, 4].map(() => wait(station).on('error', () => undefined));
    await untilWaiting(station, 4);
    const refused = await service.request('/api/sync/changes?origin=centre&after=7&wait=1', { headers });
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).to.equal('5');
    for (const each of asking) each.destroy();
    await untilWaiting(station, 0);
    service.centre.isQuiet = false;
    expect((await service.request('/api/sync/changes', { headers })).status).to.equal(200);
  });
});

/** Too much for the buffers of a connection. */
function manyNames(): readonly SyncSnapshotPart[] {
  const name = { first: 'Ada', last: 'x'.repeat(90) };
  return Array.from({ length: 200_000 }, (_, index) => ({
    ...{ kind: 'name' as const, name, stamp: null },
    id: `04${index.toString(16).toUpperCase().padStart(8, '0')}` as never,
  }));
}

describe('GET /api/sync/snapshot', () => {
  const station = useEach(withStation);

  it('is lines of JSON, compressed for a client that can read that', async () => {
    const { service, headers } = station;
    const expected = service.centre.parts.map((part) => `${JSON.stringify(part)}\n`).join('');
    for (const coding of ['identity', 'gzip']) {
      const response = await service.begin('/api/sync/snapshot', {
        headers: { ...headers, 'accept-encoding': coding },
      });
      const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
      expect(response.headers['content-type']).to.equal('application/jsonl');
      expect(response.headers['content-encoding']).to.equal(coding === 'gzip' ? 'gzip' : undefined);
      expect((coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()).to.equal(expected);
      expect(service.centre.reading).to.equal(0);
    }
  });

  it('is released when the station leaves', async () => {
    const { service, headers } = station;
    service.centre.parts = manyNames();
    const response = await service.begin('/api/sync/snapshot', { headers });
    await once(response, 'readable');
    expect(service.centre.reading).to.equal(1);
    response.destroy();
    while (service.centre.reading > 0) await new Promise(setImmediate);
  });
});

describe('GET /api/sync/snapshot, many at a time', () => {
  it('is read by at most 4 stations at a time', async () => {
    await using station = await withStation();
    const { service, headers } = station;
    service.centre.parts = manyNames();
    const path = '/api/sync/snapshot';
    const taking = await Promise.all([1, 2, 3, 4].map(() => service.begin(path, { headers })));
    const refused = await service.request(path, { headers });
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('10');
    for (const each of taking) each.destroy();
    while (service.centre.reading > 0) await new Promise(setImmediate);
  });
});

describe('/api/stations', () => {
  it('lists the stations that send here, with their state', async () => {
    await using service = await RunningService.start();
    service.centre.known.push(hall);
    const { status, text } = await service.request('/api/stations');
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.deep.equal([
      {
        ...{ name: 'hall', version: '1.0.0', heardAt: 1_763_700_000, waiting: 2, oldestWaitingAt: null },
        ...{ provisional: 1, isClockTrusted: true, run: 'a', acknowledged: 3 },
        refused: [{ run: 'a', cursor: 2, at: 1_763_700_000, code: 'DAY_NOT_KEPT', message: 'too old' }],
      },
    ]);
  });

  it('forgets a removed one', async () => {
    await using service = await RunningService.start();
    service.centre.known.push(hall);
    const remove = async (query: string): Promise<number> =>
      (await service.request(`/api/stations${query}`, { method: 'DELETE' })).status;
    expect(await remove('?name=hall')).to.equal(204);
    expect(await remove('?name=hall')).to.equal(404);
    expect(await remove('')).to.equal(400);
    expect(await remove('?name=a&name=b')).to.equal(400);
  });
});
