import { Gate } from '@tallybook/domain/record';
import { GuardedCorrectionStore, GuardedMappingStore } from '@tallybook/domain/sync';
import {
  lifecycleContract,
  mappingStoreContract,
  MemoryCorrectionStore,
  MemoryMappingStore,
} from '@tallybook/testing';
import { expect } from 'chai';
import { ada, forgotten, TODAY } from './sync-world.js';

mappingStoreContract(
  { describe, it },
  {
    name: 'GuardedMappingStore',
    durable: false,
    make: () => {
      const store = new GuardedMappingStore(new MemoryMappingStore(), new Gate(1));
      return { store, reopen: () => store, cleanup: () => store.close() };
    },
  },
);

lifecycleContract(
  { describe, it },
  {
    name: 'GuardedCorrectionStore',
    make: () => {
      const resource = new GuardedCorrectionStore(new MemoryCorrectionStore(), new Gate(1));
      return { resource, cleanup: () => resource.close() };
    },
    operations: {
      correct: (store) => store.correct([forgotten(ada, 7)]),
      find: (store) => store.find(1),
      list: (store) => store.list(TODAY, TODAY),
      remove: (store) => store.remove(TODAY),
      dayRevision: (store) => store.dayRevision(TODAY),
      revision: (store) => store.revision(),
    },
  },
);

describe('A GuardedCorrectionStore', () => {
  it('finds, lists and removes the data of the store below, with its revisions', async () => {
    const below = new MemoryCorrectionStore();
    await using store = new GuardedCorrectionStore(below, new Gate(1));
    await store.open();
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
