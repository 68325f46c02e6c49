import assert from 'node:assert/strict';
import { parseTallyId } from '@tallybook/domain';
import { compareStamps, type StampedName } from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../runner.js';
import type { StampedNamesContractOptions } from './stamped-subject.js';
import { ada, babbage, bob, changesOf, lovelace, onNames, stamp, stamped } from './stamped-subject.js';

const grace = { first: 'Grace', last: 'Hopper' };

/** Merging names from other places. */
export const mergeCases: readonly ContractCase<StampedNamesContractOptions['make']>[] = casesOf(onNames, {
  'takes a name over that is later by its time, counter or node': async ({ stamped: names, mapping }) => {
    const ascending = [stamp(0, 0, 'a'), stamp(4, 9), stamp(5, 1), stamp(5, 2, 'A'), stamp(5, 2, 'a')];
    ascending.push(stamp(5, 10), stamp(10, 0));
    for (const [index, its] of ascending.entries()) {
      const name = { first: String(index), last: '' };
      assert.deepEqual(await names.merge([stamped(ada, name, its)]), []);
      assert.deepEqual(await mapping.get(ada), name);
      assert.deepEqual(await names.get([ada]), [stamped(ada, name, its)]);
    }
  },
  'keeps a name that is not earlier, and says so': async ({ stamped: names, mapping }) => {
    const here = stamped(ada, lovelace, stamp(5, 2, 'm'));
    await names.merge([here]);
    for (const its of [stamp(5, 2, 'm'), stamp(5, 2, 'l'), stamp(5, 1, 'z'), stamp(4, 9), undefined]) {
      assert.deepEqual(await names.merge([stamped(ada, babbage, its)]), [here]);
      assert.deepEqual(await names.merge([stamped(ada, undefined, its)]), [here]);
    }
    assert.deepEqual(await mapping.get(ada), lovelace);
    assert.deepEqual(await names.get([ada]), [here]);
  },
  'takes the later stamp of a name that is the same': async ({ stamped: names }) => {
    await names.merge([stamped(ada, lovelace, stamp(5))]);
    assert.deepEqual(await names.merge([stamped(ada, { ...lovelace }, stamp(8))]), []);
    assert.deepEqual(await names.merge([stamped(ada, { ...lovelace }, stamp(6))]), []);
    assert.deepEqual(await names.get([ada]), [stamped(ada, lovelace, stamp(8))]);
  },
  'does not restore a name that was removed later': async ({ stamped: names, mapping }) => {
    await names.merge([stamped(ada, undefined, stamp(5))]);
    const [stayed] = await names.merge([stamped(ada, lovelace, stamp(4))]);
    assert.deepEqual(stayed, stamped(ada, undefined, stamp(5)));
    assert.equal(await mapping.get(ada), undefined);
    await names.merge([stamped(ada, lovelace, stamp(6))]);
    assert.deepEqual(await mapping.get(ada), lovelace);
  },
  'takes the latest of several names of one tag': async ({ stamped: names, mapping }) => {
    await names.merge([stamped(bob, grace, stamp(5))]);
    const stayed = await names.merge([
      ...[stamped(ada, lovelace, stamp(3)), stamped(ada, babbage, stamp(9)), stamped(ada, grace, stamp(4))],
      ...[stamped(bob, babbage, stamp(9)), stamped(bob, lovelace, stamp(4))],
    ]);
    assert.deepEqual(stayed, []);
    assert.deepEqual(await mapping.get(ada), babbage);
    assert.deepEqual(await mapping.get(bob), babbage);
  },
  'comes to the same names in whatever order they are merged': async ({ stamped: names }) => {
    const changes = [
      { name: lovelace, its: stamp(5, 0, 'a') },
      { name: undefined, its: stamp(5, 1, 'a') },
      { name: babbage, its: stamp(5, 1, 'b') },
      { name: grace, its: undefined },
    ];
    let next = 0x01_00_00;
    for (const order of permutationsOf(changes)) {
      const id = parseTallyId((next++).toString(16).padStart(6, '0'));
      for (const { name, its } of [...order, ...order]) await names.merge([stamped(id, name, its)]);
      assert.deepEqual(await names.get([id]), [stamped(id, babbage, stamp(5, 1, 'b'))]);
    }
  },
  'takes all names or none, also for readers meanwhile': async ({ stamped: names, mapping }) => {
    const ids = Array.from({ length: 200 }, (_, n) => parseTallyId(`AB${String(n).padStart(8, '0')}`));
    const merging = names.merge(ids.map((id) => stamped(id, lovelace, stamp(5))));
    const sizes = new Set<number>();
    const state = { isDone: false };
    const done = merging.then(() => (state.isDone = true));
    // A limited number of reads: reading must not keep a fake from going on.
    for (let n = 0; n < 500 && !state.isDone; n++) sizes.add((await mapping.read()).size);
    await done;
    sizes.add((await mapping.read()).size);
    for (const size of sizes) assert.ok(size === 0 || size === 200, `${size} of 200 names were there`);
    assert.ok(sizes.has(200));
  },
  'merges in its turn among other writes': async ({ stamped: names, mapping }, source) => {
    source.ms = 5;
    const later = stamped(ada, babbage, stamp(9));
    await Promise.all([mapping.put(ada, lovelace), names.merge([later])]);
    assert.deepEqual(await names.get([ada]), [later]);
    await Promise.all([
      names.merge([stamped(bob, babbage, stamp(9))]),
      mapping.put(bob, lovelace),
      names.merge([stamped(bob, grace, stamp(9, 0, 'zzz'))]),
    ]);
    assert.deepEqual(await names.get([bob]), [stamped(bob, lovelace, stamp(9, 1, source.node))]);
    await Promise.all([mapping.put(bob, grace), names.replace([stamped(bob, babbage, stamp(1))])]);
    assert.deepEqual(await names.get([bob]), [stamped(bob, babbage, stamp(1))]);
  },
  'loses nothing of what is merged at the same time': async ({ stamped: names }) => {
    const merged: StampedName[] = [];
    for (let n = 0; n < 60; n++) {
      const id = parseTallyId(`CD${String(n % 6).padStart(8, '0')}`);
      merged.push(stamped(id, { first: String(n), last: '' }, stamp((n * 37) % 60)));
    }
    await Promise.all(merged.map((name) => names.merge([name])));
    const found = await names.page(undefined, 100);
    for (const name of found) {
      const all = merged.filter(({ id }) => id === name.id);
      assert.deepEqual(name, all.sort((a, b) => compareStamps(b.stamp, a.stamp))[0]);
    }
    assert.equal(found.length, 6);
  },
  'replaces names and stamps, whatever is there': async ({ stamped: names, mapping }) => {
    await names.merge([stamped(ada, lovelace, stamp(9)), stamped(bob, lovelace, stamp(9))]);
    await names.replace([stamped(ada, babbage, stamp(1)), stamped(bob, undefined, undefined)]);
    assert.deepEqual(await names.get([ada, bob]), [
      stamped(ada, babbage, stamp(1)),
      stamped(bob, undefined, undefined),
    ]);
    assert.deepEqual([...(await mapping.read())], [[ada, babbage]]);
    await names.replace([stamped(ada, grace, stamp(5)), stamped(ada, lovelace, stamp(3))]);
    assert.deepEqual(await names.get([ada]), [stamped(ada, lovelace, stamp(3))]);
  },
  'reports changed names in the journal, and nothing else': async (stores) => {
    const { stamped: names } = stores;
    await names.merge([stamped(ada, lovelace, stamp(5)), stamped(bob, undefined, stamp(5))]);
    await names.merge([stamped(ada, lovelace, stamp(6)), stamped(bob, babbage, stamp(6))]);
    await names.merge([stamped(ada, babbage, stamp(1)), stamped(bob, grace, stamp(7))]);
    await names.replace([stamped(ada, lovelace, stamp(1)), stamped(bob, grace, undefined)]);
    await names.replace([stamped(bob, undefined, stamp(9)), stamped(ada, babbage, stamp(1))]);
    await names.merge([]);
    assert.deepEqual(await changesOf(stores), [
      { kind: 'name', id: ada, action: 'added' },
      { kind: 'name', id: bob, action: 'added' },
      { kind: 'name', id: bob, action: 'replaced' },
      { kind: 'name', id: bob, action: 'removed' },
      { kind: 'name', id: ada, action: 'replaced' },
    ]);
  },
  'changes the revision of the mapping with each name': async ({ stamped: names, mapping }) => {
    const revisions = [await mapping.revision()];
    await names.merge([stamped(ada, lovelace, stamp(5))]);
    revisions.push(await mapping.revision());
    await names.replace([stamped(ada, babbage, stamp(5))]);
    revisions.push(await mapping.revision());
    await names.merge([stamped(ada, undefined, stamp(6))]);
    revisions.push(await mapping.revision());
    assert.equal(new Set(revisions).size, revisions.length);
  },
});

function permutationsOf<T>(values: readonly T[]): readonly (readonly T[])[] {
  if (values.length <= 1) return [values];
  return values.flatMap((value, index) =>
    permutationsOf(values.filter((_, other) => other !== index)).map((rest) => [value, ...rest]),
  );
}
