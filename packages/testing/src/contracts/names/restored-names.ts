import assert from 'node:assert/strict';
import { toTimestamp, type Timestamp } from '@tallybook/domain';
import type { ContractCase } from '../../runner.js';
import type { StampedNamesContractOptions } from './stamped-subject.js';
import { ada, babbage, bob, changesOf, lovelace, onNames } from './stamped-subject.js';

/**
 * Restoring names of a backup where other processes may write to the same storage: they may have erased a tag after the
 * check of the import.
 */
export const restoreCases: readonly ContractCase<StampedNamesContractOptions['make']>[] = [
  onNames('leaves a name of a backup out that may be from before the erasure of its tag', async (subject) => {
    const until = toTimestamp(1_763_500_000);
    const around = (seconds: number): Timestamp => toTimestamp(until + seconds);
    await subject.erasures.erase({ ids: [ada], until, expiresAt: around(1_000_000) });
    const requireLeftOut = async ({ mapping, stamped, journal }: typeof subject): Promise<void> => {
      for (const knownAt of [around(-1), until, undefined]) {
        assert.equal(await mapping.restore(ada, lovelace, knownAt), 'erased', `of ${knownAt}`);
        assert.equal(await mapping.get(ada), undefined);
        assert.deepEqual(await stamped.get([ada]), []);
      }
      const told = await changesOf({ journal });
      assert.ok(told.every((change) => !('id' in change) || change.id !== ada));
    };
    await requireLeftOut(subject);
    assert.equal(await subject.mapping.restore(bob, babbage, around(-1)), 'added');
    // A name of the next holder.
    assert.equal(await subject.mapping.restore(ada, lovelace, around(1)), 'added');
    assert.deepEqual(await subject.mapping.get(ada), lovelace);
  }),
];
