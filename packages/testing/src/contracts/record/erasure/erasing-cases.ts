import assert from 'node:assert/strict';
import { DAY_MAX, isTallybookError, parseTallyId, type Day } from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../../runner.js';
import { readAll } from '../journal-subject.js';
import {
  ada,
  at,
  bob,
  correctionOf,
  endOf,
  fill,
  idsOf,
  fillVaried,
  first,
  kindsOf,
  request,
  second,
  tracesOf,
  writeAll,
} from './erasure-data.js';
import { onStores, type MakeErasures } from './erasure-subject.js';

/** Data that an erasure removes, and data that it leaves. */
export const erasingCases: readonly ContractCase<MakeErasures>[] = casesOf(onStores, {
  'leaves no trace of an erased tag': async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    const { erasures, mapping, days, provisional } = subject;
    assert.deepEqual(await tracesOf(erasures, ada), []);
    assert.equal(await mapping.get(ada), undefined);
    assert.deepEqual(await idsOf(days), [bob]);
    assert.deepEqual(
      (await provisional.list()).map(({ id }) => id),
      [bob],
    );
  },
  'leaves nothing of a tag, whichever rows it has': async (subject) => {
    const { erasures } = subject;
    const ids = await fillVaried(subject);
    await erasures.erase({ ids, ...request });
    for (const id of ids) assert.deepEqual(await tracesOf(erasures, id), [], id);
  },
  'leaves no correction of an erased tag, and those of others': async (subject) => {
    await fill(subject);
    const { erasures, corrections } = subject;
    await erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(await corrections.list(first, second), [{ ...correctionOf(bob, first, 12), number: 2 }]);
    assert.equal(await corrections.find(1), undefined);
  },
  'leaves no trace of an erased tag in the journal': async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    const changes = (await readAll(subject.journal)).map(({ change }) => change);
    assert.ok(changes.every((change) => !('id' in change) || change.id !== ada));
  },
  'leaves other tags as they were': async (subject) => {
    await fill(subject);
    const before = await tracesOf(subject.erasures, bob);
    await subject.erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(await tracesOf(subject.erasures, bob), before);
  },
  'removes the record of a day that is left without entries': async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(await subject.days.list(0 as Day, DAY_MAX), [first]);
    assert.equal(await subject.days.load(second), undefined);
  },
  'erases tags together under one key, and further tags under it too': async ({ erasures }) => {
    await erasures.erase({ ids: [ada, bob], ...request });
    const keys = new Set((await erasures.list()).map(({ key }) => key));
    assert.equal(keys.size, 1);
    await erasures.erase({ ids: [parseTallyId('0011223344')], ...request });
    const later = await erasures.list();
    assert.equal(later.length, 3);
    assert.ok(later.every(({ key }) => keys.has(key)));
    assert.deepEqual([...keys], [erasures.key]);
  },
  'keeps its key when all erasures are forgotten, and after a restart': async (subject) => {
    const { key } = subject.erasures;
    await subject.erasures.erase({ ids: [ada], ...request });
    await subject.erasures.expire(request.expiresAt);
    const { erasures } = await subject.restart();
    await erasures.erase({ ids: [ada], ...request });
    assert.deepEqual([erasures.key, ...(await erasures.list()).map((erasure) => erasure.key)], [key, key]);
  },
  'takes another key as long as it has no erasures, and keeps it': async (subject) => {
    const other = 'b'.repeat(32);
    await subject.erasures.adoptKey(other);
    const { erasures } = await subject.restart();
    await erasures.erase({ ids: [ada], ...request });
    await erasures.adoptKey('c'.repeat(32));
    assert.deepEqual(
      [erasures.key, ...(await erasures.list()).map((erasure) => erasure.key)],
      [other, other],
    );
  },
  'changes the revisions of what was erased from': async (subject) => {
    await fill(subject);
    const { days, mapping, corrections } = subject;
    const revisions = (): Promise<readonly string[]> =>
      Promise.all([
        days.dayRevision(first),
        days.dayRevision(second),
        days.listRevision(),
        mapping.revision(),
        corrections.dayRevision(first),
        corrections.revision(),
      ]);
    const before = await revisions();
    await subject.erasures.erase({ ids: [ada], ...request });
    const after = await revisions();
    assert.ok(after.every((revision, index) => revision !== before[index]));
  },
  'reports each erased tag once in the journal, by its digest': async (subject) => {
    await fill(subject);
    const latest = await subject.journal.latest();
    const digests = await subject.erasures.erase({ ids: [ada, bob], ...request });
    const told = (await readAll(subject.journal, latest)).map(({ change }) => change);
    assert.deepEqual(
      told,
      digests.map((digest) => ({ kind: 'erased', digest })),
    );
    assert.equal(new Set(digests).size, 2);
  },
  'gives no cursor twice, when the latest changes were erased': async (subject) => {
    await subject.days.record(first, ada, at(1));
    const latest = await subject.journal.latest();
    await subject.erasures.erase({ ids: [ada], ...request });
    const { days, journal } = await subject.restart();
    await days.record(first, bob, at(2));
    assert.ok((await journal.latest()) > latest + 1);
  },
  'leaves nothing of a tag that was being written when it was erased': async (subject) => {
    const { erasures } = subject;
    const writing = writeAll(subject);
    await erasures.erase({ ids: [ada], ...request });
    await writing;
    assert.deepEqual(await tracesOf(erasures, ada), []);
  },
  'keeps digests that do not say which tag it was': async ({ erasures }) => {
    const [digest] = await erasures.erase({ ids: [ada], ...request });
    const kept = await erasures.list();
    assert.equal(kept.length, 1);
    assert.match(kept[0]?.key ?? '', /^[0-9a-f]{32}$/);
    assert.match(digest ?? '', /^[0-9a-f]{32}$/);
    assert.equal(kept[0]?.digest, digest);
    assert.ok(!JSON.stringify(kept).toUpperCase().includes(ada));
  },
  'erases a tag of which nothing is kept, and one that was erased before': async ({ erasures }) => {
    const [digest] = await erasures.erase({ ids: [ada], ...request });
    const until = at(150_000);
    assert.deepEqual(await erasures.erase({ ids: [ada], until, expiresAt: at(300_000) }), [digest]);
    assert.equal(endOf(erasures, ada), until);
    assert.equal((await erasures.list()).length, 1);
  },
  'takes what comes of the tag later': async (subject) => {
    await fill(subject);
    const { erasures, days, mapping } = subject;
    await erasures.erase({ ids: [ada], ...request });
    await days.record(second, ada, at(100_001));
    await mapping.put(ada, { first: 'Cyd', last: '' });
    assert.deepEqual(await kindsOf(erasures, ada), ['name', 'entry', 'change', 'change']);
    assert.deepEqual((await days.load(second))?.entries, [
      { id: ada, first: at(100_001), last: at(100_001), count: 1 },
    ]);
  },
  'has nothing left after it was scrubbed, and says so': async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    assert.equal(await subject.erasures.scrub(), true);
    assert.deepEqual(
      (await subject.erasures.list()).map(({ state }) => state),
      ['done'],
    );
    assert.deepEqual(await idsOf(subject.days), [bob]);
  },
  'rejects with NOT_OPEN when it is closed': async ({ erasures }) => {
    await erasures.close();
    await assert.rejects(erasures.list(), (error) => isTallybookError(error, 'NOT_OPEN'));
    await assert.rejects(erasures.erase({ ids: [ada], ...request }), (error) =>
      isTallybookError(error, 'NOT_OPEN'),
    );
  },
});
