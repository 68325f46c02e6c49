import assert from 'node:assert/strict';
import {
  parsePersonId,
  parseTallyId,
  STAMP_COUNTER_MAX,
  STAMP_MS_MAX,
  toDay,
  parseGroupId,
  type Group,
  type PeopleRows,
  type Person,
  type StampedName,
  type Timeline,
} from '@tallybook/domain';
import { casesOf, type ContractCase } from '../../runner.js';
import {
  ada,
  at,
  bears,
  babbage,
  BEGINNING,
  blue,
  board,
  bob,
  given,
  group,
  lovelace,
  named,
  onPeople,
  person,
  read,
  red,
  redHolder,
  rows,
  stamp,
  timeline,
  write,
  type PeopleStoreContractOptions,
} from './people-subject.js';

/** A person with every field, each as large and as strange as it can be. */
const whole: Person = {
  id: bob,
  name: {
    value: { first: '\u{1F469}\u200D\u{1F469} "O\'Neil\\', last: 'ß'.repeat(100) },
    stamp: stamp(STAMP_MS_MAX, STAMP_COUNTER_MAX, '山'.repeat(64)),
  },
  number: { value: '007', stamp: stamp(0, 0, '') },
  from: { value: toDay(0), stamp: stamp(5) },
  until: { value: undefined, stamp: stamp(6) },
  guest: {
    value: { since: toDay(7), host: 'ß'.repeat(100), reason: '"\\山' },
    stamp: stamp(8),
  },
  memberships: [
    { group: board, since: toDay(0), until: toDay(9), stamp: stamp(STAMP_MS_MAX, STAMP_COUNTER_MAX) },
    { group: board, since: toDay(20), stamp: stamp(9), isUndone: true },
    { group: bears, since: toDay(3), stamp: stamp(2, 1) },
  ],
  alias: { value: ada, stamp: stamp(7) },
  removed: stamp(1),
  isUntagged: true,
  doubt: { first: '', last: 'Babbage' },
  tags: [blue, red],
  aliases: [redHolder],
};

const eventful: Timeline = timeline(
  red,
  { since: BEGINNING, holder: redHolder, why: 'given', stamp: stamp(0, 0, '') },
  { since: at(1), why: 'lost', stamp: stamp(2), after: redHolder },
  { since: at(2), why: 'returned', stamp: stamp(3), isUndone: true },
  { since: at(3), holder: ada, why: 'given', stamp: stamp(4, 5), over: stamp(4, 4, ''), doubt: bob },
  { since: at(4), why: 'removed', stamp: stamp(STAMP_MS_MAX), after: ada },
);

const names: readonly StampedName[] = [
  { id: red, name: undefined, stamp: stamp(4) },
  { id: blue, name: lovelace, stamp: stamp(5, 1) },
];

/** Each field of a group, as strange as it can be; and one that was merged, whose label was taken away. */
const merged: Group = {
  id: bears,
  label: { value: undefined, stamp: stamp(3) },
  alias: { value: board, stamp: stamp(STAMP_MS_MAX, STAMP_COUNTER_MAX, '山') },
};
const strange: Group = group(board, '"Ä\\\u{1F43B}', 4);

/** What becomes of each kind of row that a decision was made on. */
const kinds: readonly {
  readonly kind: 'persons' | 'timelines' | 'groups' | 'names';
  readonly before: Partial<Record<keyof PeopleRows, readonly unknown[]>>;
  readonly after: Partial<Record<keyof PeopleRows, readonly unknown[]>>;
  readonly gone: Partial<Record<keyof PeopleRows, readonly unknown[]>>;
}[] = [
  {
    kind: 'persons',
    before: { persons: [named(ada, lovelace)] },
    after: { persons: [named(ada, lovelace, 2)] },
    gone: { persons: [[ada, undefined]] },
  },
  {
    kind: 'timelines',
    before: { timelines: [timeline(red, given(BEGINNING, ada))] },
    after: { timelines: [timeline(red, given(BEGINNING, ada), given(at(1), bob))] },
    gone: { timelines: [[red, undefined]] },
  },
  {
    kind: 'groups',
    before: { groups: [group(board, 'Board')] },
    after: { groups: [group(board, 'Board', 2)] },
    gone: { groups: [[board, undefined]] },
  },
  {
    kind: 'names',
    before: { names: [{ id: red, name: lovelace, stamp: stamp(1) }] },
    after: { names: [{ id: red, name: lovelace, stamp: stamp(2) }] },
    gone: { names: [[red, undefined]] },
  },
];

