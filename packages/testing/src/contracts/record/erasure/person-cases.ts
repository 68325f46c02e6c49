import assert from 'node:assert/strict';
import {
  implicitPerson,
  isTallybookError,
  toCarried,
  toTimestamp,
  type PeopleStore,
  type PersonId,
  type Stamp,
} from '@tallybook/domain';
import type { KeptErasure } from '@tallybook/domain/record';
import { casesOf, type ContractCase } from '../../../runner.js';
import { rows } from '../../fixtures.js';
import { readAll } from '../journal-subject.js';
import { ada, at, bob, fill, first, idsOf, request, tracesOf } from './erasure-data.js';
import {
  onInterrupted,
  onStores,
  type ErasureStores,
  type ErasureSubject,
  type MakeErasures,
} from './erasure-subject.js';

const former = '00000000000001' as PersonId;
const present = '00000000000002' as PersonId;
const stamp: Stamp = { ms: 5_000, counter: 0, node: 'hall' };

/** The first holder had the tag up to second 7; what they did before is erased. */
const closed = { id: ada, from: toTimestamp(0), until: at(7), isClosed: true } as const;

/** Both have the tag of {@link fill}, one after the other. */
async function handOn(subject: ErasureStores): Promise<PeopleStore> {
  const people = peopleOf(subject);
  const seen = await people.read({ persons: [former, present], timelines: [ada], names: [ada] });
  const written = rows({
    persons: [former, present].map((id) => {
      const name = { value: { first: id, last: '' }, stamp };
      return { id, name, tags: [ada], aliases: [] };
    }),
    timelines: [
      {
        tag: ada,
        entries: [
          { since: toTimestamp(0), holder: former, why: 'given', stamp },
          { since: at(8), holder: present, why: 'given', stamp, after: former },
        ],
      },
    ],
    names: [{ id: ada, name: { first: present, last: '' }, stamp }],
  });
  assert.equal(await people.write(written, seen), true);
  return people;
}

const ofFormer = [
  { id: 'person', persons: [former], at: 9 },
  { id: 'tag', tags: [ada], at: 6 },
];
const ofOthers = [
  { id: 'later', tags: [ada], at: 9 },
  { id: 'nobody', at: 6 },
  { id: 'other', persons: [present], tags: [bob], at: 6 },
];

/** Writes carried rows of both holders, and of nobody. */
async function carry(people: PeopleStore): Promise<void> {
  const carried = [...ofFormer, ...ofOthers].map(({ id, at: second, ...about }) =>
    toCarried({
      ...{ kind: 'occasion', id, stamp: [at(second) * 1_000, 0, 'hall'], persons: [], tags: [], value: id },
      ...about,
    }),
  );
  assert.equal(await people.write(rows({ carried }), rows({})), true);
}

async function requireOthers(people: PeopleStore): Promise<void> {
  const left = await people.carried(undefined, 10);
  assert.deepEqual(
    left.map(({ id }) => id),
    ofOthers.map(({ id }) => id),
  );
}

function peopleOf({ people }: ErasureStores): PeopleStore {
  if (people === undefined) throw new Error('the subject has no people, and the options say so');
  return people;
}

/** What a place still knows of the first holder, and what it must know of the second one. */
async function requireErased(stores: ErasureStores): Promise<void> {
  const people = peopleOf(stores);
  const { persons, timelines } = await people.read({
    persons: [former, present],
    timelines: [ada],
    names: [],
  });
  assert.equal(persons.get(former), undefined);
  assert.deepEqual(persons.get(present)?.tags, [ada]);
  assert.deepEqual(timelines.get(ada)?.entries, [
    { since: toTimestamp(0), why: 'removed', stamp },
    { since: at(8), holder: present, why: 'given', stamp },
  ]);
  const changes = (await readAll(stores.journal)).map(({ change }) => change);
  assert.ok(!changes.some((change) => change.kind === 'person' && change.person === former));
}

