import assert from 'node:assert/strict';
import { isTallybookError, toTimestamp, type Name, type TallyId } from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../runner.js';
import {
  ada,
  at,
  babbage,
  bears,
  BEGINNING,
  blue,
  board,
  bob,
  changesOf,
  given,
  group,
  lovelace,
  named,
  onPeople,
  read,
  red,
  rows,
  stamp,
  timeline,
  write,
  type PeopleStoreContractOptions,
  type PeopleStores,
} from './people-subject.js';

const name = (id: TallyId, its: Name | undefined, ms = 1) => ({ id, name: its, stamp: stamp(ms) });
const held = { timelines: [timeline(red, given(BEGINNING, ada))], names: [name(red, lovelace)] };

/** Writes of names that would change this tag, and another one that has no timeline. */
function namings(
  { mapping, stampedNames }: PeopleStores,
  tag: TallyId,
): Readonly<Record<string, () => Promise<unknown>>> {
  const stamped = [name(blue, babbage, 9), name(tag, babbage, 9)];
  return {
    put: () => mapping.put(tag, babbage),
    restore: () => mapping.restore(tag, babbage, toTimestamp(at(9))),
    change: () => mapping.change(new Map([[blue, babbage], [tag, babbage]])), // prettier-ignore
    ...(stampedNames && {
      merge: () => stampedNames.merge(stamped),
      replace: () => stampedNames.replace(stamped),
    }),
  };
}

async function rejectsNames(
  stores: PeopleStores,
  tag: TallyId,
  more: ReturnType<typeof namings>,
): Promise<void> {
  const [before, changes] = [await read(stores, { names: [tag, blue] }), await stores.journal.latest()];
  for (const [operation, write] of Object.entries({ ...namings(stores, tag), ...more })) {
    await assert.rejects(write, (error) => isTallybookError(error, 'TAG_HAS_TIMELINE'), operation);
    assert.deepEqual(await read(stores, { names: [tag, blue] }), before, operation);
    assert.equal(await stores.journal.latest(), changes, operation);
  }
}

/** Persons beside the names of a `MappingStore`. */
export const besideNamesCases: readonly ContractCase<PeopleStoreContractOptions['make']>[] = casesOf(
  onPeople,
  {
    'shows its names in the mapping': async (stores) => {
      const { mapping } = stores;
      const revisions = [await mapping.revision()];
      await write(stores, { names: [name(red, lovelace), name(blue, babbage)] });
      revisions.push(await mapping.revision());
      assert.deepEqual([...(await mapping.read())], [[blue, babbage], [red, lovelace]]); // prettier-ignore
      await write(stores, { names: [name(red, undefined, 2), [blue, undefined]] });
      revisions.push(await mapping.revision());
      assert.equal(await mapping.get(red), undefined);
      assert.equal((await mapping.read()).size, 0);
      assert.equal(new Set(revisions).size, 3);
    },
    'gives the names that were put into the mapping, with their stamps': async (stores, source) => {
      source.ms = 500;
      await stores.mapping.put(red, lovelace);
      const put = { id: red, name: lovelace, stamp: stamp(500, 0, source.node) };
      assert.deepEqual(await read(stores, { names: [red] }), rows({ names: [put] }));
      await stores.mapping.remove(red);
      const removed = { id: red, name: undefined, stamp: stamp(500, 1, source.node) };
      assert.deepEqual(await read(stores, { names: [red] }), rows({ names: [removed] }));
    },
    'rejects each name for a tag with a timeline, as a whole': async (stores) => {
      await write(stores, held);
      const { mapping } = stores;
      await rejectsNames(stores, red, {
        remove: () => mapping.remove(red),
        'change to no name': () => mapping.change(new Map([[red, undefined]])),
      });
    },
    'rejects each name for a tag of last resort, as a whole': async (stores) => {
      const lastResort = stores.people.lastResortOf(bob);
      await rejectsNames(stores, lastResort, {});
      await write(stores, { persons: [named(bob, babbage)], names: [name(lastResort, babbage)] });
      await rejectsNames(stores, lastResort, { remove: () => stores.mapping.remove(lastResort) });
    },
    'lets the mapping name a tag whose timeline was removed, and all others': async (stores) => {
      await write(stores, held);
      await stores.mapping.put(blue, babbage);
      await write(stores, { timelines: [[red, undefined]], names: [[red, undefined]] });
      assert.equal(await stores.mapping.put(red, babbage), 'added');
      assert.equal(await stores.mapping.remove(red), true);
    },
    'writes in turn with the mapping': async (stores, source) => {
      source.ms = 500;
      const seen = await read(stores, { names: [red] });
      const putting = stores.mapping.put(red, babbage);
      const writing = stores.people.write(rows(held), seen);
      await putting;
      assert.equal(await writing, false);
      const present = await read(stores, { names: [red] });
      const isWritten = stores.people.write(rows(held), present);
      await assert.rejects(stores.mapping.put(red, babbage), (error) =>
        isTallybookError(error, 'TAG_HAS_TIMELINE'),
      );
      assert.equal(await isWritten, true);
      assert.deepEqual(await stores.mapping.get(red), lovelace);
    },
    'reports changed persons, timelines, groups and names in the journal, and nothing else': async (
      stores,
    ) => {
      const kindsOf = async (): Promise<readonly string[]> =>
        (await changesOf(stores)).map((change) => JSON.stringify(change)).sort();
      const changes: object[] = [];
      const sorted = (): readonly string[] => changes.map((change) => JSON.stringify(change)).sort();
      await write(stores, { ...held, persons: [named(ada, lovelace), named(bob, babbage)] });
      changes.push({ kind: 'person', person: ada }, { kind: 'person', person: bob });
      changes.push({ kind: 'tag', id: red }, { kind: 'name', id: red, action: 'added' });
      assert.deepEqual(await kindsOf(), sorted());
      await write(stores, { names: [name(red, lovelace, 2), name(blue, undefined, 2)] });
      assert.deepEqual(await kindsOf(), sorted());
      await write(stores, { persons: [named(ada, babbage, 3)], names: [name(red, babbage, 3)] });
      changes.push({ kind: 'person', person: ada }, { kind: 'name', id: red, action: 'replaced' });
      assert.deepEqual(await kindsOf(), sorted());
      await write(stores, {
        persons: [[bob, undefined]],
        timelines: [[red, undefined]],
        names: [[red, undefined]],
      });
      changes.push({ kind: 'person', person: bob }, { kind: 'tag', id: red });
      changes.push({ kind: 'name', id: red, action: 'removed' });
      assert.deepEqual(await kindsOf(), sorted());
      await write(stores, { groups: [group(bears, 'Bears'), group(board, 'Board')] });
      changes.push({ kind: 'group', group: bears }, { kind: 'group', group: board });
      assert.deepEqual(await kindsOf(), sorted());
      await write(stores, { groups: [group(bears, 'Baren', 2)] });
      await write(stores, { groups: [[bears, undefined]] });
      changes.push({ kind: 'group', group: bears }, { kind: 'group', group: bears });
      assert.deepEqual(await kindsOf(), sorted());
      await write(stores, {});
      assert.deepEqual(await kindsOf(), sorted());
    },
  },
);
