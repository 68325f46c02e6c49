import { isTallybookError, openAll, parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { createStorage, makesStoreFolder, requireStore } from '../../src/config/stores.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { facetOf } from '@tallybook/testing';

describe('A store that must exist', () => {
  const folder = temporaryFolder();

  it('always is in memory', async () => {
    await requireStore('memory:');
  });

  it('is not in an empty folder', async () => {
    const error: unknown = await requireStore(`level:${folder.path('store')}`).catch(
      (reason: unknown) => reason,
    );
    expect(isTallybookError(error, 'STORE_UNAVAILABLE')).to.equal(true);
    expect(error).to.have.deep.property('details', { path: folder.path('store') });
  });
});

describe('A store that a server opens', () => {
  const folder = temporaryFolder();

  it('makes a missing folder, only for a store on a disk', async () => {
    const store = `level:${folder.path('store')}`;
    expect([await makesStoreFolder(store), await makesStoreFolder('memory:')]).to.deep.equal([true, false]);
    const days = facetOf(createStorage(store), 'days');
    await days.open();
    await days.close();
    expect(await makesStoreFolder(store)).to.equal(false);
  });

  for (const kind of ['level', 'memory'] as const) {
    it(`stamps each changed name with the given clock: ${kind}`, async () => {
      const url = kind === 'level' ? `level:${folder.path('store')}` : 'memory:';
      const id = parseTallyId('04A2B3C4D5');
      for (const ms of [1_763_500_000_000, 1_763_600_000_000]) {
        const storage = createStorage(url, { stamps: { now: () => ms } });
        const { mapping, stampedNames, journal } = storage;
        const opened = await openAll([storage]);
        await mapping.put(id, { first: 'Ada', last: '' });
        const [stamped] = await stampedNames.get([id]);
        expect(stamped?.stamp).to.include({ ms, node: await journal.origin() });
        await opened.close();
      }
    });
  }
});
