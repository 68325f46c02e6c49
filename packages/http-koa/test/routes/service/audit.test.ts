import { expect } from 'chai';
import { TallybookError } from '@tallybook/domain';
import type { AuditEntry } from '@tallybook/domain/access';
import type { AuditPage } from '@tallybook/http-contract';
import { useService, type RunningService } from '../../fixtures/running-service.js';

const ID = '04A2B3C4D5';
const CSV = { 'Content-Type': 'text/csv' };
const NAME = { first: 'Ada', last: 'Lovelace' };

async function notesOf(service: RunningService): Promise<readonly Pick<AuditEntry, 'action' | 'details'>[]> {
  const entries = await service.audit.read(0, 1_000);
  expect(new Set(entries.map(({ actor }) => actor)).size).to.be.at.most(1);
  return entries.map(({ action, details }) => ({ action, details }));
}

describe('The audit trail', () => {
  const service = useService();

  it('has every change of names, without the tag and the name', async () => {
    await service.post({ id: ID, name: NAME });
    await service.request(`/api/mapping?id=${ID}`, { method: 'DELETE' });
    await service.post('id,first,last\n04A2B3C4D5,Ada,Byron\n010203,Bob,B', CSV, '/api/people');
    expect(await notesOf(service)).to.deep.equal([
      { action: 'name-set', details: {} },
      { action: 'name-removed', details: {} },
      { action: 'names-imported', details: { added: 2, changed: 0 } },
    ]);
    const trail = JSON.stringify(await service.audit.read(0, 10));
    expect(trail).not.to.match(/Ada|Lovelace|Byron|Bob/);
    expect(trail.toUpperCase()).not.to.include(ID);
  });

  it('has no entry for refused requests and those without a change', async () => {
    await service.post({ id: 'no', name: NAME });
    await service.post({ id: ID, name: {} });
    await service.post({ time: -1 }, {}, '/api/time');
    await service.request(`/api/mapping?id=${ID}`, { method: 'DELETE' });
    await service.request('/api/day?day=3', { method: 'DELETE' });
    await service.request('/api/csv?from=1&to=0&shape=no');
    await service.post('id,first,last\n04A2B3C4D5,Ada,Byron', CSV, '/api/people?dry-run=1');
    await service.request('/api/export', { method: 'HEAD' });
    expect(await notesOf(service)).to.deep.equal([]);
  });

  it('has every removed day, every set time, and every file that left the service', async () => {
    await service.tap(ID);
    const [day = 0] = await service.json<number[]>('/api/days?from=0&to=4000000000');
    const range = `from=${day * 86_400}&to=${day * 86_400}`;
    await service.request(`/api/csv?${range}`);
    await service.request(`/api/xlsx?${range}`);
    await service.request('/api/export');
    await service.request(`/api/day?day=${day}`, { method: 'DELETE' });
    const before = Number((await service.request('/api/time')).text);
    service.clock.setSynchronised(false);
    await service.post({ time: before + 5, confirm: true }, {}, '/api/time');
    expect(await notesOf(service)).to.deep.equal([
      { action: 'exported', details: { format: 'csv', from: day, to: day } },
      { action: 'exported', details: { format: 'xlsx', from: day, to: day } },
      { action: 'backed-up', details: {} },
      { action: 'day-removed', details: { day } },
      { action: 'time-set', details: { before, after: before + 5 } },
    ]);
  });

  it('does not undo a change when it cannot be written', async () => {
    service.storage.audit.appendNext = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'full'));
    expect((await service.post({ id: ID, name: NAME })).status).to.equal(201);
    expect((await service.request('/api/export')).status).to.equal(200);
    expect(service.audit.unwritten).to.equal(2);
    expect(service.reports).to.deep.equal([]);
  });
});

describe('GET /api/audit', () => {
  const service = useService();
  const read = (query = ''): Promise<AuditPage> => service.json(`/api/audit${query}`);

  beforeEach(async () => {
    for (let n = 1; n <= 120; n++) await service.audit.note('ada', 'name-set', { n });
  });

  it('sends the latest entries, the newest last, and reports that they are sound', async () => {
    const { entries, isWhole } = await read();
    expect(entries.map(({ number }) => number)).to.deep.equal(Array.from({ length: 100 }, (_, n) => n + 21));
    expect(entries).to.deep.equal(await service.audit.read(20, 100));
    expect(isWhole).to.equal(true);
  });

  it('sends the requested number of entries after a number', async () => {
    expect((await read('?after=0&limit=2')).entries.map(({ number }) => number)).to.deep.equal([1, 2]);
    expect((await read('?after=118')).entries.map(({ number }) => number)).to.deep.equal([119, 120]);
    expect((await read('?limit=1')).entries.map(({ number }) => number)).to.deep.equal([120]);
    expect((await read('?after=120&limit=1000')).entries).to.deep.equal([]);
  });

  it('reports a changed entry', async () => {
    const reading = service.storage.audit.read.bind(service.storage.audit);
    service.storage.audit.read = async (after, limit) =>
      (await reading(after, limit)).map((entry) =>
        entry.number === 50 ? { ...entry, actor: 'bob' } : entry,
      );
    expect((await read('?after=40')).isWhole).to.equal(false);
    expect((await read('?after=60')).isWhole).to.equal(true);
  });
});
