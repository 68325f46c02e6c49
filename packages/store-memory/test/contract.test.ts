import { composeStorage, MemoryData, MemoryStorage } from '@tallybook/store-memory';
import { facetOf, proveStorage, type Deviation, type ProvenOptions } from '@tallybook/testing';

const runner = { describe, it };

proveStorage(runner, {
  name: 'MemoryStorage',
  facets: [
    ...(['mapping', 'days', 'journal', 'snapshots', 'provisional', 'receipts', 'corrections'] as const),
    ...(['erasures', 'access', 'audit', 'stampedNames', 'people', 'stations'] as const),
  ],
  make: (options) => {
    const data = new MemoryData();
    const storage = new MemoryStorage({ ...options, data });
    const reopen = (others: ProvenOptions): MemoryStorage => new MemoryStorage({ ...others, data });
    return { storage, reopen, cleanup: () => storage.close() };
  },
});

const oneByOne: Deviation = {
  reason: 'each day is read when its turn comes',
  cases: [
    'gives days as they were, whatever becomes of them',
    'gives scans as they were, whatever becomes of them',
    'gives days with their known scans as they were, whatever becomes of them',
  ],
};

const volatile: Deviation = {
  reason: 'its journal begins anew at each start',
  cases: [
    'keeps changes, cursors and origin across a restart',
    'goes on with larger cursors after a restart, also when a day was removed',
    'says which changes are missing after a restart too',
    'keeps positions across a restart',
  ],
};

proveStorage(runner, {
  name: 'composeStorage',
  facets: [
    ...(['mapping', 'days', 'journal', 'snapshots', 'provisional', 'receipts', 'corrections'] as const),
    ...(['access', 'audit'] as const),
  ],
  make: (options) => {
    const [own, rest] = [new MemoryData(), new MemoryData()];
    const compose = ({ journal }: ProvenOptions) => {
      const stores = new MemoryStorage({ data: own });
      const [mapping, days] = [facetOf(stores, 'mapping'), facetOf(stores, 'days')];
      const { provisional, corrections } = stores;
      const parts = { mapping, days, provisional, corrections, rest: new MemoryStorage({ data: rest }) };
      return composeStorage(parts, journal);
    };
    const storage = compose(options);
    return { storage, reopen: compose, cleanup: () => storage.close() };
  },
  deviations: { snapshots: [oneByOne], journal: [volatile] },
});
