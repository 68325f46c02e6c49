import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { requireStore } from '../../src/config/stores.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('A store that has to be there', () => {
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
