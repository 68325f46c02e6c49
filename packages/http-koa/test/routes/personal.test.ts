import { toDay, toTimestamp } from '@tallybook/domain';
import { parseKeep } from '@tallybook/domain/personal';
import { expect } from 'chai';
import { RunningService, useService } from '../fixtures/running-service.js';
import { StreamClient } from '../fixtures/stream-client.js';

const ID = '04A2B3C4D5';
const OTHER = '0011223344';
const RANGE = 'from=1763424000&to=1763800000';

async function start(keep?: string): Promise<RunningService> {
  const service = await RunningService.start(keep === undefined ? {} : { keep: parseKeep(keep) });
  await service.post({ id: ID, name: { first: 'Ada', last: 'Lovelace' } });
  await service.tap(ID);
  await service.tap(OTHER);
  return service;
}

describe('POST /api/erasures', () => {
  const service = useService(start);

  it('reports the data to erase, erases it, and then reports that nothing is left', async () => {
    const forgotten = { action: 'add', day: 20_413, id: ID, at: 1_763_699_900, reason: 'forgot' };
    await service.post(forgotten, {}, '/api/corrections');
    const erase = (body: object) => service.post(body, {}, '/api/erasures');
    const { text } = await erase({ ids: ['04:a2:b3:c4:d5'], dryRun: true });
    const counts = { hasName: true, days: 1, scans: 1, provisional: 0, corrections: 1, changes: 3 };
    expect(JSON.parse(text)).to.deep.include({
      isDryRun: true,
      tags: [{ id: ID, ...counts }],
      isScrubbed: false,
    });
    const { status, text: erased } = await erase({ ids: [ID] });
    expect(status).to.equal(200);
    expect(JSON.parse(erased)).to.deep.include({ isDryRun: false, isScrubbed: true, backupsWithIt: [] });
    expect((await service.request(`/api/mapping?id=${ID}`)).status).to.equal(404);
    expect((await service.request('/api/day?day=20413')).text).to.equal(`{"date":20413,"ids":["${OTHER}"]}`);
    const after = JSON.parse((await erase({ ids: [ID], dryRun: true })).text) as { tags: object[] };
    expect(after.tags).to.deep.equal([
      { id: ID, hasName: false, days: 0, scans: 0, provisional: 0, corrections: 0, changes: 0 },
    ]);
    const list = await service.json<object[]>('/api/erasures');
    expect(list).to.have.lengthOf(1);
    expect(JSON.stringify(list)).to.not.include(ID);
  });

  it('makes clients of event streams read everything again', async () => {
    const client = await StreamClient.connect(service);
    await service.post({ ids: [ID] }, {}, '/api/erasures');
    const events = await client.receive(1);
    expect(events.at(-1)).to.deep.include({ event: 'reset', data: '{"reason":"erased"}' });
    client.abort();
  });

  it('erases nobody while the time is unknown', async () => {
    service.clock.setSynchronised(false);
    expect((await service.post({ ids: [ID] }, {}, '/api/erasures')).status).to.equal(409);
    expect((await service.request(`/api/mapping?id=${ID}`)).status).to.equal(200);
  });
});

describe('/api/retention', () => {
  it('reports that all days are kept, if that is set', async () => {
    await using service = await start();
    expect(await service.json('/api/retention')).to.deep.equal({
      ...{ isDryRun: true, keep: null, firstKept: null, days: [], backups: [], doubt: null },
      ...{ keepGuests: '30days', guests: [] },
    });
  });

  it('shows guests whose limit is over, and erases them', async () => {
    await using service = await start();
    const { text } = await service.post({ name: { first: 'Grace', last: '' } }, {}, '/api/guest');
    const { id: person } = JSON.parse(text) as { readonly id: string };
    service.clock.set(service.clock.now() + 31 * 86_400);
    const guests = [{ person, since: 20_413 }];
    expect(await service.json('/api/retention')).to.deep.include({ guests });
    const { status } = await service.post({}, {}, '/api/retention');
    expect(status).to.equal(200);
    expect((await service.request(`/api/person?id=${person}`)).status).to.equal(404);
  });

  it('reports the expired data for a requested time', async () => {
    await using service = await start('30days');
    await service.days.record(toDay(20_360), ID as never, toTimestamp(20_360 * 86_400));
    const plan = await service.json<object>('/api/retention?keep=2years');
    expect(plan).to.deep.include({ isDryRun: true, keep: '2years', days: [] });
    expect(await service.json('/api/retention')).to.deep.include({ keep: '30days' });
  });

  it('removes data that was kept long enough, and doubtful data only with a confirmation', async () => {
    await using service = await start('30days');
    for (const day of [20_300, 20_360])
      await service.days.record(toDay(day), ID as never, toTimestamp(day * 86_400));
    const ask = (body: object) => service.post(body, {}, '/api/retention');
    const plan = JSON.parse((await ask({ dryRun: true })).text) as object;
    expect(plan).to.deep.equal({
      ...{ isDryRun: true, keep: '30days', firstKept: 20_383, backups: [] },
      days: [
        { day: 20_300, entries: 1 },
        { day: 20_360, entries: 1 },
      ],
      ...{ doubt: null, keepGuests: '30days', guests: [] },
    });
    service.clock.set(1_763_700_000 + 200 * 86_400);
    expect(await service.json('/api/retention')).to.deep.include({
      doubt: 'leap-in-time',
    });
    const { status } = await ask({});
    expect(status).to.equal(409);
    expect((await ask({ confirm: true })).status).to.equal(200);
    expect(await service.days.list(toDay(0), toDay(30_000))).to.deep.equal([]);
  });
});

describe('GET /api/person/data', () => {
  it('is a file with all kept data of a tag', async () => {
    await using service = await start();
    const { status, headers, text } = await service.request(`/api/person/data?id=${ID}`);
    expect(status).to.equal(200);
    expect(headers.get('content-disposition')).to.equal('attachment; filename="tallybook-person.json"');
    const data = JSON.parse(text) as { name: object; days: object[]; corrections: object[] };
    expect(data.corrections).to.deep.equal([]);
    expect(data.name).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
    expect(data.days).to.have.lengthOf(1);
    expect(text).to.not.include(OTHER);
  });
});

describe('With pseudonyms', () => {
  for (const path of [
    `/api/table?${RANGE}`,
    `/api/csv?${RANGE}`,
    `/api/csv?${RANGE}&shape=entries&profile=data`,
  ]) {
    it(`${path} names nobody, and has new codes each time`, async () => {
      await using service = await start();
      const one = (await service.request(`${path}&pseudonyms=1`)).text;
      const other = (await service.request(`${path}&pseudonyms=1`)).text;
      for (const text of [one, other]) expect(text).to.not.match(/Ada|Lovelace|04A2B3C4D5|0011223344/);
      const codes = /P[2-9A-Z](?:-?[2-9A-Z]{2}){4}/g;
      expect(new Set(one.match(codes)).size).to.equal(2);
      expect(one.match(codes)).to.not.have.members(other.match(codes) ?? []);
      expect((await service.request(path)).text).to.match(/Lovelace|04A2B3C4D5/);
    });
  }

  it('gives the table without them when they are no longer requested', async () => {
    await using service = await start();
    await service.request(`/api/table?${RANGE}&pseudonyms=1`);
    expect((await service.request(`/api/table?${RANGE}&pseudonyms=0`)).text).to.include('Lovelace');
  });
});
