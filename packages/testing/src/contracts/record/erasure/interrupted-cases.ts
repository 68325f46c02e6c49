import assert from 'node:assert/strict';
import type { Cursor } from '@tallybook/domain';
import type { KeptErasure } from '@tallybook/domain/record';
import type { ContractCase } from '../../../runner.js';
import { readAll } from '../journal-subject.js';
import { ada, at, backupOf, fill, tracesOf } from './erasure-data.js';
import { onInterrupted, type ErasureSubject, type MakeErasures } from './erasure-subject.js';

interface Interrupted {
  readonly taken: KeptErasure;
  /** The latest change before the tag had data. */
  readonly latest: Cursor;
}

/** Cases for which writes can be made to fail. */
export const interruptedCases: readonly ContractCase<MakeErasures>[] = [
  onTakingOver(
    'takes over an erasure when it is called again, whichever write failed',
    async ({ erasures, journal }, { taken, latest }) => {
      await erasures.add([taken], at(100_100));
      assert.deepEqual(await tracesOf(erasures, ada), []);
      const told = (await readAll(journal, latest)).map(({ change }) => change);
      assert.equal(told.filter(({ kind }) => kind === 'erased').length, 1);
    },
  ),
  onTakingOver('goes on at the next opening, whichever write failed', async (subject) => {
    const { erasures } = await subject.restart();
    // Unless the erasure is unknown, because the first write failed.
    if (erasures.isRefused(ada, undefined)) assert.deepEqual(await tracesOf(erasures, ada), []);
  }),
];

/** A case that runs once for each write of taking over an erasure. */
function onTakingOver(
  title: string,
  body: (subject: ErasureSubject, before: Interrupted) => Promise<void>,
): ContractCase<MakeErasures> {
  return onInterrupted(title, async (subject, failNow) => {
    const { erasures, journal } = subject;
    const taken = await backupOf(erasures);
    const latest = await journal.latest();
    await fill(subject);
    const repair = failNow();
    const isTaken = await erasures.add([taken], at(100_100)).then(
      () => true,
      () => false,
    );
    repair();
    await body(subject, { taken, latest });
    return isTaken;
  });
}
