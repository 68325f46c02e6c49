import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { createStorage } from '@tallybook/server';
import { composeStorage, MemoryDayStore } from '@tallybook/store-memory';
import { ScriptedIdSource, ManualClock } from '@tallybook/testing';
import { call } from '../fixtures/processes/called.js';
import { recordedLog } from '../fixtures/logged.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { openServer } from '../fixtures/container-of.js';

const id = parseTallyId('04A2B3C4D5');

describe('A server with a storage of own stores', () => {
  const folder = temporaryFolder();
  const url = (): string => `level:${folder.path('store')}`;

  async function open(storeOf: (rest: ReturnType<typeof createStorage>) => object) {
    const rest = createStorage(url());
    const { log, lines } = recordedLog();
    const idSources = [new ScriptedIdSource(new ManualClock(), 'door')];
    const storage = storeOf(rest) as typeof rest;
    const server = await openServer({ store: url(), reader: [] }, { log, idSources, storage });
    return { server, lines };
  }

  it('says once at its start, and at each path, what it does not offer and why', async () => {
    const { server, lines } = await open((rest) =>
      composeStorage({ mapping: rest.mapping, days: new MemoryDayStore(), rest }),
    );
    const said = lines.values.filter(({ msg }) => msg.startsWith('off, as the storage has no '));
    expect(said).to.have.lengthOf(1);
    expect(said[0]?.msg).to.match(
      /no corrections, erasures, provisional.*: corrections, .*erasures and .*; .*webhooks may miss/,
    );
    const answer = await fetch(`${server.url}/api/erasures`);
    expect([answer.status, await answer.text()]).to.deep.equal([
      404,
      'Not offered here: the storage has no erasures',
    ]);
    expect((await fetch(`${server.url}/api/corrections`)).status).to.equal(404);
    expect((await fetch(`${server.url}/api/days?from=0&to=9`)).status).to.equal(200);
    await server.close();
  });

  it('lets no command take the rest in the folder for the record, until the record is there again', async () => {
    const { server } = await open((rest) => {
      const { mapping, provisional, corrections } = rest;
      return composeStorage({ mapping, days: new MemoryDayStore(), provisional, corrections, rest });
    });
    await server.close();
    const file = folder.path('backup.jsonl');
    const refused = await call('export', file, '--store', url());
    expect(refused.exitCode).to.equal(1);
    expect(refused.errors).to.match(/the record is not in .*, but in stores of the program that uses it/);
    const again = await open((rest) => rest);
    await again.server.close();
    await withStores(url(), ({ days }) => days.record(toDay(20_411), id, toTimestamp(1_763_510_400)));
    expect((await call('export', file, '--store', url())).exitCode).to.equal(0);
  });
});
