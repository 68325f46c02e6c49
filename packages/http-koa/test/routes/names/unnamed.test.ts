import { expect } from 'chai';
import { NOW, useService } from '../../fixtures/running-service.js';

const [ada, bob] = ['04A2B3C4D5', '0011223344'] as const;

describe('GET /api/unnamed', () => {
  const service = useService();

  it('lists tags without a name that were seen, the latest first, with time and reader', async () => {
    expect((await service.request('/api/unnamed')).text).to.equal('[]');
    for (const id of [ada, bob, bob, ada, '010203']) {
      await service.tap(id);
      service.clock.advance(1_000);
    }
    await service.post({ id: '010203', name: { first: 'Ada', last: '' } });
    expect(await service.json('/api/unnamed')).to.deep.equal([
      { id: ada, at: NOW + 3, day: 20_413, scans: 2, reader: 'door' },
      { id: bob, at: NOW + 2, day: 20_413, scans: 2, reader: 'door' },
    ]);
  });

  it('searches the last 60 days, or the requested number', async () => {
    await service.tap(ada);
    for (const [daysLater, query, count] of [
      [0, '?days=1', 1],
      [59, '', 1],
      [59, '?days=59', 0],
      [60, '', 0],
      [60, '?days=61', 1],
      [3_659, '?days=3660', 1],
      [3_660, '?days=3660', 0],
    ] as const) {
      service.clock.set(NOW + daysLater * 86_400);
      const found = await service.json(`/api/unnamed${query}`);
      expect(found, `${daysLater} days later, ${query}`).to.have.length(count);
    }
  });
});
