import assert from 'node:assert/strict';
import {
  carriedKeyOf,
  DAY_MAX,
  parseGroupId,
  parsePersonId,
  parseTallyId,
  toCarried,
  toDay,
  type AttendanceDay,
  type CarriedRow,
  type Day,
  type DayStore,
  type Filing,
  type MappingStore,
  type Name,
  type PeopleStore,
  type Group,
  type Person,
  type ProvisionalScan,
  type ProvisionalStore,
  type Snapshot,
  type SnapshotSource,
  type TallyId,
  type Timeline,
} from '@tallybook/domain';
import {
  noPeopleRows,
  type Correction,
  type CorrectionStore,
  type NewCorrection,
} from '@tallybook/domain/record';
import {
  casesOf,
  onSubject,
  runCases,
  type ContractCase,
  type ContractOptions,
  type MakeSubject,
  type TestRunner,
} from '../../runner.js';
import { ada, at, bob, cyd, day as first, lovelace, nextDay as second } from '../fixtures.js';

/** A source under test and the stores of its snapshots: open, empty, and not shared with other subjects. */
export interface SnapshotSubject {
  readonly snapshots: SnapshotSource;
  readonly mapping: MappingStore;
  readonly days: DayStore;
  /** Left out if the device has none. */
  readonly provisional?: ProvisionalStore;
  /** Left out if the device has none. */
  readonly corrections?: CorrectionStore;
  /** Left out if the device has none. */
  readonly people?: PeopleStore;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

export type SnapshotSourceContractOptions = ContractOptions<MakeSubject<SnapshotSubject>>;

/** Checks the promises of {@link SnapshotSource}. */
export function snapshotSourceContract(runner: TestRunner, options: SnapshotSourceContractOptions): void {
  runCases(runner, 'a SnapshotSource', cases, options);
}

/** A tag with a timeline: its name is not in the mapping. */
const dot = parseTallyId('02030405');
const held = { id: ada, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) };
const filing: Filing = {
  day: first,
  at: at(5),
  estimate: { earliest: at(1), latest: at(9) },
  isRecorded: true,
};

const forgotten: NewCorrection = {
  action: 'add',
  day: first,
  id: ada,
  at: at(0),
  reason: 'Forgot to tap',
  author: 'desk',
  madeAt: at(9),
  state: 'pending',
};

