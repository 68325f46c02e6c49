import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { MeasuredServer } from './fixtures/measured-server.js';

interface Health {
  readonly status: string;
  readonly isReady: boolean;
  readonly parts: readonly { readonly part: string; readonly status: string; readonly detail?: string }[];
}

async function read(server: MeasuredServer): Promise<Health> {
  // A result is handed out again for a while.
  await server.get('health').close();
  await server.get('health').open();
  return JSON.parse((await server.request('/api/health')).text) as Health;
}

describe('GET /api/health of a server', () => {
  it('looks at everything that the configuration has', async () => {
    await using server = await MeasuredServer.start();
    const { isReady, parts } = await read(server);
    expect(isReady).to.equal(true);
    expect(parts.map(({ part }) => part)).to.deep.equal(['store', 'backlog', 'readers', 'clock', 'access']);
    expect(parts.filter(({ part }) => part !== 'clock').map(({ status }) => status)).to.deep.equal(
      Array(4).fill('ok'),
    );
  });

  it('is not ready while the store cannot write, and is again when it can', async () => {
    await using server = await MeasuredServer.start();
    const days = server.get('dayStore');
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
    server.get('dayStore').list = () => Promise.reject(new TallybookError('STORE_READ_FAILED', 'no disk'));
    const { parts } = await read(server);
    expect(parts[0]).to.deep.equal({ part: 'store', status: 'fail', detail: 'no disk' });
  });

  it('fails when the only reader is gone, and names it', async () => {
    await using server = await MeasuredServer.start();
    server.door.unplug();
    const { status, isReady, parts } = await read(server);
    expect([status, isReady]).to.deep.equal(['fail', true]);
    expect(parts.find(({ part }) => part === 'readers')).to.deep.include({ status: 'fail' });
  });
});
