import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import type { User } from '@tallybook/domain/access';
import { LevelStorage } from '@tallybook/store-level';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';

const userOf = (name: string): User => ({
  name,
  role: 'admin',
  password: 'hash',
  createdAt: toTimestamp(1_763_500_000),
});

describe('The revision that a change of users returns', () => {
  const directory = useTempDirectory();

  it('does not cover a change that was written together with it, and after it', async () => {
    await using store = facetOf(new LevelStorage(directory.path), 'access');
    await store.open();
    const [revision] = await Promise.all([
      store.change({ putUsers: [userOf('ada')] }),
      store.change({ putUsers: [userOf('bob')] }),
    ]);
    // The first writer has never seen the second change.
    expect(await store.change({ putUsers: [userOf('eve')] }, revision)).to.equal(undefined);
  });
});
