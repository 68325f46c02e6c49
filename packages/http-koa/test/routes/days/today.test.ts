import type { Today } from '@tallybook/http-contract';
import { expect } from 'chai';
import { claimedService, cookieOf, signIn } from '../../fixtures/claimed-service.js';
import { NOW, TODAY, RunningService } from '../../fixtures/running-service.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';

const readToday = (service: RunningService, headers: Record<string, string> = {}): Promise<Today> =>
  service.json('/api/today', headers);

describe('GET /api/today', () => {
  it('has the time and nobody on a day without a record', async () => {
    await using service = await RunningService.start();
    const now: unknown = await service.json('/api/time', { accept: 'application/json' });
    expect(now).to.include({ time: NOW, day: TODAY });
    expect(await readToday(service)).to.deep.equal({ now, entries: [], people: [], waiting: [] });
  });

  it('has the same entries as the present day', async () => {
    await using service = await RunningService.start();
    for (const id of [bob, ada, bob]) {
      await service.tap(id);
      service.clock.advance(60_000);
    }
    const { entries } = await service.json<{ entries: unknown }>(`/api/day?day=${TODAY}&expand=entries`);
    expect(await readToday(service)).to.deep.include({ entries });
    service.clock.advance(86_400_000);
    expect(await readToday(service)).to.deep.include({ entries: [] });
  });

  it('shows corrections', async () => {
    await using service = await RunningService.start();
    await service.tap(ada);
    const voided = { action: 'void', day: TODAY, id: ada, at: NOW, reason: 'the tag of somebody else' };
    expect((await service.post({ corrections: [voided] }, {}, '/api/corrections')).status).to.equal(201);
    const { entries } = await readToday(service);
    expect(entries).to.have.length(1);
    expect(entries[0]).to.include({ id: ada, isVoided: true });
    expect(entries[0]).to.have.property('corrections').with.length(1);
  });

  it('shows a kiosk, which sees today only, valid scans without corrections; so does the day', async () => {
    await using service = await claimedService({}, 'kiosk', 'viewer');
    const admin = { cookie: cookieOf(await signIn(service)), 'sec-fetch-site': 'same-origin' };
    const kiosk = { cookie: cookieOf(await signIn(service, 'kiosk')) };
    const viewer = { cookie: cookieOf(await signIn(service, 'viewer')) };
    await service.tap(ada);
    await service.tap(bob);
    const corrections = [
      { action: 'void', day: TODAY, id: ada, at: NOW, reason: 'the tag of somebody else' },
      { action: 'add', day: TODAY, id: bob, at: NOW - 60, reason: 'forgot to tap' },
    ];
    expect((await service.post({ corrections }, admin, '/api/corrections')).status).to.equal(201);
    const counting = [{ id: bob, first: NOW - 60, last: NOW, count: 2 }];
    expect(await readToday(service, viewer))
      .to.have.property('entries')
      .with.length(2);
    expect(await readToday(service, kiosk)).to.deep.include({ entries: counting });

    const path = `/api/day?day=${TODAY}&expand=entries`;
    const full = await service.request(path, { headers: viewer });
    const short = await service.request(path, { headers: kiosk });
    expect(JSON.parse(full.text)).to.have.property('entries').with.length(2);
    expect(JSON.parse(short.text)).to.deep.equal({ date: TODAY, ids: [bob], entries: counting });
    const tag = short.headers.get('etag') ?? '';
    expect(tag).to.not.be.oneOf(['', full.headers.get('etag')]);
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await service.request(path, { headers: { ...headers, 'if-none-match': tag } })).status;
    expect(await ask(kiosk)).to.equal(304);
    expect(await ask(viewer)).to.equal(200);
  });

  it('has provisional scans, except for a kiosk, which sees today only', async () => {
    await using service = await claimedService({}, 'kiosk', 'viewer');
    service.clock.setSynchronised(false);
    service.clock.set(7);
    await service.tap(bob);
    const waitingFor = async (name: string): Promise<unknown> => {
      const cookie = cookieOf(await signIn(service, name));
      return (await readToday(service, { cookie })).waiting;
    };
    expect(await waitingFor('kiosk')).to.deep.equal([]);
    expect(await waitingFor('viewer')).to.deep.equal([
      { sequence: 1, id: bob, reader: 'door', shown: 7, notBefore: 0 },
    ]);
  });
});
