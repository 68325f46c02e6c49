import assert from 'node:assert/strict';
import {
  parseTallyId,
  type Cursor,
  type Journal,
  type JournalEntry,
  type MappingStore,
  type TallyId,
} from '@tallybook/domain';
import { casesOf, runCases, type TestRunner } from '../../runner.js';
import { ada, at, day } from '../fixtures.js';
import { changeCases, correctionCases, provisionalCases } from './journal-changes.js';
import {
  onFaults,
  onJournal,
  onLostAnswers,
  readAll,
  type JournalContractOptions,
} from './journal-subject.js';
import { lifecycleContract } from '../lifecycle.js';

const tag = (number: number): TallyId => parseTallyId(number.toString(16).padStart(8, '0'));

/** Checks the promises of {@link Journal}, and those of the stores that write it. */
export function journalContract(runner: TestRunner, options: JournalContractOptions): void {
  const { name, make, durable, hasFaults, losesAnswers = false, lacks = [] } = options;
  lifecycleContract(runner, {
    name,
    make: async () => {
      const { journal, cleanup } = await make({});
      await journal.close();
      return { resource: journal, cleanup };
    },
    operations: {
      origin: (journal) => journal.origin(),
      latest: (journal) => journal.latest(),
      countAfter: (journal) => journal.countAfter(0),
      read: (journal) => journal.read(0, 1),
      position: (journal) => journal.position('consumer'),
      advance: (journal) => journal.advance('consumer', 0),
    },
  });
  const all = [
    ...changeCases,
    ...(lacks.includes('provisional') ? [] : [...provisionalCases, ...mixedCases]),
    ...(lacks.includes('corrections') ? [] : correctionCases),
    ...readingCases,
    ...limitCases,
    ...positionCases,
    ...(durable ? restartCases : []),
    ...(hasFaults ? faultCases : []),
    ...(losesAnswers ? lostAnswerCases : []),
  ];
  runCases(runner, 'a Journal', all, options);
}

const readingCases = casesOf(onJournal, {
  'has no change at first': async ({ journal }) => {
    assert.equal(await journal.latest(), 0);
    assert.deepEqual(await journal.read(0, 10), { isKnown: true, entries: [] });
  },
  'has an origin of letters, digits and underscores that stays the same': async ({ journal, mapping }) => {
    const origin = await journal.origin();
    assert.match(origin, /^\w{1,64}$/);
    await addNames(mapping, 1);
    assert.equal(await journal.origin(), origin);
  },
  'has a change when it is acknowledged': async ({ journal, days }) => {
    for (let second = 0; second < 5; second++) {
      const before = await journal.latest();
      await days.record(day, ada, at(second));
      const entries = await entriesOf(journal, before, 10);
      assert.equal(entries.length, 1);
      assert.equal(entries[0]?.cursor, await journal.latest());
    }
  },
  'gives the changes after a cursor, at most as many as are asked for': async ({ journal, mapping }) => {
    await addNames(mapping, 12);
    const all = await readAll(journal);
    for (const [index, { cursor }] of all.entries()) {
      for (const limit of [1, 2, 5, 100]) {
        const entries = await entriesOf(journal, cursor, limit);
        assert.ok(entries.length <= limit, `${entries.length} of at most ${limit}`);
        assert.deepEqual(entries, all.slice(index + 1, index + 1 + entries.length));
        assert.equal(entries.length === 0, index === all.length - 1);
      }
    }
    assert.deepEqual(await readAll(journal, 0, 1), all);
  },
  'counts the changes after a cursor, and none beyond the latest': async ({ journal, mapping }) => {
    await addNames(mapping, 4);
    const [first] = await readAll(journal);
    const latest = await journal.latest();
    assert.equal(await journal.countAfter(first?.cursor ?? 0), 3);
    assert.equal(await journal.countAfter(latest), 0);
    assert.equal(await journal.countAfter(latest + 5), 0);
  },
  'says that it has not come so far': async ({ journal, mapping }) => {
    await addNames(mapping, 3);
    const ahead = (await journal.latest()) + 1;
    assert.deepEqual(await journal.read(ahead, 1), { isKnown: false, reason: 'ahead' });
  },
  'delivers every change exactly once, in order, to a live reader': async ({ journal, days, mapping }) => {
    const writing = { isOver: false };
    const readOn = async (): Promise<readonly JournalEntry[]> => {
      const seen: JournalEntry[] = [];
      for (let isLast = false; !isLast;) {
        isLast = writing.isOver;
        seen.push(...(await readAll(journal, seen.at(-1)?.cursor ?? 0, 7)));
        await endOfTurn();
      }
      return seen;
    };
    const reading = readOn();
    for (let round = 0; round < 10; round++) {
      const numbers = Array.from({ length: 20 }, (_, n) => round * 20 + n);
      await Promise.all([
        ...numbers.map((n) => days.record(day, tag(n), at(n))),
        mapping.change(new Map(numbers.map((n) => [tag(n), { first: 'Ada', last: '' }]))),
      ]);
    }
    writing.isOver = true;
    const seen = await reading;
    assert.equal(seen.length, 400);
    assert.deepEqual(seen, await readAll(journal));
  },
});

