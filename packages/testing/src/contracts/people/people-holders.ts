import assert from 'node:assert/strict';
import { parseTallyId, type Person } from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../runner.js';
import {
  ada,
  at,
  babbage,
  BEGINNING,
  blue,
  bob,
  given,
  lovelace,
  named,
  onPeople,
  person,
  red,
  redHolder,
  stamp,
  timeline,
  write,
  type PeopleStoreContractOptions,
} from './people-subject.js';

/** Who held a tag at a moment. */
export const holderCases: readonly ContractCase<PeopleStoreContractOptions['make']>[] = casesOf(onPeople, {
  'says that nobody holds an unknown tag': async ({ people }) => {
    assert.deepEqual(await people.holderAt(red, at(0)), {});
  },
  'takes a tag without a timeline for that of its own person': async ({ people, mapping }) => {
    await mapping.put(red, lovelace);
    const holder = { person: redHolder, name: lovelace };
    for (const second of [BEGINNING, at(0)]) assert.deepEqual(await people.holderAt(red, second), holder);
    await mapping.remove(red);
    assert.deepEqual(await people.holderAt(red, at(0)), {});
  },
  'finds the holder of each second': async (stores) => {
    await write(stores, {
      persons: [named(ada, lovelace), named(bob, babbage)],
      timelines: [
        timeline(
          red,
          given(at(10), ada),
          { since: at(15), why: 'returned', stamp: stamp(1), isUndone: true },
          given(at(20), bob),
          { since: at(30), why: 'lost', stamp: stamp(1) },
          { since: at(40), why: 'returned', stamp: stamp(1) },
        ),
        timeline(blue),
      ],
    });
    const { people } = stores;
    const [one, other] = [{ person: ada, name: lovelace }, { person: bob, name: babbage }]; // prettier-ignore
    for (const [second, holder] of [
      ...[[BEGINNING, {}] as const, [at(9), {}] as const, [at(10), one] as const, [at(19), one] as const],
      ...[[at(20), other] as const, [at(29), other] as const, [at(30), { isLost: true }] as const],
      ...[[at(39), { isLost: true }] as const, [at(40), {}] as const, [at(1_000_000), {}] as const],
    ])
      assert.deepEqual(await people.holderAt(red, second), holder, `second ${second}`);
    assert.deepEqual(await people.holderAt(blue, at(0)), {});
  },
  'names the person that a holder was merged into': async (stores) => {
    const merged = person(redHolder, { alias: { value: bob, stamp: stamp(2) } });
    const between = person(bob, { alias: { value: ada, stamp: stamp(2) }, aliases: [redHolder] });
    await write(stores, {
      persons: [{ ...named(ada, lovelace), aliases: [bob] }, between, merged],
      timelines: [timeline(red, given(BEGINNING, redHolder))],
    });
    assert.deepEqual(await stores.people.holderAt(red, at(0)), { person: ada, name: lovelace });
  },
  'names persons that are one by their later name': async (stores) => {
    const merged: Person = { ...named(bob, babbage, 2), alias: { value: ada, stamp: stamp(3) } };
    await write(stores, {
      persons: [{ ...named(ada, lovelace, 1), aliases: [bob] }, merged],
      timelines: [timeline(red, given(BEGINNING, ada)), timeline(blue, given(BEGINNING, bob))],
    });
    for (const tag of [red, blue])
      assert.deepEqual(await stores.people.holderAt(tag, at(0)), { person: ada, name: babbage });
  },
  'knows a holder without a name': async (stores) => {
    await write(stores, {
      persons: [person(bob, { removed: stamp(3) })],
      timelines: [timeline(red, given(BEGINNING, ada)), timeline(blue, given(BEGINNING, bob))],
    });
    assert.deepEqual(await stores.people.holderAt(red, at(0)), { person: ada });
    assert.deepEqual(await stores.people.holderAt(blue, at(0)), { person: bob });
  },
  'knows whose tag of last resort one is': async (stores) => {
    const { people } = stores;
    const lastResort = people.lastResortOf(redHolder);
    await write(stores, {
      persons: [named(ada, lovelace), named(redHolder, babbage)],
      timelines: [timeline(lastResort, given(BEGINNING, redHolder))],
    });
    assert.deepEqual(await people.holderAt(people.lastResortOf(ada), at(0)), { person: ada, name: lovelace });
    assert.deepEqual(await people.holderAt(lastResort, at(0)), { person: redHolder, name: babbage });
    assert.deepEqual(await people.holderAt(parseTallyId('FF5442AABBCCDDEEFF00'), at(0)), { person: bob });
  },
});
