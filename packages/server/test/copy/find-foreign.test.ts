import { parseGroupId, toTimestamp } from '@tallybook/domain';
import { createStorage, type FullStorage } from '@tallybook/server';
import { expect } from 'chai';
import { copyStores } from '../../src/copy/copy-stores.js';
import { findForeign } from '../../src/copy/find-foreign.js';
import { ada, bob, day, fillVaried, gone, withStores } from '../fixtures/stores/varied-store.js';

const now = toTimestamp(1_763_500_000 + 500_000);
const choir = parseGroupId('choir');
const nothing = {
  persons: new Map(),
  timelines: new Map(),
  groups: new Map(),
  carried: new Map(),
  names: new Map(),
};
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };

/** Additions to a copy, and the message about each. */
const additions: Readonly<Record<string, (stores: FullStorage) => Promise<unknown>>> = {
  'another name of the tag AABBCCDD': ({ mapping }) => mapping.put(gone, { first: 'Cyd', last: '' }),
  'another name of the tag 04A2B3C4D5': ({ mapping }) => mapping.put(ada, { first: 'Ada', last: 'L' }),
  'that a name of the tag AABBCCDD was removed': ({ stampedNames }) =>
    stampedNames.replace([{ id: gone, name: undefined, stamp: { ms: 1, counter: 0, node: 'a' } }]),
  'other scans of the tag 04A2B3C4D5 on day 20411 since 1970': ({ days }) =>
    days.record(day, ada, toTimestamp(1_763_500_008)),
  'another group, choir': ({ people }) =>
    people.write({ ...nothing, groups: new Map([[choir, { id: choir }]]) }, nothing),
  'another correction, number 4': async ({ corrections }) => {
    const [known] = await corrections.list(day, day);
    if (known !== undefined) await corrections.correct([{ ...known, author: 'ab' }]);
  },
  'another provisional scan, number 3': async ({ provisional }) => {
    const [known] = await provisional.list();
    if (known !== undefined) await provisional.add({ ...known, bootId: 'other' });
  },
  'another user, ab2': async ({ access }) => {
    const { users } = await access.read();
    await access.change({ putUsers: users.map((user) => ({ ...user, name: `${user.name}2` })) });
  },
  'another token, c': async ({ access }) => {
    const { credentials } = await access.read();
    await access.change({ putCredentials: credentials.slice(0, 1).map((each) => ({ ...each, id: 'c' })) });
  },
  'another audit trail, which ends with entry 6': async ({ audit }) => {
    const [last] = await audit.read(4, 1);
    if (last !== undefined)
      await audit.append({ ...last, number: 6, previous: last.hash, hash: 'e'.repeat(64) });
  },
  'a later receipt of the device door': ({ receipts }) => receipts.note('door', 'b', 3),
  'another station, other': ({ stations }) =>
    stations.acknowledge('other', 'run', 1, { heardAt: now, status, refused: [] }),
  'another person who was erased': ({ erasures }) =>
    erasures.erase({ ids: [bob], until: toTimestamp(0), expiresAt: toTimestamp(1) }),
};

/** Additions that change existing data of a copy. */
const changing = /another name of the tag 04|erased/;

describe('The data that only one of two stores has', () => {
  /** Works with a store and its copy. */
  async function withCopy<T>(work: (from: FullStorage, to: FullStorage) => Promise<T>): Promise<T> {
    const [source, target] = [createStorage('memory:'), createStorage('memory:')];
    await fillVaried(source);
    return withStores(source, (from) =>
      withStores(target, async (to) => {
        await copyStores(from, to, { isMerging: false, now });
        return work(from, to);
      }),
    );
  }

  for (const [said, add] of Object.entries(additions)) {
    it(`is ${said}`, async () => {
      const found = await withCopy(async (from, to) => {
        await add(to);
        return findForeign(from, to);
      });
      expect(found).to.equal(said);
    });
  }

  it('is found among equally many scans or entries, if one of them differs', async () => {
    await withCopy(async (from, to) => {
      await from.days.record(day, ada, toTimestamp(1_763_500_010));
      await to.days.record(day, ada, toTimestamp(1_763_500_011));
      expect(await findForeign(from, to)).to.equal(
        'other scans of the tag 04A2B3C4D5 on day 20411 since 1970',
      );
    });
    await withCopy(async (from, to) => {
      const [last] = await from.audit.read(4, 1);
      if (last === undefined) throw new Error('there is no entry');
      const next = { ...last, number: 6, previous: last.hash };
      await from.audit.append({ ...next, hash: 'd'.repeat(64) });
      await to.audit.append({ ...next, hash: 'e'.repeat(64) });
      expect(await findForeign(from, to)).to.equal('another audit trail, which ends with entry 6');
    });
  });

  it('is not found in a copy, in an older copy, nor in an empty store', async () => {
    await withCopy(async (from, to) => {
      expect(await findForeign(from, to)).to.equal(undefined);
      for (const [said, add] of Object.entries(additions)) if (!changing.test(said)) await add(from);
      expect(await findForeign(from, to)).to.equal(undefined);
      await withStores(createStorage('memory:'), async (empty) => {
        expect(await findForeign(from, empty)).to.equal(undefined);
      });
    });
  });
});