const keys = { persons: [ada, bob], timelines: [red, blue], names: [red, blue], groups: [board, bears] };

/** Rows: reading, writing, and writing on what was seen. */
export const rowCases: readonly ContractCase<PeopleStoreContractOptions['make']>[] = casesOf(onPeople, {
  'has no row where none was written, and says so for each key': async (stores) => {
    const missing = new Map([[ada, undefined], [bob, undefined]]); // prettier-ignore
    const without = new Map([[red, undefined], [blue, undefined]]); // prettier-ignore
    assert.deepEqual(await read(stores, keys), {
      persons: missing,
      timelines: without,
      groups: new Map([[board, undefined], [bears, undefined]]), // prettier-ignore
      carried: new Map(),
      names: without,
    });
    assert.deepEqual(await stores.people.groups(), []);
    assert.deepEqual(await stores.people.persons(undefined, 10), []);
    assert.deepEqual(await stores.people.timelines(undefined, 10), []);
  },
  'gives rows as they were written': async (stores) => {
    const silent = timeline(blue);
    const written = {
      ...{ persons: [person(ada), whole], timelines: [eventful, silent] },
      ...{ groups: [strange, merged], names },
    };
    await write(stores, written);
    assert.deepEqual(await read(stores, keys), rows(written));
    assert.deepEqual(await stores.people.groups(), [strange, merged]);
    assert.deepEqual(await stores.people.persons(undefined, 10), [person(ada), whole]);
    assert.deepEqual(await stores.people.timelines(undefined, 10), [silent, eventful]);
  },
  'replaces rows, and removes them': async (stores) => {
    await write(stores, {
      persons: [whole, named(ada, lovelace)],
      timelines: [eventful],
      groups: [strange, merged],
      names,
    });
    const [gone, plain] = [timeline(red, given(at(1), ada)), person(bob)];
    await write(stores, {
      persons: [plain, [ada, undefined]],
      timelines: [gone],
      groups: [group(board, 'Board'), [bears, undefined]],
      names: [[blue, undefined]],
    });
    const left = await read(stores, keys);
    assert.deepEqual([...left.persons.values()], [undefined, plain]);
    assert.deepEqual([...left.timelines.values()], [gone, undefined]);
    assert.deepEqual([...left.groups.values()], [group(board, 'Board'), undefined]);
    assert.deepEqual([...left.names.values()], [names[0], undefined]);
    await write(stores, {
      ...{ persons: [[bob, undefined]], timelines: [[red, undefined]], groups: [[board, undefined]] },
    });
    assert.deepEqual(await stores.people.groups(), []);
    assert.deepEqual(await stores.people.persons(undefined, 10), []);
    assert.deepEqual(await stores.people.timelines(undefined, 10), []);
    assert.equal(await stores.mapping.get(blue), undefined);
  },
  'writes nothing if a row that it was decided on is another one now': async (stores) => {
    for (const { kind, before, after, gone } of kinds) {
      for (const [was, is] of [
        [before, after],
        [before, gone],
        [gone, before],
      ] as const) {
        await write(stores, was as Parameters<typeof write>[1]);
        const seen = await read(stores, {
          [kind]: [{ persons: ada, timelines: red, groups: board, names: red }[kind]],
        });
        await write(stores, is as Parameters<typeof write>[1]);
        const state = await read(stores, keys);
        const [revision, changes] = [await stores.people.revision(), await stores.journal.latest()];
        const written = rows({
          persons: [named(ada, babbage, 9), whole],
          timelines: [eventful, timeline(blue, given(BEGINNING, bob))],
          groups: [group(board, 'Another', 9), merged],
          names,
        });
        assert.equal(await stores.people.write(written, seen), false, `another one of ${kind}`);
        assert.deepEqual(await read(stores, keys), state);
        assert.deepEqual(
          [await stores.people.revision(), await stores.journal.latest()],
          [revision, changes],
        );
      }
    }
  },
  'writes if the rows that it was decided on are the same, whatever became of others': async (stores) => {
    await write(stores, { persons: [whole], timelines: [eventful], names });
    const seen = await read(stores, {
      persons: [bob, ada],
      timelines: [red, blue],
      groups: [board],
      names: [red, blue],
    });
    await write(stores, {
      persons: [named(redHolder, lovelace)],
      timelines: [timeline(parseTallyId('010203'), given(BEGINNING, bob))],
      groups: [merged],
      names: [{ id: parseTallyId('010203'), name: babbage, stamp: stamp(1) }],
    });
    assert.equal(await stores.people.write(rows({ persons: [named(ada, lovelace)] }), seen), true);
    const { persons } = await read(stores, { persons: [ada, bob] });
    assert.deepEqual([...persons.values()], [named(ada, lovelace), whole]);
  },
  'writes one of several changes that were decided on the same rows': async (stores) => {
    await write(stores, { persons: [named(ada, lovelace)] });
    const seen = await read(stores, { persons: [ada] });
    const writes = Array.from({ length: 20 }, (_, n) =>
      stores.people.write(rows({ persons: [named(ada, lovelace, 10 + n)] }), seen),
    );
    const outcomes = await Promise.all(writes);
    assert.equal(outcomes.filter((isWritten) => isWritten).length, 1);
    const { persons } = await read(stores, { persons: [ada] });
    assert.equal(persons.get(ada)?.name?.stamp.ms, 10 + outcomes.indexOf(true));
  },
  'writes all rows or none, also for readers meanwhile': async (stores) => {
    const many = Array.from({ length: 100 }, (_, n) => parseTallyId(`AB${String(n).padStart(8, '0')}`));
    const groupIds = many.map((tag) => parseGroupId(tag.toLowerCase()));
    const writing = write(stores, {
      persons: many.map((tag) => named(parsePersonId(`tag-${tag}`), lovelace)),
      timelines: many.map((tag) => timeline(tag, given(BEGINNING, ada))),
      groups: groupIds.map((id) => group(id, id)),
      names: many.map((id) => ({ id, name: lovelace, stamp: stamp(1) })),
    });
    const sizes = new Set<number>();
    const state = { isDone: false };
    const done = writing.then(() => (state.isDone = true));
    const count = async (): Promise<void> => {
      const {
        persons,
        timelines,
        groups,
        names: all,
      } = await read(stores, {
        persons: many.map((tag) => parsePersonId(`tag-${tag}`)),
        timelines: many,
        groups: groupIds,
        names: many,
      });
      const found = [persons, timelines, groups, all].flatMap((map) => [...map.values()]);
      sizes.add(found.filter((row) => row !== undefined).length);
    };
    // A limited number of reads: reading must not keep a fake from going on.
    for (let n = 0; n < 200 && !state.isDone; n++) await count();
    await done;
    await count();
    for (const size of sizes) assert.ok(size === 0 || size === 400, `${size} of 400 rows were there`);
    assert.ok(sizes.has(400));
  },
  'lists persons after an id, ascending by id': async (stores) => {
    const ids = ['tag-04A2B3C4D5', 'AABBCCDDEEFF00', 'tag-010203', '00112233445566', 'FFFFFFFFFFFFFF'];
    const ascending = [...ids].sort().map(parsePersonId);
    await write(stores, { persons: ids.map((id) => named(parsePersonId(id), lovelace)) });
    for (const [index, after] of [undefined, ...ascending].entries()) {
      const listed = (await stores.people.persons(after, 10)).map(({ id }) => id);
      assert.deepEqual(listed, ascending.slice(index));
    }
    assert.deepEqual(
      (await stores.people.persons(parsePersonId('tag-02AABBCC'), 10)).map(({ id }) => id),
      ['tag-04A2B3C4D5'],
    );
    assert.deepEqual(await pagesOf((after: Person | undefined) => stores.people.persons(after?.id, 2)), [
      ...ascending.map((id) => named(id, lovelace)),
    ]);
  },
  'lists timelines after a tag, ascending': async (stores) => {
    const tags = ['04A2B3C4D5', '010203', '0006547886', 'FF544200112233445566', '04A2B3', '01020304'];
    const ascending = [...tags].sort().map(parseTallyId);
    const rowOf = (tag: Timeline['tag']): Timeline => timeline(tag, given(BEGINNING, ada));
    await write(stores, { timelines: tags.map((tag) => rowOf(parseTallyId(tag))) });
    for (const [index, after] of [undefined, ...ascending].entries()) {
      const listed = (await stores.people.timelines(after, 10)).map(({ tag }) => tag);
      assert.deepEqual(listed, ascending.slice(index));
    }
    assert.deepEqual(
      await pagesOf((after: Timeline | undefined) => stores.people.timelines(after?.tag, 2)),
      ascending.map(rowOf),
    );
  },
  'lists all groups, ascending by id': async (stores) => {
    // In UTF-8, U+FA0E comes before U+1F43B; as text, it comes after.
    const ids = ['\uFA0E', '1. riege', 'vorstand', '7b', '\u{1F43B}', 'ω', '山'].map(parseGroupId);
    await write(stores, { groups: ids.map((id) => group(id, id)) });
    assert.deepEqual(
      await stores.people.groups(),
      [...ids].sort().map((id) => group(id, id)),
    );
    const many = Array.from({ length: 1_200 }, (_, n) => parseGroupId(`g${n} ${'山'.repeat(50)}`));
    await write(stores, { groups: many.map((id) => group(id, id)) });
    assert.deepEqual(
      (await stores.people.groups()).map(({ id }) => id),
      [...ids, ...many].sort(),
    );
  },
  'changes its revision with each person, each timeline and each group': async (stores) => {
    const revisions = [await stores.people.revision()];
    for (const written of [
      { persons: [named(ada, lovelace)] },
      { persons: [named(ada, babbage)] },
      { timelines: [timeline(red, given(BEGINNING, ada))] },
      { timelines: [timeline(red, given(at(1), ada))] },
      { timelines: [[red, undefined] as const] },
      { groups: [group(board, 'Board')] },
      { groups: [group(board, 'Council')] },
      { groups: [[board, undefined] as const] },
      { persons: [[ada, undefined] as const] },
    ]) {
      await write(stores, written);
      revisions.push(await stores.people.revision());
    }
    assert.equal(new Set(revisions).size, revisions.length);
    assert.equal(await stores.people.revision(), revisions.at(-1));
  },
  'gives each new person an id of their own': async ({ people }) => {
    const ids = Array.from({ length: 1_000 }, () => people.newId());
    for (const id of ids) assert.match(id, /^[0-9A-F]{14}$/);
    assert.equal(new Set(ids).size, ids.length);
  },
  'knows the tag of last resort of each person': async ({ people }) => {
    assert.equal(people.lastResortOf(ada), `FF5442${ada}`);
    assert.equal(people.lastResortOf(redHolder), 'FF544241C27B679BB482');
    assert.equal(people.lastResortOf(parsePersonId('tag-010203')), 'FF5442B79EA17B7C5CA8');
  },
  'stamps a change later than the one before': async ({ people }, source) => {
    const { node } = source;
    source.ms = 500;
    assert.deepEqual(people.stampAfter(undefined), { ms: 500, counter: 0, node });
    assert.deepEqual(people.stampAfter(stamp(499, 7)), { ms: 500, counter: 0, node });
    assert.deepEqual(people.stampAfter(stamp(501, 7)), { ms: 501, counter: 8, node });
    source.ms = undefined;
    assert.deepEqual(people.stampAfter(undefined), { ms: 0, counter: 0, node });
    assert.deepEqual(people.stampAfter(stamp(501, 7)), { ms: 501, counter: 8, node });
  },
  'keeps what it acknowledged across a restart': async (stores, source) => {
    await write(stores, {
      ...{ persons: [whole, person(ada)], timelines: [eventful] },
      ...{ groups: [strange, merged], names },
    });
    await write(stores, { persons: [[ada, undefined]], groups: [[bears, undefined]] });
    const again = await stores.restart(source);
    const { persons, timelines, groups, names: kept } = await read(again, keys);
    assert.deepEqual([...persons.values()], [undefined, whole]);
    assert.deepEqual([...timelines.values()], [eventful, undefined]);
    assert.deepEqual([...groups.values()], [strange, undefined]);
    assert.deepEqual([...kept.values()], names);
    assert.deepEqual(await again.mapping.get(blue), lovelace);
  },
});

/** All rows, a page at a time. */
async function pagesOf<Row>(
  read: (after: Row | undefined) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await read(all.at(-1));
    assert.ok(page.length <= 2);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
