import { TallybookError } from '@tallybook/domain';
import { serviceId } from '@tallybook/server';
import { expect } from 'chai';
import { MeasuredServer } from '../fixtures/measured-server.js';
import { containerOf } from '../fixtures/container-of.js';

const PROXY = { trustedProxy: ['10.0.0.7'], authHeader: 'Remote-User' };

interface Health {
  readonly status: string;
  readonly isReady: boolean;
  readonly parts: readonly { readonly part: string; readonly status: string; readonly detail?: string }[];
}

async function read(server: MeasuredServer): Promise<Health> {
  // A result is reused for a while.
  await server.get('health').close();
  await server.get('health').open();
  return JSON.parse((await server.request('/api/health')).text) as Health;
}

describe('GET /api/health of a server', () => {
  it('checks all parts of the configuration', async () => {
    await using server = await MeasuredServer.start();
    const { isReady, parts } = await read(server);
    expect(isReady).to.equal(true);
    expect(parts.map(({ part }) => part)).to.deep.equal([
      ...['store', 'backlog', 'readers', 'clock', 'stations', 'audit', 'access'],
    ]);
    expect(parts.filter(({ part }) => part !== 'clock').map(({ status }) => status)).to.deep.equal(
      Array(6).fill('ok'),
    );
  });

  it('is not ready while the store cannot write, and ready again when it can', async () => {
    await using server = await MeasuredServer.start();
    const days = server.get('storage').days;
    const record = days.record.bind(days);
    days.record = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'the disk is full'));
    await server.tap('04A2B3C4D5');
    expect(await read(server)).to.include({ status: 'fail', isReady: false });
    expect((await server.request('/api/health/ready')).status).to.equal(503);
    expect((await server.request('/api/health/live')).status).to.equal(200);
    days.record = record;
    await server.tap('0011223344');
    expect((await read(server)).isReady).to.equal(true);
  });

  it('fails when the store does not answer a read', async () => {
    await using server = await MeasuredServer.start();
    server.get('storage').days.list = () =>
      Promise.reject(new TallybookError('STORE_READ_FAILED', 'no disk'));
    const { parts } = await read(server);
    expect(parts[0]).to.deep.equal({ part: 'store', status: 'fail', detail: 'no disk' });
  });

  for (const [settings, state, expected] of [
    [{ host: '127.0.0.1' }, 'open', 'loopback'],
    [{ host: '127.0.0.1' }, 'claimed', 'claimed'],
    [{ host: '0.0.0.0' }, 'unclaimed', 'unclaimed'],
    [{ host: '0.0.0.0', insecure: 'true' }, 'open', 'insecure'],
    [{ host: '0.0.0.0', insecure: 'true' }, 'claimed', 'claimed'],
    [{ host: '0.0.0.0', insecure: 'true', ...PROXY }, 'open', 'claimed'],
  ] as const) {
    it(`shows the access by ${JSON.stringify(settings)} while the service is ${state}: ${expected}`, () => {
      const container = containerOf(settings, { tallybook: { access: { state } } as never });
      expect(container.get(serviceId('openness'))()).to.equal(expected);
    });
  }
});
