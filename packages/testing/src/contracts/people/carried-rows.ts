import assert from 'node:assert/strict';
import { carriedKeyOf, parseCarriedKey, toCarried, type CarriedRow } from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../runner.js';
import {
  ada,
  bob,
  changesOf,
  onPeople,
  read,
  red,
  rows,
  write,
  type PeopleStoreContractOptions,
} from './people-subject.js';

const occasion = (id: string, value: unknown, ms = 1): CarriedRow =>
  toCarried({ kind: 'occasion', id, stamp: [ms, 0, 'there'], persons: [], tags: [], value });

/** Everything that a row may have, as strange as it can be. */
const strange = toCarried({
  ...{ kind: 'z-kind', id: 'Az09._:-', stamp: [1, 4_294_967_296, '山'.repeat(64)] },
  ...{ persons: [bob, `tag-${red}`, ada], tags: [red, 'FF544200112233445566'] },
  value: {
    text: '"\\\u{1F43B}\u0000\ud800',
    list: [null, true, -0.5, 1e21, {}, []],
    __proto__x: { a: { b: 1 } },
  },
});
const removed = occasion('removed', null, 7);
const long = occasion('long', '山'.repeat(8_000));
const plain = occasion('1', { title: 'Practice' });
const all = [plain, long, removed, strange];
const keys = all.map(carriedKeyOf);
const [first, last] = [carriedKeyOf(plain), carriedKeyOf(strange)];
const changed = occasion('1', { title: 'Concert' }, 2);

/** Rows of kinds that this version does not know. */
export const carriedCases: readonly ContractCase<PeopleStoreContractOptions['make']>[] = casesOf(onPeople, {
  'gives carried rows as they were written': async (stores) => {
    assert.deepEqual(await read(stores, { carried: [last] }), { ...rows({}), carried: new Map([[last, undefined]]) }); // prettier-ignore
    assert.deepEqual(await stores.people.carried(undefined, 10), []);
    await write(stores, { carried: all });
    assert.deepEqual(await read(stores, { carried: keys }), rows({ carried: all }));
    assert.deepEqual(await stores.people.carried(undefined, 10), all);
  },
  'replaces carried rows, and removes them': async (stores) => {
    await write(stores, { carried: all });
    await write(stores, { carried: [changed, [last, undefined]] });
    assert.deepEqual(await stores.people.carried(undefined, 10), [changed, long, removed]);
  },
  'writes nothing if a carried row that it was decided on is another one now': async (stores) => {
    for (const [before, after] of [
      [plain, changed],
      [plain, [first, undefined]],
      [[first, undefined], plain],
    ] as const) {
      await write(stores, { carried: [before] });
      const seen = await read(stores, { carried: [first] });
      await write(stores, { carried: [after] });
      const latest = await stores.journal.latest();
      assert.equal(await stores.people.write(rows({ carried: [strange] }), seen), false);
      assert.equal((await read(stores, { carried: [last] })).carried.get(last), undefined);
      assert.equal(await stores.journal.latest(), latest);
      const present = await read(stores, { carried: [first, last] });
      assert.equal(await stores.people.write(rows({ carried: [removed] }), present), true);
    }
  },
  'lists carried rows after a key, ascending': async (stores) => {
    const ascending = ['a 1', 'a-b 1', 'b -', 'b 0', 'b A', 'b _', 'b a', 'b a.1'].map((key) => {
      const [kind, id] = key.split(' ');
      return toCarried({ kind, id, stamp: [1, 0, ''], persons: [], tags: [], value: 1 });
    });
    await write(stores, { carried: [...ascending].reverse() });
    for (const [index, after] of [undefined, ...ascending.map(carriedKeyOf)].entries())
      assert.deepEqual(await stores.people.carried(after, 10), ascending.slice(index));
    assert.equal((await stores.people.carried(undefined, 3)).length <= 3, true);
    assert.deepEqual(await stores.people.carried(parseCarriedKey('b B'), 1), ascending.slice(5, 6));
  },
  'changes its revision with each carried row': async (stores) => {
    const revisions = [await stores.people.revision()];
    for (const written of [plain, changed, [first, undefined] as const]) {
      await write(stores, { carried: [written] });
      revisions.push(await stores.people.revision());
    }
    assert.equal(new Set(revisions).size, revisions.length);
  },
  'reports each changed carried row in the journal': async (stores) => {
    await write(stores, { carried: [plain, strange] });
    await write(stores, { carried: [changed] });
    await write(stores, { carried: [[first, undefined]] });
    const expected = [first, last, first, first].map((row) => ({ kind: 'carried', row }));
    const found = [...(await changesOf(stores))];
    assert.deepEqual(found, expected);
  },
  'keeps carried rows across a restart': async (stores, source) => {
    await write(stores, { carried: all });
    await write(stores, { carried: [[first, undefined]] });
    const again = await stores.restart(source);
    assert.deepEqual(await again.people.carried(undefined, 10), all.slice(1));
  },
});
