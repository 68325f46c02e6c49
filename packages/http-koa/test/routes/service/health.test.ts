import type { Finding, HealthCheck } from '@tallybook/domain/record';
import type { Principal } from '@tallybook/domain/access';
import { expect } from 'chai';
import { RunningService } from '../../fixtures/running-service.js';

const well: HealthCheck = { part: 'clock', check: () => ({ status: 'ok' }) };
const door: HealthCheck = {
  part: 'readers',
  check: () => ({
    status: 'warn',
    detail: 'one is missing',
    items: [{ name: 'door', status: 'warn', detail: 'not connected' }],
  }),
};

function storeThat(finds: Finding): HealthCheck {
  return { part: 'store', isVital: true, check: () => finds };
}

const viewer: Principal = { role: 'viewer', name: 'vera' };
const device: Principal = { role: 'device', name: 'token door' };

describe('GET /api/health', () => {
  it('gives the state of each part, with reasons, to a user who may see the service', async () => {
    await using service = await RunningService.start({ checks: [well, door], principal: viewer });
    expect(await service.json('/api/health')).to.deep.equal({
      status: 'warn',
      isReady: true,
      parts: [
        { part: 'clock', status: 'ok' },
        {
          part: 'readers',
          status: 'warn',
          detail: 'one is missing',
          items: [{ name: 'door', status: 'warn', detail: 'not connected' }],
        },
      ],
    });
  });

  it('gives no reason and no name to a user who may not see the service', async () => {
    await using service = await RunningService.start({ checks: [well, door], principal: device });
    expect(await service.json('/api/health')).to.deep.equal({
      status: 'warn',
      isReady: true,
      parts: [
        { part: 'clock', status: 'ok' },
        { part: 'readers', status: 'warn' },
      ],
    });
  });

  it('gives no reason, no name and no measurements without a sign-in', async () => {
    await using service = await RunningService.start({ checks: [door], access: { requiresClaim: true } });
    const { status, text } = await service.request('/api/health');
    expect(status).to.equal(200);
    expect(text).to.not.include('door').and.to.not.include('missing');
    expect((await service.request('/api/health/ready')).status).to.equal(200);
    expect((await service.request('/api/metrics')).status).to.equal(401);
  });

  it('is answered with 200 also when a part fails, and the body says so', async () => {
    await using service = await RunningService.start({ checks: [storeThat({ status: 'fail' })] });
    expect(await service.json('/api/health')).to.include({ status: 'fail', isReady: false });
  });
});

describe('GET /api/health/ready', () => {
  it('is 200 while parts only have warnings', async () => {
    await using service = await RunningService.start({ checks: [door, storeThat({ status: 'warn' })] });
    const { status, text } = await service.request('/api/health/ready');
    expect([status, text]).to.deep.equal([200, '{"isReady":true}']);
  });

  it('is 503 while the store fails, and again 200 when it does not', async () => {
    let finding: Finding = { status: 'fail' };
    const store: HealthCheck = { part: 'store', isVital: true, check: () => finding };
    await using service = await RunningService.start({ checks: [store] });
    const { status, text } = await service.request('/api/health/ready');
    expect([status, text]).to.deep.equal([503, 'the service cannot do its work; /api/health says why']);
    finding = { status: 'ok' };
    expect((await service.request('/api/health/ready')).status).to.equal(200);
    expect(service.reports).to.deep.equal([]);
  });

  it('is 200 when another part fails, because scans can still be sent', async () => {
    const readers: HealthCheck = { part: 'readers', check: () => ({ status: 'fail' }) };
    await using service = await RunningService.start({ checks: [readers] });
    expect((await service.request('/api/health/ready')).status).to.equal(200);
  });

  it('is 503 before the service is open, and after', async () => {
    await using service = await RunningService.start({ checks: [well] });
    await service.health.close();
    expect((await service.request('/api/health/ready')).status).to.equal(503);
  });
});

describe('GET /api/health/live', () => {
  it('is 200 even if parts fail', async () => {
    await using service = await RunningService.start({ checks: [storeThat({ status: 'fail' })] });
    await service.health.close();
    const { status, text } = await service.request('/api/health/live');
    expect([status, text]).to.deep.equal([200, '{"isLive":true}']);
  });
});

describe('GET /api/metrics', () => {
  it('answers with the text and the type of the source', async () => {
    await using service = await RunningService.start();
    const { status, headers, text } = await service.request('/api/metrics');
    expect([status, text]).to.deep.equal([200, 'up 1\n']);
    expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4');
  });
});
