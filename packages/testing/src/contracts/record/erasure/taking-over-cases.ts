import assert from 'node:assert/strict';
import { isTallybookError } from '@tallybook/domain';
import { ERASURE_KEYS_MAX, type Erasure, type ErasureStore } from '@tallybook/domain/record';
import type { ContractCase } from '../../../runner.js';
import { readAll } from '../journal-subject.js';
import {
  ada,
  at,
  bob,
  correctionOf,
  fill,
  fillVaried,
  first,
  kindsOf,
  now,
  request,
  tracesOf,
  writeAll,
} from './erasure-data.js';
import { onStores, type MakeErasures } from './erasure-subject.js';

/** Erasures of a backup, which identify their tags only by a digest. */
export const takingOverCases: readonly ContractCase<MakeErasures>[] = [
  onStores('leaves nothing of a tag for a backup, whichever rows there are of it', async (subject) => {
    const { erasures } = subject;
    const ids = await fillVaried(subject);
    await erasures.erase({ ids, ...request });
    const taken = await erasures.list();
    await erasures.expire(request.expiresAt);
    await fillVaried(subject);
    await erasures.add(taken, at(100_100));
    for (const id of ids) assert.deepEqual(await tracesOf(erasures, id), [], id);
  }),
  onStores(
    'erases for a backup the corrections of scans up to the erasure, and no later ones',
    async (subject) => {
      const { erasures, corrections } = subject;
      await erasures.erase({ ids: [ada], until: at(6), expiresAt: at(9) });
      const [taken] = await erasures.list();
      assert.ok(taken !== undefined);
      await erasures.expire(at(9));
      await corrections.correct([correctionOf(ada, first, 6), correctionOf(ada, first, 7)]);
      await erasures.add([taken], at(10));
      const left = await corrections.list(first, first);
      assert.deepEqual(
        left.map((correction) => correction.at),
        [at(7)],
      );
    },
  ),
  onStores('keeps for a backup the changes of the corrections that stay, and no others', async (subject) => {
    const { erasures, corrections, journal } = subject;
    await erasures.erase({ ids: [ada], until: at(6), expiresAt: at(9) });
    const [taken] = await erasures.list();
    assert.ok(taken !== undefined);
    await erasures.expire(at(9));
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
  }),
  onStores('takes over an erasure of a tag of which there are only corrections', async (subject) => {
    const { erasures, corrections, journal } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const [taken] = await erasures.list();
    assert.ok(taken !== undefined);
    await erasures.expire(request.expiresAt);
    await corrections.correct([correctionOf(ada, first, 6)]);
    await erasures.add([taken], now);
    assert.deepEqual(await corrections.list(first, first), []);
    const changes = (await readAll(journal)).map(({ change }) => change);
    assert.ok(changes.every((change) => !('id' in change)));
  }),
  onStores(
    'leaves nothing of a tag for a backup that was being written when that was taken over',
    async (subject) => {
      const { erasures } = subject;
      await erasures.erase({ ids: [ada], ...request });
      const taken = await erasures.list();
      await erasures.expire(request.expiresAt);
      const writing = writeAll(subject);
      await erasures.add(taken, at(100_100));
      await writing;
      assert.deepEqual(await tracesOf(erasures, ada), []);
    },
  ),
  onStores('takes over the erasures of a backup, and erases what they are of', async (subject) => {
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const [taken] = await erasures.list();
    assert.ok(taken !== undefined);
    await erasures.expire(request.expiresAt);
    await fill(subject);
    await erasures.add([taken], at(100_100));
    assert.equal(erasures.refusedUntil(ada), now);
    assert.deepEqual(await kindsOf(erasures, ada), []);
    assert.deepEqual(
      (await subject.days.load(first))?.entries.map(({ id }) => id),
      [bob],
    );
  }),
  onStores('keeps what is later than an erasure of a backup, but not later than now', async (subject) => {
    const { erasures, days } = subject;
    await erasures.erase({ ids: [ada], until: at(6), expiresAt: at(9) });
    const [taken] = await erasures.list();
    assert.ok(taken !== undefined);
    await erasures.expire(at(9));
    for (const seconds of [5, 7, 8, 50]) await days.record(first, ada, at(seconds));
    await erasures.add([taken], at(10));
    assert.deepEqual((await days.load(first))?.entries, [{ id: ada, first: at(7), last: at(8), count: 2 }]);
  }),
  onStores('takes none of several erasures if they have too many keys', async (subject) => {
    const { erasures } = subject;
    const all = Array.from({ length: ERASURE_KEYS_MAX }, (_, n) => underKey(n));
    await erasures.add(all, now);
    const digests = async (): Promise<readonly string[]> =>
      (await erasures.list()).map(({ digest }) => digest);
    const before = await digests();
    assert.equal(before.length, ERASURE_KEYS_MAX);
    const [one, two] = [underKey(0, 'b'), underKey(ERASURE_KEYS_MAX)];
    for (const some of [[one, two], [two], [two, one]]) {
      const error = await erasures.add(some, now).catch((reason: unknown) => reason);
      assert.ok(isTallybookError(error, 'TOO_MANY_ERASURE_KEYS'));
      assert.deepEqual(await digests(), before);
    }
    const { erasures: again } = await subject.restart();
    assert.equal((await again.list()).length, ERASURE_KEYS_MAX);
  }),
  onStores('takes no more keys and erasures than the caller has room for', async ({ erasures }) => {
    const room = { keys: 2, erasures: 4 };
    const others = [underKey(0), underKey(0, 'b'), underKey(1)];
    await erasures.add(others, now, room);
    const refused = async (some: readonly Erasure[]): Promise<unknown> =>
      erasures.add(some, now, room).catch((reason: unknown) => reason);
    assert.ok(isTallybookError(await refused([underKey(2)]), 'TOO_MANY_ERASURE_KEYS'));
    assert.ok(isTallybookError(await refused([underKey(0, 'c'), underKey(1, 'c')]), 'TOO_MANY_ERASURES'));
    assert.equal((await erasures.list()).length, 3);
    // Present erasures need no room, and an erasure that comes twice needs room once.
    await erasures.add([...others, underKey(0, 'c'), underKey(0, 'c')], now, room);
    assert.ok(isTallybookError(await refused([underKey(1, 'c')]), 'TOO_MANY_ERASURES'));
    await erasures.add(others, now, { keys: 0, erasures: 0 });
    assert.equal((await erasures.list()).length, 4);
  }),
  onStores('takes no more than that of callers who come at the same time', async ({ erasures }) => {
    const room = { keys: 2, erasures: 4 };
    const outcomes = await Promise.allSettled([
      ...[0, 1, 2, 3].map((n) => erasures.add([underKey(n)], now, room)),
      ...['b', 'c', 'd', 'e'].map((digit) => erasures.add([underKey(0, digit)], now, room)),
    ]);
    const kept = await erasures.list();
    // The order of concurrent calls is not promised.
    assert.ok(kept.length <= 4);
    assert.ok(new Set(kept.map(({ key }) => key)).size <= 2);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, kept.length);
  }),
  onStores('erases nobody for whom there is no room, and somebody who was erased before', async (subject) => {
    const { erasures } = subject;
    await fill(subject);
    await erasures.add([underKey(0)], now);
    const room = { keys: 1, erasures: 2 };
    const both = await erasures.erase({ ids: [ada, bob], ...request, room }).catch((error: unknown) => error);
    assert.ok(isTallybookError(both, 'TOO_MANY_ERASURES'));
    assert.equal(erasures.refusedUntil(ada), undefined);
    assert.notDeepEqual(await kindsOf(erasures, ada), []);
    await erasures.erase({ ids: [ada], ...request, room });
    await erasures.erase({ ids: [ada, ada], ...request, room });
    assert.equal((await erasures.list()).length, 2);
  }),
  onStores('takes more erasures under the keys that it has', async ({ erasures }) => {
    await erasures.add(
      Array.from({ length: ERASURE_KEYS_MAX }, (_, n) => underKey(n)),
      now,
    );
    await erasures.add([underKey(0, 'b'), underKey(7, 'c')], now);
    assert.equal((await erasures.list()).length, ERASURE_KEYS_MAX + 2);
  }),
  onStores('has room for other keys when the erasures of some are forgotten', async ({ erasures }) => {
    const all = Array.from({ length: ERASURE_KEYS_MAX }, (_, n) => underKey(n));
    await erasures.add(
      all.map((erasure, n) => (n === 7 ? { ...erasure, expiresAt: at(9) } : erasure)),
      now,
    );
    assert.equal(await erasures.expire(at(9)), 1);
    await erasures.add([underKey(ERASURE_KEYS_MAX)], now);
    assert.equal((await erasures.list()).length, ERASURE_KEYS_MAX);
  }),
  onStores('keeps an erasure whose digest comes under another key', async (subject) => {
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const before = await erasures.list();
    const forged = before.map(({ digest }) => ({ ...underKey(0), digest, until: at(100_050) }));
    await erasures.add(forged, at(100_100));
    await erasures.scrub();
    assert.equal(erasures.refusedUntil(ada), now);
    const { erasures: again } = await subject.restart();
    assert.equal(again.refusedUntil(ada), now);
    assert.deepEqual(
      (await again.list()).map(({ key, until }) => ({ key, until })),
      before.map(({ key, until }) => ({ key, until })),
    );
  }),
  onStores('takes the first of two erasures that come together with one digest', async (subject) => {
    const { erasures } = subject;
    const [one, two] = [underKey(1), { ...underKey(2), digest: underKey(1).digest }];
    await erasures.add([one, two], now);
    const keys = async (store: ErasureStore): Promise<readonly string[]> =>
      (await store.list()).map(({ key }) => key);
    assert.deepEqual(await keys(erasures), [one.key]);
    const { erasures: again } = await subject.restart();
    assert.deepEqual(await keys(again), [one.key]);
  }),
];

/** An erasure of a tag that nobody has, under a key of its own. */
function underKey(number: number, first = 'a'): Erasure {
  const digits = number.toString(16).padStart(31, '0');
  return { key: `a${digits}`, digest: first + digits, ...request };
}