/** With names, scans and provisional scans. */
const mixedCases = casesOf(onJournal, {
  'gives cursors that ascend, one to each change, also of what is done at the same time': async (subject) => {
    const { journal, days, mapping, provisional } = subject;
    const held = { id: ada, reader: 'door', bootId: 'boot', shown: at(0), notBefore: at(0) };
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        await days.record(day, tag(n), at(n));
        await mapping.put(tag(n), { first: String(n), last: '' });
        await provisional.add({ ...held, monotonicMs: n });
      }),
    );
    const entries = await readAll(journal);
    assertAscending(entries);
    const told = new Set(entries.map(({ change }) => JSON.stringify(change)));
    assert.deepEqual([entries.length, told.size], [120, 120]);
  },
});

const LIMIT = 1_000;

const limitCases = [
  onJournal(
    'removes the oldest changes only, and says so to a reader that needs them',
    async ({ journal, mapping }) => {
      const cursors = await overfill(journal, mapping);
      assert.deepEqual(await journal.read(0, 1), { isKnown: false, reason: 'too-old' });
      assert.deepEqual(await journal.read(cursors[0] ?? 0, 1), { isKnown: false, reason: 'too-old' });
      const kept = await readAll(journal, cursors.at(-1 - LIMIT));
      assert.deepEqual(
        kept.map(({ cursor }) => cursor),
        cursors.slice(-LIMIT),
      );
    },
    { limit: LIMIT },
  ),
  onJournal(
    'goes on with larger cursors when the oldest changes were removed',
    async ({ journal, mapping, days }) => {
      const before = Math.max(...(await overfill(journal, mapping)));
      await days.record(day, ada, at(0));
      const [entry] = await entriesOf(journal, before, 1);
      assert.equal(entry?.change.kind, 'scan');
      assert.ok(entry.cursor > before);
    },
    { limit: LIMIT },
  ),
  onJournal('keeps its place when the changes of a day are removed', async ({ journal, days }) => {
    for (let second = 0; second < 5; second++) await days.record(day, ada, at(second));
    const before = await journal.latest();
    await days.remove(day);
    const latest = await journal.latest();
    assert.ok(latest > before);
    for (const after of [0, 1, before]) {
      assert.deepEqual(await entriesOf(journal, after, 10), [
        { cursor: latest, change: { kind: 'day', day, action: 'removed' } },
      ]);
    }
  }),
];

const positionCases = [
  onJournal('keeps the position of each consumer', async ({ journal, mapping }) => {
    await addNames(mapping, 9);
    assert.equal(await journal.position('Zoë'), undefined);
    await journal.advance('Zoë', 3);
    await journal.advance('mqtt', 5);
    await journal.advance('x'.repeat(200), 0);
    assert.equal(await journal.position('Zoë'), 3);
    assert.equal(await journal.position('mqtt'), 5);
    assert.equal(await journal.position('x'.repeat(200)), 0);
    assert.equal(await journal.position('Zo'), undefined);
    await journal.advance('mqtt', 4);
    assert.equal(await journal.position('mqtt'), 4);
  }),
  onJournal('reports nothing for positions', async ({ journal, mapping }) => {
    await addNames(mapping, 600);
    const latest = await journal.latest();
    for (const cursor of [1, 300, 600]) await journal.advance('consumer', cursor);
    assert.equal(await journal.latest(), latest);
  }),
];

