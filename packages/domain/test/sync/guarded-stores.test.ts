import { Gate } from '@tallybook/domain/record';
import { guardCorrections, guardMapping } from '@tallybook/domain/sync';
import { facetOf, mappingStoreContract, MemoryCorrectionStore, MemoryStorage } from '@tallybook/testing';
import { expect } from 'chai';
import { ada, forgotten, TODAY } from './sync-world.js';

mappingStoreContract(
  { describe, it },
  {
    name: 'guardMapping',
    durable: false,
    make: () => {
      const storage = new MemoryStorage();
      const mapping = guardMapping(storage.mapping, new Gate(1));
      const store = facetOf(Object.assign(storage, { mapping }), 'mapping');
      return { store, reopen: () => store, cleanup: () => store.close() };
    },
  },
);

describe('Guarded corrections', () => {
  it('finds, lists and removes the data of the store below, with its revisions', async () => {
    const below = new MemoryCorrectionStore();
    await below.open();
    const store = guardCorrections(below, new Gate(1));
    const [made] = await store.correct([forgotten(ada, 7)]);
    expect(await store.find(1)).to.deep.equal(made);
    expect(await store.list(TODAY, TODAY)).to.deep.equal([made]);
    const [ofDay, ofAll] = [await store.dayRevision(TODAY), await store.revision()];
    expect([ofDay, ofAll]).to.deep.equal([await below.dayRevision(TODAY), await below.revision()]);
    expect(await store.remove(TODAY)).to.equal(true);
    expect(await below.list(TODAY, TODAY)).to.deep.equal([]);
    expect(await store.dayRevision(TODAY)).to.not.equal(ofDay);
    expect(await store.revision()).to.not.equal(ofAll);
  });
});
