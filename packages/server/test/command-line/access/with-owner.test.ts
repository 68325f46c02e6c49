import { readdir } from 'node:fs/promises';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { withOwner } from '../../../src/command-line/access/with-owner.js';
import { failureOf } from '../../fixtures/failure-of.js';
import { withStores } from '../../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('withOwner', () => {
  const folder = temporaryFolder();
  const store = (): string => `level:${folder.path('store')}`;

  /** Whether another program could open the store now. */
  async function requireFree(): Promise<void> {
    expect(await readdir(folder.path('store'))).not.to.include('control.sock');
    await withStores(store(), () => Promise.resolve());
  }

  it('is the owner of the store during the work, and then releases it', async () => {
    const answer = await withOwner(store(), { makesStore: true }, async (client, isRunning) => {
      expect(await readdir(folder.path('store'))).to.include('control.sock');
      expect(await client.get('/api/users')).to.deep.equal([]);
      return isRunning;
    });
    expect(answer).to.equal(false);
    await requireFree();
  });

  it('releases the store also when the work fails', async () => {
    const failure = new TallybookError('INVALID_OPTION', 'no');
    await failureOf(
      withOwner(store(), { makesStore: true }, () => Promise.reject(failure)),
      'INVALID_OPTION',
    );
    await requireFree();
  });

  it('asks a running service, and leaves it running', async () => {
    const told = await withOwner(store(), { makesStore: true }, () =>
      withOwner(store(), { makesStore: false }, async (client, isRunning) => {
        expect(await client.get('/api/users')).to.deep.equal([]);
        return isRunning;
      }).then(async (isRunning) => [
        isRunning,
        (await readdir(folder.path('store'))).includes('control.sock'),
      ]),
    );
    expect(told).to.deep.equal([true, true]);
  });

  it('makes no store unless that is allowed, and refuses one in memory', async () => {
    const isNeverAsked = (): Promise<never> => expect.fail('there was nobody to ask');
    await failureOf(withOwner(store(), { makesStore: false }, isNeverAsked), 'STORE_UNAVAILABLE');
    await failureOf(withOwner('memory:', { makesStore: true }, isNeverAsked), 'INVALID_OPTION');
    expect(await readdir(folder.path())).to.deep.equal([]);
  });
});
