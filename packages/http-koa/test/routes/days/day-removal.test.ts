import { expect } from 'chai';
import { useService } from '../../fixtures/running-service.js';

const ada = '04A2B3C4D5';
const DAY = 20_413;
const remove = { method: 'DELETE' };

describe('DELETE /api/day', () => {
  const service = useService();

  for (const query of [`day=${DAY}`, 'timestamp=1763700000', `timestamp=1763700000&day=1`]) {
    it(`removes the record of the day with ?${query}, and answers 204`, async () => {
      await service.tap(ada);
      const before = await service.request(`/api/day?day=${DAY}`);
      const { status, text } = await service.request(`/api/day?${query}`, remove);
      expect([status, text]).to.deep.equal([204, '']);
      expect((await service.request(`/api/day?day=${DAY}`)).status).to.equal(404);
      const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
      expect((await service.request(`/api/day?day=${DAY}`, { headers })).status).to.equal(404);
      expect((await service.request('/api/days?from=0&to=9999999999')).text).to.equal('[]');
      expect(service.removedDays).to.deep.equal([DAY]);
    });
  }

  it('leaves other days, and a day that is recorded again starts empty', async () => {
    await service.tap(ada);
    service.clock.advance(86_400_000);
    await service.tap(ada);
    await service.request(`/api/day?day=${DAY + 1}`, remove);
    await service.tap('0011223344');
    expect((await service.request('/api/days?from=0&to=9999999999')).text).to.equal(`[${DAY},${DAY + 1}]`);
    const { text } = await service.request(`/api/day?day=${DAY + 1}`);
    expect(text).to.equal(`{"date":${DAY + 1},"ids":["0011223344"]}`);
  });

  it('answers 404 for a day without a record, or without a day', async () => {
    await service.tap(ada);
    for (const query of ['?day=1', '?timestamp=0', '']) {
      const { status, text } = await service.request(`/api/day${query}`, remove);
      expect([status, text], query).to.deep.equal([404, 'Not found']);
    }
    expect((await service.request(`/api/day?day=${DAY}`)).status).to.equal(200);
    expect(service.removedDays).to.deep.equal([]);
  });

  it('does not wait for later work: a record that cannot be read then is no failure', async () => {
    await service.tap(ada);
    const troubles: unknown[] = [];
    service.attendance.events.subscribe((event) => event.kind === 'trouble' && troubles.push(event.error));
    service.days.failure = new Error('unreadable');
    expect((await service.request(`/api/day?day=${DAY}`, remove)).status).to.equal(204);
    expect(troubles).to.have.length(1);
  });
});