const cases: readonly ContractCase<SnapshotSourceContractOptions['make']>[] = casesOf(onSnapshots, {
  'gives nothing of stores that hold nothing': async ({ snapshots }) => {
    assert.deepEqual(await contentsOf(await snapshots.take()), {
      names: [],
      days: [],
      corrections: [],
      provisional: [],
      persons: [],
      timelines: [],
      groups: [],
      carried: [],
    });
  },
  'gives all names, ascending by id': async ({ snapshots, mapping }) => {
    await mapping.put(ada, lovelace);
    await mapping.put(bob, { first: 'Bob', last: '' });
    await mapping.put(cyd, { first: '', last: 'Cyd' });
    const { names } = await contentsOf(await snapshots.take());
    const expected = [
      [bob, { first: 'Bob', last: '' }],
      [cyd, { first: '', last: 'Cyd' }],
      [ada, lovelace],
    ];
    assert.deepEqual(names, expected);
  },
  'gives all days, ascending': async ({ snapshots, days }) => {
    for (const day of [second, toDay(3), first]) await days.record(day, ada, at(0));
    const { days: records } = await contentsOf(await snapshots.take());
    assert.deepEqual(
      records.map(({ day }) => day),
      [3, first, second],
    );
  },
  'gives the days from one to another, both included, and no others': async ({ snapshots, days }) => {
    for (const day of [1, 3, 5, 7, DAY_MAX]) await days.record(toDay(day), ada, at(0));
    await using snapshot = await snapshots.take();
    const listed = async (from: number, to: number): Promise<readonly Day[]> => {
      const records = await collect(snapshot.days(toDay(from), toDay(to)));
      return records.map(({ day }) => day);
    };
    assert.deepEqual(await listed(3, 5), [3, 5]);
    assert.deepEqual(await listed(4, 4), []);
    assert.deepEqual(await listed(0, DAY_MAX), [1, 3, 5, 7, DAY_MAX]);
    assert.deepEqual(await listed(5, 3), []);
  },
  'gives each day as its store does': async ({ snapshots, days }) => {
    await days.record(first, ada, at(7));
    await days.record(first, bob, at(3));
    await days.record(first, ada, at(9));
    await days.record(first, cyd, at(7));
    const { days: records } = await contentsOf(await snapshots.take());
    assert.deepEqual(records, [await days.load(first)]);
  },
  'gives provisional scans as their store does': async ({ snapshots, provisional }) => {
    if (provisional === undefined) return;
    const sequence = await provisional.add(held);
    await provisional.add({ ...held, id: bob, monotonicMs: 0 });
    await provisional.settle(sequence, filing);
    const contents = await contentsOf(await snapshots.take());
    assert.deepEqual(contents.provisional, await provisional.list());
    assert.equal(contents.provisional.length, 2);
  },
  'gives corrections as their store does': async ({ snapshots, corrections }) => {
    if (corrections === undefined) return;
    const days = [7, 3, 5].map(toDay);
    await corrections.correct(days.map((day) => ({ ...forgotten, day })));
    await corrections.correct(days.map((day) => ({ ...forgotten, day, action: 'void' })));
    await using snapshot = await snapshots.take();
    for (const [from, to] of [
      [0, DAY_MAX],
      [3, 5],
      [4, 4],
      [7, 3],
    ] as const) {
      const listed = await corrections.list(toDay(from), toDay(to));
      assert.deepEqual(await collect(snapshot.corrections(toDay(from), toDay(to))), listed);
    }
    assert.equal((await collect(snapshot.corrections())).length, 6);
  },
  'gives persons, timelines and groups as their store does': async ({ snapshots, people }) => {
    if (people === undefined) return;
    for (const tag of [ada, cyd, bob]) await writePeople(people, tag, 1);
    const contents = await contentsOf(await snapshots.take());
    assert.deepEqual(contents.persons, await people.persons(undefined, 10));
    assert.deepEqual(contents.timelines, await people.timelines(undefined, 10));
    assert.deepEqual(contents.groups, await people.groups());
    const { persons, timelines, groups } = contents;
    assert.deepEqual([persons.length, timelines.length, groups.length], [3, 3, 3]);
  },
  'gives carried rows as their store does': async ({ snapshots, people }) => {
    if (people === undefined) return;
    for (const tag of [ada, cyd, bob]) await writePeople(people, tag, 1);
    const { carried } = await contentsOf(await snapshots.take());
    assert.deepEqual(carried, await people.carried(undefined, 10));
    assert.equal(carried.length, 3);
  },
  'gives the scans of a tag as the store of the days does': async ({ snapshots, days }) => {
    for (const second of [7, 3, 9, 5]) await days.record(first, ada, at(second));
    await days.record(first, bob, at(1));
    await using snapshot = await snapshots.take();
    assert.deepEqual(await snapshot.scans(first, ada), [3, 5, 7, 9].map(at));
    assert.deepEqual(await snapshot.scans(first, cyd), []);
    assert.deepEqual(await snapshot.scans(second, ada), []);
  },
  'gives scans as they were, whatever becomes of them': async ({ snapshots, days }) => {
    for (const second of [3, 9]) await days.record(first, ada, at(second));
    await using snapshot = await snapshots.take();
    for (const second of [1, 5]) await days.record(first, ada, at(second));
    assert.deepEqual(await snapshot.scans(first, ada), [3, 9].map(at));
  },
  'gives days with their known scans as the store of the days does': async ({ snapshots, days }) => {
    for (const second of [7, 3, 9]) await days.record(first, ada, at(second), { flags: second });
    await days.record(second, bob, at(1));
    await using snapshot = await snapshots.take();
    const [one, other] = [await days.details(first), await days.details(second)];
    assert.deepEqual(await collect(snapshot.details()), [one, other]);
    assert.deepEqual(await collect(snapshot.details(first, first)), [one]);
    assert.deepEqual(await collect(snapshot.details(second, first)), []);
  },
  'gives days with their known scans as they were, whatever becomes of them': async ({ snapshots, days }) => {
    for (const second of [3, 9]) await days.record(first, ada, at(second));
    const before = await days.details(first);
    await using snapshot = await snapshots.take();
    await days.record(first, ada, at(5));
    await days.record(first, ada, at(3), { flags: 1 });
    assert.deepEqual(await collect(snapshot.details()), [before]);
  },
  'gives the same again, also while it is being read': async (subject) => {
    await fill(subject);
    const snapshot = await subject.snapshots.take();
    const [one, other] = await Promise.all([contentsOf(snapshot), contentsOf(snapshot)]);
    assert.deepEqual(other, one);
    assert.deepEqual(await contentsOf(snapshot), one);
  },
  'gives names as they were, whatever becomes of them': async (subject) => {
    await staysAsItWas(subject, async ({ mapping }) => {
      await mapping.put(ada, { first: 'Ada', last: 'King' });
      await mapping.put(cyd, { first: '', last: 'Cyd' });
      await mapping.remove(bob);
    });
  },
  'gives days as they were, whatever becomes of them': async (subject) => {
    await staysAsItWas(subject, async ({ days }) => {
      await days.record(first, ada, at(100));
      await days.record(toDay(1), cyd, at(0));
      await days.remove(second);
    });
  },
  'gives provisional scans as they were, whatever becomes of them': async (subject) => {
    await staysAsItWas(subject, async ({ provisional }) => {
      await provisional?.settle(1, filing);
      await provisional?.add({ ...held, id: cyd });
      await provisional?.remove(2);
    });
  },
  'gives corrections as they were, whatever becomes of them': async (subject) => {
    await staysAsItWas(subject, async ({ corrections }) => {
      await corrections?.decide(1, { state: 'approved', by: 'boss', at: at(20) });
      await corrections?.correct([{ ...forgotten, id: bob }]);
      await corrections?.remove(second);
    });
  },
  'gives persons, timelines and groups as they were, whatever becomes of them': async (subject) => {
    await staysAsItWas(subject, async ({ people }) => {
      if (people === undefined) return;
      await writePeople(people, dot, 2);
      await writePeople(people, bob, 2);
    });
  },
  'can be taken while another one is open, each of its own moment': async ({ snapshots, days }) => {
    const before = await snapshots.take();
    await days.record(first, ada, at(0));
    const after = await snapshots.take();
    assert.equal((await contentsOf(after)).days.length, 1);
    assert.equal((await contentsOf(before)).days.length, 0);
  },
  'does not block writers': async ({ snapshots, mapping, days }) => {
    const snapshot = await snapshots.take();
    await Promise.all([mapping.put(ada, lovelace), days.record(first, ada, at(0))]);
    await snapshot[Symbol.asyncDispose]();
    assert.deepEqual(await mapping.get(ada), lovelace);
    assert.deepEqual(await days.list(first, first), [first]);
  },
  'can be disposed of twice': async ({ snapshots }) => {
    const snapshot = await snapshots.take();
    await snapshot[Symbol.asyncDispose]();
    await snapshot[Symbol.asyncDispose]();
  },
});

