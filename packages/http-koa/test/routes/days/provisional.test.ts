import { TallybookError } from '@tallybook/domain';
import type { Provisional } from '@tallybook/http-contract';
import { expect } from 'chai';
import { NOW, RunningService, useService } from '../../fixtures/running-service.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';

describe('GET /api/provisional', () => {
  const service = useService();

  it('has empty lists when the clock was always right', async () => {
    await service.tap(ada);
    expect(await service.json('/api/provisional')).to.deep.equal({ waiting: [], estimated: [] });
  });

  it('lists provisional scans in the order of the taps, and is empty when the clock is right', async () => {
    await service.tap(ada);
    service.clock.setSynchronised(false);
    service.clock.set(7);
    for (const id of [bob, ada, bob]) {
      await service.tap(id);
      service.clock.advance(1_000);
    }
    const scan = { reader: 'door', notBefore: NOW };
    expect(await service.json('/api/provisional')).to.deep.equal({
      waiting: [
        { sequence: 1, id: bob, ...scan, shown: 7 },
        { sequence: 2, id: ada, ...scan, shown: 8 },
        { sequence: 3, id: bob, ...scan, shown: 9 },
      ],
      estimated: [],
    });
    service.clock.set(NOW + 100);
    service.clock.setSynchronised(true);
    service.clock.advance(1_000);
    await service.attendance.close();
    expect(await service.json('/api/provisional')).to.deep.equal({ waiting: [], estimated: [] });
  });

  it('keeps listing scans with an estimated time, with their bounds', async () => {
    await service.tap(ada);
    service.clock.setSynchronised(false);
    service.clock.set(7);
    await service.tap(bob);
    await service.attendance.close();
    service.clock.reboot('second', NOW + 500);
    service.clock.advance(100_000);
    service.clock.setSynchronised(true);
    await service.attendance.open();
    await service.attendance.close();
    expect(await service.json('/api/provisional')).to.deep.equal({
      waiting: [],
      estimated: [
        {
          sequence: 1,
          id: bob,
          reader: 'door',
          day: 20_413,
          at: NOW + 500,
          earliest: NOW,
          latest: NOW + 500,
        },
      ],
    });
  });

  it('lists scans with a day that are not recorded as waiting, and leaves out certain ones', async () => {
    service.clock.setSynchronised(false);
    for (const id of [ada, bob]) await service.tap(id);
    const [first, second] = await service.storage.provisional.list();
    const { day, at } = { day: 20_413 as never, at: NOW as never };
    await service.storage.provisional.settle(first?.sequence ?? 0, { day, at, isRecorded: false });
    await service.storage.provisional.settle(second?.sequence ?? 0, { day, at, isRecorded: true });
    const { waiting, estimated } = await service.json<Provisional>('/api/provisional');
    expect(waiting.map(({ id }) => id)).to.deep.equal([ada]);
    expect(estimated).to.deep.equal([]);
  });

  it('is 500 when the store cannot be read', async () => {
    service.storage.provisional.list = () =>
      Promise.reject(new TallybookError('STORE_READ_FAILED', 'worn out'));
    expect((await service.request('/api/provisional')).status).to.equal(500);
    expect(service.reports).to.have.length(1);
  });
});

describe('GET /api/backlog', () => {
  it('counts scans that wait for a store that cannot write, and lost scans', async () => {
    await using service = await RunningService.start({ backlogLimit: 2 });
    expect(await service.json('/api/backlog')).to.deep.equal({ waiting: 0, limit: 2, refused: 0 });
    service.days.failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
    for (const id of [ada, bob, '010203', '010204', '010205']) await service.tap(id);
    expect(await service.json('/api/backlog')).to.deep.equal({ waiting: 2, limit: 2, refused: 3 });
    service.days.failure = undefined;
    await service.tap('010206');
    expect(await service.json('/api/backlog')).to.deep.equal({ waiting: 0, limit: 2, refused: 3 });
    expect(await service.json('/api/day?day=20413')).to.deep.include({ ids: [ada, bob, '010206'] });
  });
});
