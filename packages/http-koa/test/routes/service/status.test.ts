import { toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService, useService } from '../../fixtures/running-service.js';

const at = toTimestamp(1_763_700_100);
const well = { setAside: 0, isStopped: false } as const;

describe('GET /api/status', () => {
  const service = useService();

  it('shows the program, its start, and the free room', async () => {
    expect(await service.json('/api/status')).to.deep.equal({
      version: '1.2.3',
      name: null,
      startedAt: 1_763_700_000,
      storage: { freeBytes: 5_000_000_000, usedBytes: 325_000 },
      publishers: [],
      upstream: null,
    });
  });

  it('shows the state of sending to a centre, and its last fault', async () => {
    const refused = [{ cursor: 4, code: 'DAY_NOT_KEPT', message: 'too old' }];
    const lastFault = { code: 'UPSTREAM_UNAVAILABLE', message: 'it does not listen there', at };
    const told = { centre: 'centre.example.org', connection: 'waiting' as const, waiting: 3 };
    const upstream = { ...told, refused, refusedCount: 7, lastFault };
    service.status = {
      ...service.status,
      upstream: { ...upstream, oldestWaitingAt: at, lastContactAt: undefined },
    };
    expect(await service.json('/api/status')).to.deep.include({
      upstream: { ...upstream, oldestWaitingAt: 1_763_700_100, lastContactAt: null },
    });
  });

  it('shows the waiting changes of a publisher, and its fault', async () => {
    const fault = { code: 'OUTPUT_FAILED', message: 'the broker is away', at };
    service.status = {
      ...service.status,
      publishers: [
        { name: 'home', connection: 'waiting', waiting: 7, setAside: 3, isStopped: true, lastFault: fault },
        { name: 'club', connection: 'connected', waiting: 0, ...well, lastFault: undefined },
      ],
    };
    expect((await service.json<{ publishers: unknown }>('/api/status')).publishers).to.deep.equal([
      { name: 'home', connection: 'waiting', waiting: 7, setAside: 3, isStopped: true, lastFault: fault },
      { name: 'club', connection: 'connected', waiting: 0, ...well, lastFault: null },
    ]);
  });

  it('distinguishes a store in memory from a disk of unknown size', async () => {
    const read = async (): Promise<unknown> => {
      return (await service.json<{ storage: unknown }>('/api/status')).storage;
    };
    service.status = { ...service.status, storage: undefined };
    expect(await read()).to.equal(null);
    service.status = { ...service.status, storage: { freeBytes: undefined, usedBytes: undefined } };
    expect(await read()).to.deep.equal({ freeBytes: null, usedBytes: null });
  });
});

describe('POST /api/publishers/send-again', () => {
  const path = '/api/publishers/send-again';

  it('has a publisher send again, and is in the audit trail', async () => {
    await using service = await RunningService.start();
    service.status = {
      ...service.status,
      publishers: [{ name: 'home', connection: 'connected', waiting: 0, ...well, lastFault: undefined }],
    };
    const { status, text } = await service.post({ name: 'home' }, {}, path);
    expect([status, text]).to.deep.equal([202, '']);
    expect(service.sentAgain).to.deep.equal(['home']);
    const [entry] = await service.audit.read(0, 10);
    expect(entry).to.deep.include({ action: 'sent-again', details: { publisher: 'home' } });
  });

  it('refuses an unknown publisher, and a body without a name', async () => {
    await using service = await RunningService.start();
    expect((await service.post({ name: 'home' }, {}, path)).status).to.equal(404);
    for (const body of [{}, { name: 7 }]) {
      const { status, text } = await service.post(body, {}, path);
      expect(status).to.equal(400);
      expect(text).to.match(/^name: must be that of a publisher; got /);
    }
    expect(service.sentAgain).to.deep.equal([]);
  });
});
