import { expect } from 'chai';
import { claimedService, tokenOf } from '../../fixtures/claimed-service.js';
import { RunningService } from '../../fixtures/running-service.js';

const NOW = 1_763_700_000;
const ada = '04A2B3C4D5';

async function read(service: RunningService): Promise<unknown> {
  const { status, headers, text } = await service.request('/api/readers');
  expect(status).to.equal(200);
  expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.has('etag')).to.equal(false);
  return JSON.parse(text);
}

describe('GET /api/readers', () => {
  it('shows a reader that was never there as waiting', async () => {
    await using service = await RunningService.start();
    expect(await read(service)).to.deep.equal([
      {
        name: 'door',
        kind: null,
        connection: 'waiting',
        since: NOW,
        faultySince: null,
        lastReading: null,
        faults: {},
        lastFault: null,
      },
    ]);
  });

  it('shows the past and the fault of an unplugged reader, but not its tags', async () => {
    await using service = await RunningService.start();
    await service.door.open();
    service.clock.advance(5_000);
    service.door.present(ada);
    service.door.present('noise');
    service.clock.advance(5_000);
    service.door.unplug();
    const state = await read(service);
    expect(state).to.deep.equal([
      {
        name: 'door',
        kind: null,
        connection: 'waiting',
        since: NOW + 10,
        faultySince: NOW + 5,
        lastReading: NOW + 5,
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
    expect(JSON.parse((await service.request('/api/readers', { headers })).text)).to.deep.equal([
      {
        name: 'door',
        kind: null,
        connection: 'waiting',
        since: service.clock.now(),
        faultySince: null,
        lastReading: null,
        faults: {},
        lastFault: null,
      },
    ]);
    await service.door.close();
  });
});
