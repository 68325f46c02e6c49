import { once } from 'node:events';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService } from '../../fixtures/running-service.js';

describe('a client that leaves before its export begins', () => {
  it('is no failure of the service, also if the store closes meanwhile, and its place is free', async () => {
    await using service = await RunningService.start({ maxExports: 1 });
    const { mapping } = service;
    let fail: ((error: Error) => void) | undefined;
    const snapshot = mapping.snapshot.bind(mapping);
    mapping.snapshot = () => new Promise((_, reject) => (fail = reject));
    const socket = service.connect();
    socket.write('GET /api/export HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (fail === undefined) await new Promise(setImmediate);
    socket.destroy();
    await once(socket, 'close');
    // Once a later request is answered, the server has seen the closed connection.
    await service.request('/api/time');
    mapping.snapshot = snapshot;
    fail(new TallybookError('NOT_OPEN', 'the store is closing'));
    while ((await service.request('/api/export')).status === 503) await new Promise(setImmediate);
    expect(service.reports).to.deep.equal([]);
  });
});