/** A case on stores that are open and empty. */
function onSnapshots(
  title: string,
  body: (subject: SnapshotSubject) => Promise<void>,
): ContractCase<SnapshotSourceContractOptions['make']> {
  return onSubject(title, (make) => make(), body);
}

async function fill({ mapping, days, provisional, corrections, people }: SnapshotSubject): Promise<void> {
  await mapping.put(ada, lovelace);
  await mapping.put(bob, { first: 'Bob', last: '' });
  await days.record(first, ada, at(0));
  await days.record(second, bob, at(86_400));
  await provisional?.add(held);
  await provisional?.add({ ...held, id: bob });
  if (people !== undefined) await writePeople(people, dot, 1);
  await corrections?.correct([forgotten, { ...forgotten, day: second }]);
}

/** Writes the implicit person of a tag, its timeline, a group, and a carried row. */
async function writePeople(people: PeopleStore, tag: TallyId, ms: number): Promise<void> {
  const holder = parsePersonId(`tag-${tag}`);
  const stamp = { ms, counter: 0, node: 'a' };
  const group = parseGroupId(`\u5C71 ${tag.toLowerCase()}`);
  const carried = toCarried({
    ...{ kind: 'occasion', id: tag, stamp: [ms, 0, 'a'], persons: [holder], tags: [tag], value: ms },
  });
  const person: Person = { id: holder, number: { value: `${ms}`, stamp }, tags: [tag], aliases: [] };
  const timeline: Timeline = { tag, entries: [{ since: at(0), holder, why: 'given', stamp }] };
  await people.write(
    {
      persons: new Map([[holder, person]]),
      timelines: new Map([[tag, timeline]]),
      carried: new Map([[carriedKeyOf(carried), carried]]),
      groups: new Map([[group, { id: group, label: { value: `${ms}`, stamp } }]]),
      names: new Map(),
    },
    noPeopleRows,
  );
}

async function staysAsItWas(
  subject: SnapshotSubject,
  change: (subject: SnapshotSubject) => Promise<void>,
): Promise<void> {
  await fill(subject);
  const reference = await contentsOf(await subject.snapshots.take());
  const snapshot = await subject.snapshots.take();
  await change(subject);
  assert.deepEqual(await contentsOf(snapshot), reference);
}

interface Contents {
  readonly names: readonly (readonly [id: TallyId, name: Name])[];
  readonly days: readonly AttendanceDay[];
  readonly corrections: readonly Correction[];
  readonly provisional: readonly ProvisionalScan[];
  readonly persons: readonly Person[];
  readonly timelines: readonly Timeline[];
  readonly groups: readonly Group[];
  readonly carried: readonly CarriedRow[];
}

/** All data of a snapshot; its parts are read at the same time. */
async function contentsOf(snapshot: Snapshot): Promise<Contents> {
  const [names, days, corrections, provisional, persons, timelines, groups, carried] = await Promise.all([
    collect(snapshot.names()),
    collect(snapshot.days()),
    collect(snapshot.corrections()),
    collect(snapshot.provisional()),
    collect(snapshot.persons()),
    collect(snapshot.timelines()),
    collect(snapshot.groups()),
    collect(snapshot.carried()),
  ]);
  return { names, days, corrections, provisional, persons, timelines, groups, carried };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}
