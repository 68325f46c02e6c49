import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import pino from 'pino';
import { Timekeeper } from '@tallybook/domain';
import { serviceId, type Settings, type TallybookServer } from '@tallybook/server';
import { ManualClock, MemoryDayStore, ScriptedIdSource } from '@tallybook/testing';
import { exportBackup, importBackup } from '../../src/command-line/backup-commands.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { rebindParts } from '../fixtures/stores/rebind-parts.js';
import { containerOf } from '../fixtures/container-of.js';

const ada = '04A2B3C4D5';
/** Time of the clock, and its day. */
const NOW = 1_763_700_000;
const TODAY = 20_413;
const forgotten = { action: 'add', day: TODAY, id: ada, at: NOW - 60, reason: 'Forgot to tap' };

/** A server whose clock stands still. */
async function start(
  settings: Settings,
  ownDays?: MemoryDayStore,
): Promise<TallybookServer & { readonly http: HttpClient }> {
  const clock = new ManualClock(NOW);
  const container = containerOf(settings, {
    log: pino({ level: 'silent' }),
    clock,
    timekeeper: new Timekeeper(clock, { builtAt: 0 }),
    idSources: [new ScriptedIdSource(clock, 'door')],
  });
  if (ownDays !== undefined) rebindParts(container, { days: ownDays });
  const server = container.get(serviceId('server'));
  await server.open();
  return Object.assign(server, { http: new HttpClient(server.url) });
}

describe('Corrections of a server', () => {
  const folder = temporaryFolder();

  it('are there after a restart, and are restored with a backup into another store', async () => {
    const store = `level:${folder.path('store')}`;
    {
      await using server = await start({ store });
      expect(await server.http.post('/api/corrections', forgotten)).to.equal(201);
    }
    {
      await using server = await start({ store });
      expect((await server.http.entries(TODAY)).map(({ id }) => id)).to.deep.equal([ada]);
    }
    const file = folder.path('backup.jsonl');
    await exportBackup(store, file);
    expect(await readFile(file, 'utf8')).to.match(/\n\{"kind":"correction","action":"add","day":20413,/);
    const copy = `level:${folder.path('copy')}`;
    for (let round = 0; round < 2; round++) {
      const counts = await importBackup(copy, file);
      expect(counts).to.deep.equal({ names: 0, entries: 0, corrections: 1, provisional: 0 });
    }
    await using server = await start({ store: copy });
    expect(await server.http.days()).to.deep.equal([TODAY]);
    expect(await server.http.json(`/api/corrections?from=${NOW}&to=${NOW}`)).to.have.length(1);
  });

  it('are pending if a second person must approve', async () => {
    await using server = await start({ store: 'memory:', approveCorrections: 'true' });
    expect(await server.http.post('/api/corrections', forgotten)).to.equal(201);
    expect(await server.http.days()).to.deep.equal([]);
    expect(await server.http.post('/api/corrections/decision', { number: 1, approve: true })).to.equal(403);
  });

  it('apply to a day store that a device app binds, and are exported and announced with it', async () => {
    await using server = await start({ store: 'memory:' }, new MemoryDayStore());
    expect(await server.http.post('/api/corrections', forgotten)).to.equal(201);
    expect(await server.http.days()).to.deep.equal([TODAY]);
    const table = await server.http.json<{ days: number[] }>(`/api/table?from=${NOW}&to=${NOW}`);
    expect(table.days).to.deep.equal([TODAY]);
  });
});
