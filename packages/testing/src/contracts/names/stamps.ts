import assert from 'node:assert/strict';
import { parseName, parseTallyId, toTimestamp, type TallyId } from '@tallybook/domain';
import type { Trace } from '@tallybook/domain/record';
import { compareStamps, NO_STAMP, NOWHERE, STAMP_COUNTER_MAX, STAMP_MS_MAX } from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../runner.js';
import type { StampedNamesContractOptions } from './stamped-subject.js';
import { ada, babbage, bob, changesOf, lovelace, onNames, stamp, stamped } from './stamped-subject.js';

/** Stamps of names, and the data that is kept of removed names. */
export const stampCases: readonly ContractCase<StampedNamesContractOptions['make']>[] = casesOf(onNames, {
  'knows nothing of tags that never had a name': async ({ stamped: names, mapping }) => {
    assert.deepEqual(await names.page(undefined, 10), []);
    assert.deepEqual(await names.get([ada]), []);
    assert.equal(await mapping.remove(ada), false);
    assert.deepEqual(await names.get([ada]), []);
  },
  'stamps a name that is put, and its removal': async ({ stamped: names, mapping }, source) => {
    source.ms = 1_000;
    await mapping.put(ada, lovelace);
    assert.deepEqual(await names.get([ada]), [stamped(ada, lovelace, stamp(1_000, 0, source.node))]);
    source.ms = 2_000;
    await mapping.remove(ada);
    assert.deepEqual(await names.get([ada]), [stamped(ada, undefined, stamp(2_000, 0, source.node))]);
    source.ms = 3_000;
    await mapping.remove(ada);
    assert.deepEqual(await names.get([ada]), [stamped(ada, undefined, stamp(2_000, 0, source.node))]);
    await mapping.put(ada, babbage);
    assert.deepEqual(await names.get([ada]), [stamped(ada, babbage, stamp(3_000, 0, source.node))]);
  },
  'stamps each of many names that are changed at once': async ({ stamped: names, mapping }, source) => {
    source.ms = 1_000;
    await mapping.put(bob, babbage);
    source.ms = 2_000;
    const never = parseTallyId('010203');
    await mapping.change(
      new Map([
        [ada, lovelace],
        [bob, undefined],
        [never, undefined],
      ]),
    );
    assert.deepEqual(await names.get([ada, bob, never]), [
      stamped(ada, lovelace, stamp(2_000, 0, source.node)),
      stamped(bob, undefined, stamp(2_000, 0, source.node)),
    ]);
  },
  'stamps a name that is given again, and reports no change': async (stores, source) => {
    const { stamped: names, mapping } = stores;
    await mapping.put(ada, lovelace);
    source.ms = Number.MAX_SAFE_INTEGER;
    await mapping.put(ada, lovelace);
    const [found] = await names.get([ada]);
    assert.equal(found?.stamp?.ms, Number.MAX_SAFE_INTEGER);
    assert.equal((await changesOf(stores)).length, 1);
  },
  'stamps later than what was there, whatever the clock shows': async (stores, source) => {
    const { stamped: names, mapping } = stores;
    const stampOf = async () => (await names.get([ada]))[0]?.stamp;
    source.ms = 5_000;
    await mapping.put(ada, lovelace);
    await mapping.put(ada, babbage);
    assert.deepEqual(await stampOf(), stamp(5_000, 1, source.node));
    source.ms = 4_000;
    await mapping.remove(ada);
    assert.deepEqual(await stampOf(), stamp(5_000, 2, source.node));
    await names.replace([stamped(ada, lovelace, stamp(9_000, 7, 'zzz'))]);
    source.ms = 9_000;
    await mapping.change(new Map([[ada, babbage]]));
    assert.deepEqual(await stampOf(), stamp(9_000, 8, source.node));
    source.ms = 9_001;
    await mapping.put(ada, lovelace);
    assert.deepEqual(await stampOf(), stamp(9_001, 0, source.node));
  },
  'changes a name whose stamp has the largest numbers': async ({ stamped: names, mapping }, source) => {
    source.ms = 5_000;
    const largest = Number.MAX_SAFE_INTEGER;
    const taken = [stamp(largest, largest, 'zzz'), stamp(STAMP_MS_MAX, STAMP_COUNTER_MAX, 'zzz')];
    for (const before of [...taken, stamp(5_000, largest, 'zzz')]) {
      await names.replace([stamped(ada, lovelace, before)]);
      for (const name of [babbage, lovelace]) {
        await mapping.put(ada, name);
        const [found] = await names.get([ada]);
        const { ms = largest + 1, counter = largest } = found?.stamp ?? {};
        assert.ok(Number.isSafeInteger(ms) && counter <= STAMP_COUNTER_MAX);
        assert.ok(before.ms === largest || compareStamps(found?.stamp, before) > 0);
      }
      assert.equal(await mapping.remove(ada), true);
    }
  },
  'stamps a name of a backup with the time of the backup': async ({ stamped: names, mapping }, source) => {
    source.ms = 9_000;
    await mapping.restore(ada, lovelace, toTimestamp(2));
    source.ms = undefined;
    await mapping.restore(bob, babbage, toTimestamp(3));
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, lovelace, stamp(2_000, 0, source.node)),
      stamped(bob, babbage, stamp(3_000, 0, source.node)),
    ]);
    // So a later change wins, wherever it was made.
    assert.deepEqual(await names.merge([stamped(ada, babbage, stamp(2_001))]), []);
    assert.deepEqual(await mapping.get(ada), babbage);
  },
  'stamps a name of a backup later than what it replaces, and not later than now': async (stores, source) => {
    const { stamped: names, mapping } = stores;
    source.ms = 4_000;
    await mapping.put(ada, babbage);
    await mapping.put(bob, babbage);
    await mapping.remove(bob);
    source.ms = 9_000;
    await mapping.restore(ada, lovelace, toTimestamp(2));
    await mapping.restore(bob, lovelace, toTimestamp(10));
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, lovelace, stamp(4_000, 1, source.node)),
      stamped(bob, lovelace, stamp(9_000, 0, source.node)),
    ]);
  },
  'stamps a name of a backup of an unknown time with that of now': async (stores, source) => {
    const { stamped: names, mapping } = stores;
    source.ms = 9_000;
    await mapping.restore(ada, lovelace, undefined);
    source.ms = undefined;
    await mapping.restore(bob, babbage, undefined);
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, lovelace, stamp(9_000, 0, source.node)),
      stamped(bob, babbage, undefined),
    ]);
  },
  'leaves a name of a backup that is there as it is, unless it has no stamp': async (stores, source) => {
    const { stamped: names, mapping } = stores;
    source.ms = 4_000;
    await mapping.put(ada, lovelace);
    source.ms = undefined;
    await mapping.put(bob, babbage);
    source.ms = 9_000;
    assert.equal(await mapping.restore(ada, lovelace, toTimestamp(6)), 'replaced');
    assert.equal(await mapping.restore(bob, babbage, toTimestamp(6)), 'replaced');
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, lovelace, stamp(4_000, 0, source.node)),
      stamped(bob, babbage, stamp(6_000, 0, source.node)),
    ]);
    assert.equal((await changesOf(stores)).length, 2);
  },
  'has no stamp for what changed at an unknown time': async ({ stamped: names, mapping }, source) => {
    await names.replace([stamped(bob, babbage, stamp(9_000))]);
    source.ms = undefined;
    await mapping.put(ada, lovelace);
    await mapping.remove(bob);
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, lovelace, undefined),
      stamped(bob, undefined, undefined),
    ]);
    source.ms = 5;
    await mapping.put(ada, babbage);
    assert.deepEqual(await names.get([ada]), [stamped(ada, babbage, stamp(5, 0, source.node))]);
  },
  'has names without a stamp before all others': async ({ stamped: names, mapping }) => {
    await names.replace([stamped(ada, lovelace, NO_STAMP), stamped(bob, babbage, NO_STAMP)]);
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, lovelace, NO_STAMP),
      stamped(bob, babbage, NO_STAMP),
    ]);
    assert.deepEqual(await names.merge([stamped(ada, babbage, stamp(0, 0, 'a'))]), []);
    assert.deepEqual(await mapping.get(ada), babbage);
  },
  'keeps a removed name from being one of the mapping': async ({ stamped: names, mapping }) => {
    await mapping.put(ada, lovelace);
    await names.replace([stamped(ada, undefined, stamp(9)), stamped(bob, undefined, stamp(9))]);
    assert.deepEqual([...(await mapping.read())], []);
    assert.equal(await mapping.get(ada), undefined);
    await using snapshot = await mapping.snapshot();
    assert.deepEqual(await snapshot.page(undefined, 10), []);
    assert.equal(await mapping.remove(bob), false);
    assert.equal(await mapping.put(bob, babbage), 'added');
  },
  'gives names in the order of the ids that are asked for': async ({ stamped: names, mapping }) => {
    await mapping.put(ada, lovelace);
    await mapping.put(bob, babbage);
    const never = parseTallyId('010203');
    const idsOf = async (...ids: Parameters<typeof names.get>[0]) =>
      (await names.get(ids)).map(({ id }) => id);
    assert.deepEqual(await idsOf(ada, never, bob), [ada, bob]);
    assert.deepEqual(await idsOf(bob, ada), [bob, ada]);
    assert.deepEqual(await idsOf(), []);
  },
  'gives all names in pages, ascending, removed ones too': async ({ stamped: names, mapping }) => {
    const ids = ['000001', '00000100', '0A0000', '100000', '1000000000', '10000000', 'FF0000'].map(
      parseTallyId,
    );
    for (const id of [...ids].reverse()) await mapping.put(id, lovelace);
    for (const id of ids.slice(2, 4)) await mapping.remove(id);
    const found: TallyId[] = [];
    for (;;) {
      const page = await names.page(found.at(-1), 3);
      assert.ok(page.length <= 3);
      if (page.length === 0) break;
      for (const { id } of page) {
        assert.ok(!found.includes(id), `${id} came twice`);
        found.push(id);
      }
    }
    assert.deepEqual(found, [...ids].sort());
    assert.deepEqual(
      (await names.page(parseTallyId('0A0001'), 100)).map(({ id }) => id),
      [...ids].sort().slice(3),
    );
  },
  'forgets the stamps of an erased tag, also of a removed name': async (stores) => {
    const { stamped: names, mapping, erasures } = stores;
    await mapping.put(ada, lovelace);
    await mapping.put(bob, babbage);
    await mapping.remove(bob);
    const time = toTimestamp(1_763_500_000);
    await erasures.erase({ ids: [ada, bob], until: time, expiresAt: toTimestamp(time + 1_000) });
    assert.deepEqual(await names.get([ada, bob]), []);
    assert.deepEqual(await names.page(undefined, 10), []);
  },
  'lets an erasure trace the stamp of a name, also of a removed one': async (stores, source) => {
    const { mapping, erasures } = stores;
    const tracesOf = async (id: TallyId): Promise<readonly Trace[]> => {
      const traces: Trace[] = [];
      for await (const trace of erasures.trace(id)) if (trace.kind !== 'change') traces.push(trace);
      return traces;
    };
    source.ms = 5_000;
    await mapping.put(ada, lovelace);
    await mapping.put(bob, babbage);
    source.ms = undefined;
    await mapping.remove(bob);
    const its = stamp(5_000, 0, source.node);
    assert.deepEqual(await tracesOf(ada), [
      { kind: 'name', name: lovelace },
      { kind: 'stamp', stamp: its },
    ]);
    assert.deepEqual(await tracesOf(bob), [{ kind: 'stamp', stamp: undefined }]);
    const time = toTimestamp(1_763_500_000);
    await erasures.erase({ ids: [ada, bob], until: time, expiresAt: toTimestamp(time + 1_000) });
    assert.deepEqual([await tracesOf(ada), await tracesOf(bob)], [[], []]);
  },
  'lets the erasures of a backup find removed names': async ({ stamped: names, erasures }) => {
    const time = toTimestamp(1_763_500_000);
    await erasures.erase({ ids: [ada], until: time, expiresAt: time });
    const taken = await erasures.list();
    await erasures.expire(time);
    await names.replace([stamped(ada, undefined, stamp(9)), stamped(bob, undefined, stamp(9))]);
    await erasures.add(taken, time);
    assert.deepEqual(await names.page(undefined, 10), [stamped(bob, undefined, stamp(9))]);
  },
  'lets an erasure that comes later take a name with it that has the stamp of its arrival': async (
    stores,
  ) => {
    const { stamped: names, mapping, erasures } = stores;
    const time = toTimestamp(1_763_500_000);
    await erasures.erase({ ids: [ada, bob], until: time, expiresAt: time });
    const taken = await erasures.list();
    await erasures.expire(time);
    const later = (time + 5) * 1_000;
    const given = stamped(bob, babbage, stamp(later));
    await names.merge([stamped(ada, lovelace, stamp(later, 1, NOWHERE)), given]);
    await erasures.add(taken, toTimestamp(time + 10));
    assert.deepEqual(await names.page(undefined, 10), [given]);
    assert.equal(await mapping.get(ada), undefined);
    const told = await changesOf(stores);
    assert.ok(told.every((change) => !('id' in change) || change.id !== ada));
  },
  'keeps names, removals and stamps across a restart': async (subject, source) => {
    const far = stamp(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'x'.repeat(64));
    const ids = ['010203', '010204', '010205', '010206', '010207', '010208'].map(parseTallyId);
    const [one = ada, two = ada, three = ada, four = ada, five = ada, six = ada] = ids;
    const zoe = parseName({ first: 'Zoë "\\', last: '\u{10FFFD}' });
    await subject.stamped.replace([
      stamped(one, zoe, far),
      stamped(two, undefined, stamp(7, 1, '_')),
      stamped(three, lovelace, undefined),
      stamped(four, undefined, undefined),
      stamped(five, lovelace, NO_STAMP),
      stamped(six, lovelace, stamp(8, 0, NOWHERE)),
    ]);
    const before = await subject.stamped.page(undefined, 100);
    const { stamped: names, mapping } = await subject.restart(source);
    assert.deepEqual(await names.page(undefined, 100), before);
    assert.deepEqual(before[0], stamped(one, zoe, far));
    assert.deepEqual(before.slice(2), [
      stamped(three, lovelace, undefined),
      stamped(four, undefined, undefined),
      stamped(five, lovelace, NO_STAMP),
      stamped(six, lovelace, stamp(8, 0, NOWHERE)),
    ]);
    await names.merge([stamped(two, babbage, stamp(7, 0, '_'))]);
    assert.equal(await mapping.get(two), undefined);
  },
});
