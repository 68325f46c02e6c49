import { createReading, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { claimedService, sessionOf, tokenOf } from '../fixtures/claimed-service.js';
import { type RunningService, useService } from '../fixtures/running-service.js';
import { ways } from '../fixtures/ways-to-lose.js';
import { StreamClient } from '../fixtures/stream-client.js';

/** The event stream of a user. */
async function streamOf(service: RunningService, name = 'ada', lastEventId?: string): Promise<StreamClient> {
  return StreamClient.connect(service, lastEventId, await sessionOf(service, name));
}

describe('an event stream', () => {
  const service = useService(claimedService);

  it('needs a sign-in, and is refused to a device', async () => {
    expect((await service.request('/api/idevent')).status).to.equal(401);
    const headers = await tokenOf(service, 'device');
    expect((await service.request('/api/idevent', { headers })).status).to.equal(403);
    expect(service.events.subscriberCount).to.equal(0);
  });

  for (const [way, arrange] of Object.entries(ways)) {
    it(`ends after ${way}`, async () => {
      await using holding = await arrange();
      const client = await StreamClient.connect(holding.service, undefined, holding.headers.admin);
      await holding.lose();
      // Another server may have changed something.
      await holding.service.access.refresh();
      await client.closed;
      await holding.service.subscribers(0);
    });
  }

  it('ends within a minute of the end of its session', async () => {
    const client = await streamOf(service);
    service.clock.advance(43_200_000);
    await client.closed;
    await service.subscribers(0);
  });

  it('continues while others sign in and out', async () => {
    await using service = await claimedService({}, 'viewer');
    const client = await streamOf(service, 'viewer');
    await service.access.credentials.signOut({ role: 'admin', name: 'ada', credential: 'none' });
    const { principal } = await service.access.passwords.signIn('ada', 'correct horse battery', {
      ...{ address: '', transport: 'http', label: '' },
    });
    await service.access.credentials.signOut(principal);
    await service.tap('04A2B3C4D5');
    await client.receive(2);
    expect(service.events.subscriberCount).to.equal(1);
  });

  it('gives a kiosk new events, but no events of other days', async () => {
    await using service = await claimedService({}, 'kiosk', 'viewer');
    await service.tap('04A2B3C4D5');
    const beginning = `${await service.journal.origin()}-0`;
    const wall = await streamOf(service, 'kiosk', beginning);
    const viewer = await streamOf(service, 'viewer', beginning);
    await viewer.receive(2);
    await wall.receive(1);
    expect(viewer.events.map(({ event }) => event)).to.deep.equal(['msg', 'attendance']);
    expect(wall.events.map(({ event }) => event)).to.deep.equal(['reset']);
    await service.tap('0011223344');
    const events = await wall.receive(3);
    expect(events.map(({ event }) => event)).to.deep.equal(['reset', 'msg', 'attendance']);
  });

  it('gives a kiosk no live taps, removals and corrections of other days, as they come from stations', async () => {
    await using service = await claimedService({}, 'kiosk', 'viewer');
    const wall = await streamOf(service, 'kiosk');
    const viewer = await streamOf(service, 'viewer');
    await service.subscribers(2);
    const now = service.clock.now();
    const [id, other] = [parseTallyId('04A2B3C4D5'), parseTallyId('0011223344')];
    await service.mapping.put(id, { first: 'Ada', last: 'Lovelace' });
    await viewer.receive(1);
    // Other servers on the same stores write them, or a station sends them.
    const before = toDay(20_393);
    await service.days.record(before, id, toTimestamp(now - 20 * 86_400), { reader: 'hall' });
    await service.corrections.correct(
      [{ action: 'add', day: before, id, at: toTimestamp(now - 20 * 86_400 + 9), reason: 'forgotten' }],
      'ada',
    );
    await service.days.remove(before);
    await service.days.record(toDay(20_413), other, toTimestamp(now), { reader: 'hall' });
    const all = await viewer.receive(7);
    expect(all.map(({ event }) => event)).to.deep.equal([
      ...['names', 'msg', 'attendance', 'day', 'day', 'msg', 'attendance'],
    ]);
    const seen = await wall.receive(3);
    expect(seen.map(({ event }) => event)).to.deep.equal(['names', 'msg', 'attendance']);
    expect(seen[1]?.['data']).to.equal('0011223344');
  });

  it('gives a kiosk no tap of another day that a reader delivers late', async () => {
    await using service = await claimedService({}, 'kiosk');
    const wall = await streamOf(service, 'kiosk');
    const late = createReading(service.clock, 'door', parseTallyId('04A2B3C4D5'));
    await service.attendance.take({
      ...late,
      at: toTimestamp(service.clock.now() - 86_400),
      hasOwnTime: true,
    });
    await service.tap('0011223344');
    expect((await wall.receive(2)).map(({ data = '' }) => data.slice(0, 20))).to.deep.equal([
      '0011223344',
      '{"id":"0011223344","',
    ]);
  });

  it('continues for a kiosk that has missed nothing', async () => {
    await using service = await claimedService({}, 'kiosk');
    const first = await streamOf(service, 'kiosk');
    await service.tap('04A2B3C4D5');
    const { id = '' } = (await first.receive(2)).at(-1) ?? {};
    const again = await streamOf(service, 'kiosk', id);
    await service.tap('0011223344');
    expect((await again.receive(2)).map(({ event }) => event)).to.deep.equal(['msg', 'attendance']);
  });
});

describe('the present day', () => {
  it('is the only day that a kiosk sees, by each of its seconds', async () => {
    await using service = await claimedService({}, 'kiosk');
    await service.tap('04A2B3C4D5');
    const headers = await sessionOf(service, 'kiosk');
    const now = service.clock.now();
    const statusOf = async (query: string) => (await service.request(`/api/day${query}`, { headers })).status;
    for (const query of [
      `?timestamp=${now}`,
      `?timestamp=${now - 3_600}`,
      '?day=20413',
      '?day=20413&expand=entries',
    ]) {
      expect(await statusOf(query), query).to.equal(200);
    }
    for (const query of ['?day=20412', `?timestamp=${now - 86_400}`, `?day=20413&timestamp=0`]) {
      expect(await statusOf(query), query).to.equal(403);
    }
    // As for everybody: such a request asks for no day.
    expect(await statusOf('')).to.equal(404);
    for (const query of ['?day=x', '?day=20413&day=20412'])
      expect(await statusOf(query), query).to.equal(400);
  });
});