/** Cases of a storage that has persons. */
export const personCases: readonly ContractCase<MakeErasures>[] = casesOf(onStores, {
  'erases the time of a holder, and leaves the time of the next one': async (subject) => {
    await fill(subject);
    const { erasures, days, corrections, provisional } = subject;
    await erasures.erase({ ids: [], holdings: [closed], ...request });
    assert.deepEqual(await days.scans(first, ada), [at(9)]);
    assert.equal((await corrections.list(first, first)).filter(({ id }) => id === ada).length, 1);
    assert.ok((await provisional.list()).some(({ id }) => id === ada));
    const told = (await readAll(subject.journal)).map(({ change }) => change);
    assert.ok(!told.some((change) => change.kind === 'scan' && change.id === ada && change.at <= at(7)));
    assert.ok(told.some((change) => change.kind === 'scan' && change.id === ada && change.at === at(9)));
  },
  'refuses the time of a holder, and nothing of an unknown time, if another one followed': async ({
    erasures,
  }) => {
    await erasures.erase({ ids: [], holdings: [{ ...closed, from: at(6) }], ...request });
    const refused = [at(5), at(6), at(7), at(8), undefined].map((each) => erasures.isRefused(ada, each));
    assert.deepEqual(refused, [false, true, true, false, false]);
  },
  'erases what the present holder did, and what has no time, and leaves the time before': async (subject) => {
    await fill(subject);
    const { erasures, days, corrections, provisional } = subject;
    const open = { id: ada, from: at(6), until: request.until };
    await erasures.erase({ ids: [], holdings: [open], ...request });
    assert.deepEqual(await days.scans(first, ada), [at(5)]);
    assert.equal((await corrections.list(first, first)).filter(({ id }) => id === ada).length, 0);
    assert.ok(!(await provisional.list()).some(({ id }) => id === ada));
    assert.equal(erasures.isRefused(ada, undefined), true);
    assert.equal(erasures.isRefused(ada, at(5)), false);
  },
  'erases the rows of a person, and what was recorded for them without a tag': async (subject) => {
    await fill(subject);
    const people = await handOn(subject);
    const { erasures, days, mapping } = subject;
    const lastResort = people.lastResortOf(former);
    await days.record(first, lastResort, at(20));
    await erasures.erase({ ids: [], holdings: [closed], persons: [former], ...request });
    await requireErased(subject);
    assert.deepEqual(await tracesOf(erasures, lastResort), []);
    assert.deepEqual((await idsOf(days))?.includes(ada), true);
    assert.deepEqual(await mapping.get(ada), { first: present, last: '' });
    assert.deepEqual(await people.holderAt(ada, at(6)), {});
    assert.equal(erasures.isRefused(lastResort, undefined), true);
    assert.equal(erasures.isRefused(people.lastResortOf(present), undefined), false);
  },
  'takes over the erasure of a person, and erases their rows': async (subject) => {
    const people = await erasedBefore(subject);
    await fill(subject);
    await handOn(subject);
    await subject.erasures.add(people, at(100_100));
    await requireErased(subject);
    assert.deepEqual(await subject.days.scans(first, ada), [at(9)]);
  },
  'erases the carried rows of a person and of a tag, and no others': async (subject) => {
    const people = peopleOf(subject);
    await carry(people);
    await subject.erasures.erase({ ids: [], holdings: [closed], persons: [former], ...request });
    await requireOthers(people);
  },
  'takes over the erasure of a person, and erases the carried rows about them': async (subject) => {
    const taken = await erasedBefore(subject);
    const people = peopleOf(subject);
    await carry(people);
    await subject.erasures.add(taken, at(100_100));
    await requireOthers(people);
  },
  'keeps a person with a later name, and the change that tells of them': async (subject) => {
    const { erasures, journal } = subject;
    const id = implicitPerson(ada);
    await erasures.erase({ ids: [], persons: [id], ...request });
    const all = await erasures.list();
    await erasures.expire(request.expiresAt);
    const people = peopleOf(subject);
    const seen = await people.read({ persons: [id], timelines: [ada], names: [ada] });
    const later: Stamp = { ...stamp, ms: (request.until + 50) * 1_000 };
    const name = { value: { first: 'Ada', last: 'King' }, stamp: later };
    const entry = { since: toTimestamp(0), holder: id, why: 'given', stamp } as const;
    const written = rows({
      persons: [{ id, name, number: { value: '7', stamp }, tags: [ada], aliases: [] }],
      timelines: [{ tag: ada, entries: [entry] }],
      names: [{ id: ada, name: name.value, stamp: later }],
    });
    assert.equal(await people.write(written, seen), true);
    await erasures.add(all, at(100_100));
    const row = (await people.read({ persons: [id], timelines: [], names: [] })).persons.get(id);
    assert.deepEqual(row, { id, name, tags: [ada], aliases: [] });
    const changes = (await readAll(journal)).map(({ change }) => change);
    assert.ok(changes.some((change) => change.kind === 'person' && change.person === id));
  },
});

/** The erasures of the first holder, by a place that had no data of theirs. They are forgotten here again. */
async function erasedBefore({ erasures }: ErasureStores): Promise<readonly KeptErasure[]> {
  await erasures.erase({ ids: [], holdings: [closed], persons: [former], ...request });
  const all = await erasures.list();
  await erasures.expire(request.expiresAt);
  return all;
}

/** Cases of a storage that has persons, for which writes can be made to fail. */
export const interruptedPersonCases: readonly ContractCase<MakeErasures>[] = [
  onInterrupted('goes on with the erasure of a person at the next opening, whichever write failed', isErased),
];

/** Whether the writes that succeed are enough to erase the person. If they are not, the next opening goes on. */
async function isErased(subject: ErasureSubject, failNow: () => () => void): Promise<boolean> {
  const { erasures } = subject;
  const taken = await erasedBefore(subject);
  await fill(subject);
  const lastResort = (await handOn(subject)).lastResortOf(former);
  const repair = failNow();
  const isDone = await erasures.add(taken, at(100_100)).then(
    () => true,
    (error: unknown) => {
      if (!isTallybookError(error)) throw error;
      return false;
    },
  );
  repair();
  const reopened = await subject.restart();
  // Unless the erasure is unknown, because the first write failed.
  if (reopened.erasures.isRefused(lastResort, undefined)) await requireErased(reopened);
  else assert.equal(isDone, false);
  return isDone;
}
