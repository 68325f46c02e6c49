import { expect } from 'chai';
import { claimedService, tokenOf } from '../../fixtures/claimed-service.js';
import { NOW, RunningService } from '../../fixtures/running-service.js';

const ada = '04A2B3C4D5';

/** A reader that was never there. */
const absent = {
  ...{ name: 'door', kind: null, connection: 'waiting', since: NOW, faultySince: null },
  ...{ lastReading: null, faults: {}, lastFault: null },
};

describe('GET /api/readers', () => {
  it('shows a reader that was never there as waiting', async () => {
    await using service = await RunningService.start();
    expect(await service.json('/api/readers')).to.deep.equal([absent]);
  });

  it('shows the past and the fault of an unplugged reader, but not its tags', async () => {
    await using service = await RunningService.start();
    await service.door.open();
    service.clock.advance(5_000);
    service.door.present(ada);
    service.door.present('noise');
    service.clock.advance(5_000);
    service.door.unplug();
    const state = await service.json('/api/readers');
    expect(state).to.deep.equal([
      {
        ...{ ...absent, since: NOW + 10, faultySince: NOW + 5, lastReading: NOW + 5 },
        faults: { INVALID_TALLY_ID: 1, READER_DISCONNECTED: 1 },
        lastFault: { code: 'READER_DISCONNECTED', message: 'door is not plugged in', at: NOW + 10 },
      },
    ]);
    expect(JSON.stringify(state)).to.not.contain(ada);
    await service.door.close();
  });

  it('shows a kiosk which reader is missing, but not its taps and faults', async () => {
    await using service = await claimedService();
    await service.door.open();
    service.door.present(ada);
    service.door.unplug();
    const headers = await tokenOf(service, 'kiosk');
    expect(await service.json('/api/readers', headers)).to.deep.equal([
      { ...absent, since: service.clock.now() },
    ]);
    await service.door.close();
  });
});
