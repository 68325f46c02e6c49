import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

describe('The check of all rows in the background', () => {
  const directory = useTempDirectory();

  it('begins five seconds after the store was opened, and not when it is closed before', async () => {
    using timers = new RecordedTimers();
    for (let round = 0; round < 2; round++) {
      const stores = await openStores(directory.path, { notify: () => undefined });
      expect(timers.pending).to.deep.equal([5_000]);
      await stores[Symbol.asyncDispose]();
      expect(timers.pending).to.deep.equal([]);
    }
  });

  it('is not made if nobody is notified of its findings', async () => {
    using timers = new RecordedTimers();
    await using stores = await openStores(directory.path);
    expect(stores.database.status).to.equal('open');
    expect(timers.delays).to.deep.equal([]);
  });
});