const restartCases = [
  onJournal('keeps changes, cursors and origin across a restart', async (subject) => {
    const { journal, days, mapping } = subject;
    await days.record(day, ada, at(0), { reader: 'door' });
    await addNames(mapping, 3);
    const [entries, latest, origin] = [
      await readAll(journal),
      await journal.latest(),
      await journal.origin(),
    ];
    const restarted = await subject.restart();
    assert.deepEqual(await readAll(restarted.journal), entries);
    assert.equal(await restarted.journal.latest(), latest);
    assert.equal(await restarted.journal.origin(), origin);
  }),
  onJournal('goes on with larger cursors after a restart, also when a day was removed', async (subject) => {
    await addNames(subject.mapping, 3);
    await subject.days.record(day, ada, at(0));
    await subject.days.remove(day);
    const before = await subject.journal.latest();
    const { journal, days } = await subject.restart();
    assert.equal(await journal.latest(), before);
    await days.record(day, ada, at(0));
    const entries = await readAll(journal);
    assertAscending(entries);
    assert.ok((entries.at(-1)?.cursor ?? 0) > before);
  }),
  onJournal(
    'says which changes are missing after a restart too',
    async (subject) => {
      const cursors = await overfill(subject.journal, subject.mapping);
      const { journal } = await subject.restart();
      assert.deepEqual(await journal.read(cursors[0] ?? 0, 1), { isKnown: false, reason: 'too-old' });
      assert.equal((await readAll(journal, cursors.at(-1 - LIMIT))).length, LIMIT);
    },
    { limit: LIMIT },
  ),
  onJournal('keeps positions across a restart', async (subject) => {
    await addNames(subject.mapping, 9);
    await subject.journal.advance('with a change', 2);
    await subject.mapping.put(ada, { first: 'Ada', last: '' });
    await subject.journal.advance('alone', 3);
    const { journal } = await subject.restart();
    assert.equal(await journal.position('with a change'), 2);
    assert.equal(await journal.position('alone'), 3);
  }),
];

/** Number of turns of the event loop within which a faulty journal would show a change too early. */
const TURNS = 20;

const faultCases = [
  onFaults('shows no change before it is durable', async ({ journal, days }, { hold }) => {
    const release = hold();
    const recording = days.record(day, ada, at(0));
    for (let turn = 0; turn < TURNS; turn++) await endOfTurn();
    const [latest, page] = [await journal.latest(), await journal.read(0, 1)];
    release();
    await recording;
    assert.deepEqual([latest, page], [0, { isKnown: true, entries: [] }]);
    assert.equal((await readAll(journal)).length, 1);
  }),
  onFaults('has no change of what failed', async (subject, { failNext }) => {
    await addNames(subject.mapping, 1);
    const repair = failNext();
    await assert.rejects(subject.days.record(day, ada, at(0)));
    repair();
    await subject.days.record(day, ada, at(1));
    const { journal, days } = await subject.restart();
    const record = await days.load(day);
    assert.deepEqual(record?.entries, [{ id: ada, first: at(1), last: at(1), count: 1 }]);
    const entries = await readAll(journal);
    assertAscending(entries);
    assert.deepEqual(
      entries.map(({ change }) => change.kind),
      ['name', 'scan'],
    );
  }),
];

/** A write whose answer is lost happens once, and its caller still gets the answer. */
const lostAnswerCases = [
  onLostAnswers(
    'counts a scan once, and says so, when the answer to the write is lost',
    async ({ days }, loseNextAnswer) => {
      loseNextAnswer();
      assert.equal(await days.record(day, ada, at(0), { reader: 'door' }), 'counted');
      assert.equal(await days.record(day, ada, at(0), { reader: 'door' }), 'already-counted');
      assert.deepEqual((await days.load(day))?.entries, [{ id: ada, first: at(0), last: at(0), count: 1 }]);
    },
  ),
  onLostAnswers(
    'says whether a name is new, and whether there was one, when the answer to the write is lost',
    async ({ mapping }, loseNextAnswer) => {
      loseNextAnswer();
      assert.equal(await mapping.put(ada, { first: 'Ada', last: '' }), 'added');
      loseNextAnswer();
      assert.equal(await mapping.remove(ada), true);
      assert.equal(await mapping.get(ada), undefined);
    },
  ),
];

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function entriesOf(journal: Journal, after: Cursor, limit: number): Promise<readonly JournalEntry[]> {
  const page = await journal.read(after, limit);
  assert.ok(page.isKnown, 'the journal does not know what follows');
  return page.entries;
}

/** Adds names, one after another. */
async function addNames(mapping: MappingStore, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await mapping.put(tag(n), { first: String(n), last: '' });
}

/** Makes far more changes than {@link LIMIT}, and returns the cursors of all of them. */
async function overfill(journal: Journal, mapping: MappingStore): Promise<readonly Cursor[]> {
  const cursors: Cursor[] = [];
  for (let round = 0; round < 40; round++) {
    const names = Array.from(
      { length: 100 },
      (_, n) => [tag(round * 100 + n), { first: 'Ada', last: '' }] as const,
    );
    await mapping.change(new Map(names));
    for (const { cursor } of await readAll(journal, cursors.at(-1) ?? 0)) cursors.push(cursor);
  }
  return cursors;
}

function assertAscending(entries: readonly JournalEntry[]): void {
  for (const [index, { cursor }] of entries.entries()) {
    assert.ok(Number.isSafeInteger(cursor) && cursor >= 1, `no cursor: ${cursor}`);
    assert.ok(cursor > (entries[index - 1]?.cursor ?? 0), `not ascending: ${cursor}`);
  }
}
