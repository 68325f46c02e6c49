import { parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { createStorage, makesStoreFolder, requireStore } from '../../src/config/stores.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('A store that must exist', () => {
  const folder = temporaryFolder();

  it('always is in memory', async () => {
    await requireStore('memory:');
  });

  it('is not in an empty folder', async () => {
    const error = await rejectionOf('STORE_UNAVAILABLE', requireStore(`level:${folder.path('store')}`));
    expect(error).to.have.deep.property('details', { path: folder.path('store') });
  });
});

describe('A store that a server opens', () => {
  const folder = temporaryFolder();

  it('makes a missing folder, only for a store on a disk', async () => {
    const store = `level:${folder.path('store')}`;
    expect([await makesStoreFolder(store), await makesStoreFolder('memory:')]).to.deep.equal([true, false]);
    await withStores(store, () => Promise.resolve());
    expect(await makesStoreFolder(store)).to.equal(false);
  });

  for (const kind of ['level', 'memory'] as const) {
    it(`stamps each changed name with the given clock: ${kind}`, async () => {
      const url = kind === 'level' ? `level:${folder.path('store')}` : 'memory:';
      const id = parseTallyId('04A2B3C4D5');
      for (const ms of [1_763_500_000_000, 1_763_600_000_000]) {
        const storage = createStorage(url, { stamps: { now: () => ms } });
        await withStores(storage, async ({ mapping, stampedNames, journal }) => {
          await mapping.put(id, { first: 'Ada', last: '' });
          const [stamped] = await stampedNames.get([id]);
          expect(stamped?.stamp).to.include({ ms, node: await journal.origin() });
        });
      }
    });
  }
});
