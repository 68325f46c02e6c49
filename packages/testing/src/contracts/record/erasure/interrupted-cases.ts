import assert from 'node:assert/strict';
import type { Cursor } from '@tallybook/domain';
import type { KeptErasure } from '@tallybook/domain/record';
import type { ContractCase } from '../../../runner.js';
import { readAll } from '../journal-subject.js';
import { ada, at, fill, request, tracesOf } from './erasure-data.js';
import type { ErasureSubject, MakeErasures } from './erasure-subject.js';

/** More writes than any store needs to take over an erasure. */
const WRITES_MAX = 1_000;

interface Interrupted {
  readonly taken: KeptErasure;
  /** The latest change before the tag had data. */
  readonly latest: Cursor;
}

/** Cases for which writes can be made to fail. */
export const interruptedCases: readonly ContractCase<MakeErasures>[] = [
  onInterrupted(
    'takes over an erasure when it is called again, whichever write failed',
    async (subject, { taken, latest }) => {
      const { erasures, journal } = subject;
      await erasures.add([taken], at(100_100));
      assert.deepEqual(await tracesOf(erasures, ada), []);
      const told = (await readAll(journal, latest)).map(({ change }) => change);
      assert.equal(told.filter(({ kind }) => kind === 'erased').length, 1);
    },
  ),
  onInterrupted('goes on at the next opening, whichever write failed', async (subject) => {
    const { erasures } = await subject.restart();
    // Unless the erasure is unknown, because the first write failed.
    if (erasures.isRefused(ada, undefined)) assert.deepEqual(await tracesOf(erasures, ada), []);
  }),
];

/** A case that runs once for each write of taking over an erasure: this write fails, and all later ones. */
function onInterrupted(
  title: string,
  body: (subject: ErasureSubject, before: Interrupted) => Promise<void>,
): ContractCase<MakeErasures> {
  return [
    title,
    async (make) => {
      for (let writes = 0; writes < WRITES_MAX; writes++) {
        const subject = await make();
        try {
          const { erasures, journal, faults } = subject;
          if (faults === undefined) throw new Error('the subject has no faults, and the options say so');
          await erasures.erase({ ids: [ada], ...request });
          const [taken] = await erasures.list();
          assert.ok(taken !== undefined);
          await erasures.expire(request.expiresAt);
          const latest = await journal.latest();
          await fill(subject);
          const repair = faults.failAfter(writes);
          const isTaken = await erasures.add([taken], at(100_100)).then(
            () => true,
            () => false,
          );
          repair();
          await body(subject, { taken, latest });
          if (isTaken) return;
        } finally {
          await subject.cleanup();
        }
      }
      throw new Error(`it is not done after ${WRITES_MAX} writes`);
    },
  ];
}
