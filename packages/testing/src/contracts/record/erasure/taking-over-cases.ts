import assert from 'node:assert/strict';
import { isTallybookError, toTimestamp } from '@tallybook/domain';
import { ERASURE_KEYS_MAX, type Erasure } from '@tallybook/domain/record';
import { casesOf, type ContractCase } from '../../../runner.js';
import { readAll } from '../journal-subject.js';
import {
  ada,
  at,
  backupOf,
  bob,
  correctionOf,
  endOf,
  fill,
  idsOf,
  fillVaried,
  first,
  kindsOf,
  now,
  request,
  tracesOf,
  writeAll,
} from './erasure-data.js';
import { onStores, type MakeErasures } from './erasure-subject.js';

/** The keys of other sites that there is room for. */
const OTHER_KEYS = ERASURE_KEYS_MAX - 1;

/** Erasures of a backup, which identify their tags only by a digest. */
export const takingOverCases: readonly ContractCase<MakeErasures>[] = casesOf(onStores, {
  'leaves nothing of a tag after the erasure of a backup, whichever rows it has': async (subject) => {
    const { erasures } = subject;
    const ids = await fillVaried(subject);
    await erasures.erase({ ids, ...request });
    const taken = await erasures.list();
    await erasures.expire(request.expiresAt);
    await fillVaried(subject);
    await erasures.add(taken, at(100_100));
    for (const id of ids) assert.deepEqual(await tracesOf(erasures, id), [], id);
  },
  'erases corrections up to the erasure of a backup, and no later ones': async (subject) => {
    const { erasures, corrections } = subject;
    const taken = await backupOf(erasures, at(6));
    await corrections.correct([correctionOf(ada, first, 6), correctionOf(ada, first, 7)]);
    await erasures.add([taken], at(10));
    const left = await corrections.list(first, first);
    assert.deepEqual(
      left.map((correction) => correction.at),
      [at(7)],
    );
  },
  'keeps the changes of the corrections that an erasure of a backup leaves, and no others': async (
    subject,
  ) => {
    const { erasures, corrections, journal } = subject;
    const taken = await backupOf(erasures, at(6));
    const latest = await journal.latest();
    await corrections.correct([5, 7, 20, 8].map((seconds) => correctionOf(ada, first, seconds)));
    await erasures.add([taken], at(10));
    const [seven, eight] = await corrections.list(first, first);
    assert.deepEqual([seven?.at, eight?.at], [at(7), at(8)]);
    const told = (await readAll(journal, latest)).map(({ change }) => change);
    assert.deepEqual(told, [
      { kind: 'correction', number: seven?.number, day: first, id: ada },
      { kind: 'correction', number: eight?.number, day: first, id: ada },
      { kind: 'erased', digest: taken.digest },
    ]);
  },
  'takes over an erasure of a tag of which there are only corrections': async (subject) => {
    const { erasures, corrections, journal } = subject;
    const taken = await backupOf(erasures);
    await corrections.correct([correctionOf(ada, first, 6)]);
    await erasures.add([taken], now);
    assert.deepEqual(await corrections.list(first, first), []);
    const changes = (await readAll(journal)).map(({ change }) => change);
    assert.ok(changes.every((change) => !('id' in change)));
  },
  'leaves nothing of a tag that was being written when the erasure of a backup was taken over': async (
    subject,
  ) => {
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const taken = await erasures.list();
    await erasures.expire(request.expiresAt);
    const writing = writeAll(subject);
    await erasures.add(taken, at(100_100));
    await writing;
    assert.deepEqual(await tracesOf(erasures, ada), []);
  },
  'takes over the erasures of a backup, and erases their data': async (subject) => {
    const { erasures } = subject;
    const taken = await backupOf(erasures);
    await fill(subject);
    await erasures.add([taken], at(100_100));
    assert.equal(endOf(erasures, ada), now);
    assert.deepEqual(await kindsOf(erasures, ada), []);
    assert.deepEqual(await idsOf(subject.days), [bob]);
  },
  'keeps what is later than an erasure of a backup, but not later than now': async ({ erasures, days }) => {
    const taken = await backupOf(erasures, at(6));
    for (const seconds of [5, 7, 8, 50]) await days.record(first, ada, at(seconds), { flags: seconds });
    await erasures.add([taken], at(10));
    assert.deepEqual((await days.load(first))?.entries, [{ id: ada, first: at(7), last: at(8), count: 2 }]);
    assert.deepEqual((await days.details(first))?.entries, [
      { id: ada, first: at(7), last: at(8), count: 2, scans: [at(7), at(8)], flags: [7, 8] },
    ]);
  },
  'takes none of several erasures if they have too many keys': async (subject) => {
    const { erasures } = subject;
    await erasures.add(underKeys(OTHER_KEYS), now);
    const digests = async (): Promise<readonly string[]> =>
      (await erasures.list()).map(({ digest }) => digest);
    const before = await digests();
    assert.equal(before.length, OTHER_KEYS);
    const [one, two] = [underKey(0, 'b'), underKey(OTHER_KEYS)];
    for (const some of [[one, two], [two], [two, one]]) {
      const error = await erasures.add(some, now).catch((reason: unknown) => reason);
      assert.ok(isTallybookError(error, 'TOO_MANY_ERASURE_KEYS'));
      assert.deepEqual(await digests(), before);
    }
    const { erasures: again } = await subject.restart();
    assert.equal((await again.list()).length, OTHER_KEYS);
  },
  'takes no more keys from simultaneous callers than it has room for': async ({ erasures }) => {
    await erasures.add(underKeys(OTHER_KEYS - 2), now);
    const outcomes = await Promise.allSettled(
      [0, 1, 2, 3].map((n) => erasures.add([underKey(OTHER_KEYS + n)], now)),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2);
    assert.equal((await erasures.list()).length, OTHER_KEYS);
  },
  'makes erasures itself, whatever keys it has': async ({ erasures }) => {
    await erasures.add(underKeys(OTHER_KEYS), now);
    await erasures.erase({ ids: [ada], ...request });
    assert.equal(endOf(erasures, ada), now);
  },
  'takes more erasures under the keys that it has': async ({ erasures }) => {
    await erasures.add(underKeys(OTHER_KEYS), now);
    await erasures.add([underKey(0, 'b'), underKey(7, 'c')], now);
    assert.equal((await erasures.list()).length, OTHER_KEYS + 2);
  },
  'has room for other keys when the erasures of some are forgotten': async ({ erasures }) => {
    await erasures.add(
      underKeys(OTHER_KEYS).map((erasure, n) => (n === 7 ? { ...erasure, expiresAt: at(9) } : erasure)),
      now,
    );
    assert.equal(await erasures.expire(at(9)), 1);
    await erasures.add([underKey(OTHER_KEYS)], now);
    assert.equal((await erasures.list()).length, OTHER_KEYS);
  },
  'takes a digest under another key for another erasure': async (subject) => {
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const before = await erasures.list();
    const others = before.flatMap(({ digest }) =>
      [0, 1].map((n) => ({ ...underKey(n), digest, until: at(100_050) })),
    );
    await erasures.add(others, at(100_100));
    await erasures.scrub();
    assert.equal(endOf(erasures, ada), now);
    const { erasures: again } = await subject.restart();
    assert.equal(endOf(again, ada), now);
    assert.deepEqual(
      (await again.list()).map(({ key, until }) => `${key} ${until}`).sort(),
      [...before, ...others].map(({ key, until }) => `${key} ${until}`).sort(),
    );
  },
});

/** An erasure of a tag that nobody has, under a key of its own. */
function underKey(number: number, first = 'a'): Erasure {
  const digits = number.toString(16).padStart(31, '0');
  return { key: `a${digits}`, digest: first + digits, from: toTimestamp(0), ...request };
}

const underKeys = (count: number): readonly Erasure[] => Array.from({ length: count }, (_, n) => underKey(n));
