import assert from 'node:assert/strict';
import {
  DAY_MAX,
  isTallybookError,
  parseTallyId,
  toDay,
  toTimestamp,
  type Cursor,
  type Day,
  type ErasureStore,
  type KeptErasure,
  type NewCorrection,
  type StampedNames,
  type TallyId,
  type Trace,
} from '@tallybook/domain';
import { runCases, type ContractCase, type Deviation, type TestRunner } from '../../runner.js';
import { readAll, type JournalStores } from './journal-subject.js';

/** An erasure store, and the stores that it erases from. */
export interface ErasureStores extends JournalStores {
  readonly erasures: ErasureStore;
  /** Of the names of `mapping`, if they can have stamps. */
  readonly stamped?: StampedNames;
}

/** What a test does to the disk. */
export interface ErasureFaults {
  /** Lets so many writes happen and all others fail, until the function that it returns is called. */
  readonly failAfter: (writes: number) => () => void;
}

/** An erasure store under test: open, with stores that are empty and not shared with other subjects. */
export interface ErasureSubject extends ErasureStores {
  /** Closes all stores, and opens others over the same data. */
  readonly restart: () => Promise<ErasureStores>;
  /** Given if the options say so. */
  readonly faults?: ErasureFaults;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

export interface ErasureStoreContractOptions {
  readonly name: string;
  /** Whether subjects have `faults`; default false. If not, the cases that need them are left out. */
  readonly hasFaults?: boolean;
  readonly make: () => Promise<ErasureSubject> | ErasureSubject;
  readonly deviations?: readonly Deviation[];
}

/** Checks the promises of {@link ErasureStore}. */
export function erasureStoreContract(runner: TestRunner, options: ErasureStoreContractOptions): void {
  const { name, make, deviations, hasFaults = false } = options;
  const all = hasFaults ? [...cases, ...faultCases] : cases;
  runCases(runner, `${name} as an ErasureStore`, all, make, deviations);
}

type Make = ErasureStoreContractOptions['make'];

const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('0006547886');
const first = toDay(20_411);
const second = toDay(20_412);
const at = (seconds: number): ReturnType<typeof toTimestamp> => toTimestamp(1_763_500_000 + seconds);
const now = at(100_000);
const request = { until: now, expiresAt: at(200_000) };

function correctionOf(id: TallyId, day: Day, seconds: number): NewCorrection {
  const reason = 'The reader was out of order.';
  const made = { author: 'eve', madeAt: at(90_000), state: 'approved' } as const;
  return { action: 'add', day, id, at: at(seconds), reason, ...made };
}

/** Ada is there on two days, on the second one alone; Bob on the first. Both have corrections. */
async function fill({ mapping, days, provisional, corrections }: ErasureStores): Promise<void> {
  await mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
  await mapping.put(bob, { first: 'Bob', last: '' });
  for (const seconds of [7, 5, 9]) await days.record(first, ada, at(seconds), { reader: 'door' });
  await days.record(first, bob, at(6), { reader: 'door' });
  await days.record(second, ada, at(86_400), { reader: 'door' });
  for (const id of [ada, bob]) {
    const scan = { id, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) };
    await provisional.add(scan);
  }
  await corrections.correct([
    correctionOf(ada, first, 11),
    correctionOf(bob, first, 12),
    correctionOf(ada, second, 86_500),
  ]);
}

/** Begins to write all that there can be of Ada, in this turn; a day is being removed when she comes. */
async function writeAll({ mapping, days, provisional, corrections, stamped }: ErasureStores): Promise<void> {
  const stamp = { ms: at(5) * 1_000, counter: 0, node: 'hall' };
  await Promise.all([
    days.record(second, bob, at(86_400)),
    days.remove(second),
    days.record(second, ada, at(86_400), { reader: 'door' }),
    days.record(first, ada, at(5), { reader: 'door' }),
    days.merge(first, [{ id: ada, first: at(4), last: at(9), count: 3 }]),
    corrections.correct([correctionOf(ada, first, 11)]).catch(requireRefused),
    provisional.add({
      ...{ id: ada, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) },
    }),
    mapping.put(ada, { first: 'Ada', last: '' }),
    stamped?.merge([{ id: ada, name: { first: 'Ada', last: 'Lovelace' }, stamp }]),
  ]);
}

/** A store that sees whose it is when it writes may refuse a correction. */
function requireRefused(error: unknown): void {
  if (!isTallybookError(error, 'INVALID_CORRECTION')) throw error;
}

const nameStates = ['none', 'given', 'stamped', 'removed'] as const;

/** Tags with every combination of rows, one each: a name, a stamped one, the stamp of one that was taken away; and all others. */
async function fillVaried(stores: ErasureStores): Promise<readonly TallyId[]> {
  const { mapping, days, provisional, corrections, stamped } = stores;
  const ids: TallyId[] = [];
  for (const [index, nameState] of nameStates.entries()) {
    for (let others = 0; others < 8; others++) {
      const id = parseTallyId(`0A0B0C${String(index * 8 + others).padStart(2, '0')}`);
      ids.push(id);
      const stamp = { ms: at(5) * 1_000, counter: 0, node: 'hall' };
      const name = { first: 'Ada', last: '' };
      if (nameState === 'given') await mapping.put(id, name);
      else if (nameState !== 'none')
        await stamped?.replace([{ id, name: nameState === 'stamped' ? name : undefined, stamp }]);
      if ((others & 1) !== 0) await days.record(first, id, at(7), { reader: 'door' });
      if ((others & 2) !== 0) {
        await provisional.add({
          ...{ id, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) },
        });
      }
      if ((others & 4) !== 0) await corrections.correct([correctionOf(id, first, 11)]);
    }
  }
  return ids;
}

async function tracesOf(erasures: ErasureStore, id: TallyId): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for await (const trace of erasures.trace(id)) traces.push(trace);
  return traces;
}

async function kindsOf(erasures: ErasureStore, id: TallyId): Promise<readonly string[]> {
  return (await tracesOf(erasures, id)).map(({ kind }) => kind);
}

const cases: readonly ContractCase<Make>[] = [
  onStores('traces everything that is kept of a tag, in its order', async (subject) => {
    await fill(subject);
    const traces = await tracesOf(subject.erasures, ada);
    assert.deepEqual(
      traces.map(({ kind }) => kind),
      [
        'name',
        'entry',
        'entry',
        'provisional',
        'correction',
        'correction',
        ...Array<string>(8).fill('change'),
      ],
    );
    const [name, entry, other] = traces;
    assert.deepEqual(name, { kind: 'name', name: { first: 'Ada', last: 'Lovelace' } });
    assert.deepEqual(entry, {
      kind: 'entry',
      day: first,
      entry: { id: ada, first: at(5), last: at(9), count: 3 },
      scans: [at(5), at(7), at(9)],
    });
    assert.equal(other?.kind === 'entry' && other.day, second);
    assert.deepEqual(traces[4], {
      kind: 'correction',
      correction: { ...correctionOf(ada, first, 11), number: 1 },
    });
  }),
  onStores('traces nothing of a tag that nobody has seen', async (subject) => {
    await fill(subject);
    assert.deepEqual(await tracesOf(subject.erasures, parseTallyId('010203')), []);
  }),
  onStores('leaves no trace of an erased tag', async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    const { erasures, mapping, days, provisional } = subject;
    assert.deepEqual(await tracesOf(erasures, ada), []);
    assert.equal(await mapping.get(ada), undefined);
    assert.deepEqual(
      (await days.load(first))?.entries.map(({ id }) => id),
      [bob],
    );
    assert.deepEqual(
      (await provisional.list()).map(({ id }) => id),
      [bob],
    );
  }),
  onStores('leaves nothing of a tag, whichever rows there are of it', async (subject) => {
    const { erasures } = subject;
    const ids = await fillVaried(subject);
    await erasures.erase({ ids, ...request });
    for (const id of ids) assert.deepEqual(await tracesOf(erasures, id), [], id);
  }),
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
  onStores('leaves no correction of an erased tag, and those of others', async (subject) => {
    await fill(subject);
    const { erasures, corrections } = subject;
    await erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(await corrections.list(first, second), [{ ...correctionOf(bob, first, 12), number: 2 }]);
    assert.equal(await corrections.find(1), undefined);
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
  onStores('leaves no trace of an erased tag in the journal', async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    const changes = (await readAll(subject.journal)).map(({ change }) => change);
    assert.ok(changes.every((change) => !('id' in change) || change.id !== ada));
  }),
  onStores('leaves other tags as they were', async (subject) => {
    await fill(subject);
    const before = await tracesOf(subject.erasures, bob);
    await subject.erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(await tracesOf(subject.erasures, bob), before);
  }),
  onStores('has no record of a day without entries any more', async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(await subject.days.list(0 as Day, DAY_MAX), [first]);
    assert.equal(await subject.days.load(second), undefined);
  }),
  onStores('changes the revisions of what was erased from', async (subject) => {
    await fill(subject);
    const { days, mapping, corrections } = subject;
    const revisions = (): Promise<readonly string[]> =>
      Promise.all([
        days.dayRevision(first),
        days.dayRevision(second),
        days.listRevision(),
        mapping.revision(),
        corrections.dayRevision(first),
        corrections.revision(),
      ]);
    const before = await revisions();
    await subject.erasures.erase({ ids: [ada], ...request });
    const after = await revisions();
    assert.ok(after.every((revision, index) => revision !== before[index]));
  }),
  onStores('tells the journal of each tag once, by its digest', async (subject) => {
    await fill(subject);
    const latest = await subject.journal.latest();
    const digests = await subject.erasures.erase({ ids: [ada, bob], ...request });
    const told = (await readAll(subject.journal, latest)).map(({ change }) => change);
    assert.deepEqual(
      told,
      digests.map((digest) => ({ kind: 'erased', digest })),
    );
    assert.equal(new Set(digests).size, 2);
  }),
  onStores('gives no cursor twice, when the latest changes were erased', async (subject) => {
    await subject.days.record(first, ada, at(1));
    const latest = await subject.journal.latest();
    await subject.erasures.erase({ ids: [ada], ...request });
    const { days, journal } = await subject.restart();
    await days.record(first, bob, at(2));
    assert.ok((await journal.latest()) > latest + 1);
  }),
  onStores('refuses an erased tag from the call on, and no other', async ({ erasures }) => {
    const erasing = erasures.erase({ ids: [ada], ...request });
    assert.equal(erasures.refusedUntil(ada), now);
    assert.equal(erasures.refusedUntil(bob), undefined);
    await erasing;
    assert.equal(erasures.refusedUntil(ada), now);
  }),
  onStores(
    'refuses the tag of an erasure of a backup from the call on, and no other',
    async ({ erasures }) => {
      await erasures.erase({ ids: [ada], ...request });
      const taken = await erasures.list();
      await erasures.expire(request.expiresAt);
      const adding = erasures.add(taken, at(100_100));
      assert.equal(erasures.refusedUntil(ada), now);
      assert.equal(erasures.refusedUntil(bob), undefined);
      await adding;
      assert.equal(erasures.refusedUntil(ada), now);
    },
  ),
  onStores('leaves nothing of a tag that was being written when it was erased', async (subject) => {
    const { erasures } = subject;
    const writing = writeAll(subject);
    await erasures.erase({ ids: [ada], ...request });
    await writing;
    assert.deepEqual(await tracesOf(erasures, ada), []);
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
  onStores('keeps digests that do not say which tag it was', async ({ erasures }) => {
    const [digest] = await erasures.erase({ ids: [ada], ...request });
    const kept = await erasures.list();
    assert.equal(kept.length, 1);
    assert.match(kept[0]?.key ?? '', /^[0-9a-f]{32}$/);
    assert.match(digest ?? '', /^[0-9a-f]{32}$/);
    assert.equal(kept[0]?.digest, digest);
    assert.ok(!JSON.stringify(kept).toUpperCase().includes(ada));
  }),
  onStores('erases a tag of which nothing is kept, and one that was erased before', async (subject) => {
    const { erasures } = subject;
    const [digest] = await erasures.erase({ ids: [ada], ...request });
    const until = at(150_000);
    assert.deepEqual(await erasures.erase({ ids: [ada], until, expiresAt: at(300_000) }), [digest]);
    assert.equal(erasures.refusedUntil(ada), until);
    assert.equal((await erasures.list()).length, 1);
  }),
  onStores('takes what comes of the tag later', async (subject) => {
    await fill(subject);
    const { erasures, days, mapping } = subject;
    await erasures.erase({ ids: [ada], ...request });
    await days.record(second, ada, at(100_001));
    await mapping.put(ada, { first: 'Cyd', last: '' });
    assert.deepEqual(await kindsOf(erasures, ada), ['name', 'entry', 'change', 'change']);
    assert.deepEqual((await days.load(second))?.entries, [
      { id: ada, first: at(100_001), last: at(100_001), count: 1 },
    ]);
  }),
  onStores('still refuses after a restart', async (subject) => {
    await subject.erasures.erase({ ids: [ada], ...request });
    const before = await subject.erasures.list();
    const { erasures } = await subject.restart();
    assert.equal(erasures.refusedUntil(ada), now);
    assert.deepEqual(await erasures.list(), before);
  }),
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
  onStores('refuses up to the latest of the erasures of a tag, whatever their keys', async ({ erasures }) => {
    for (const [one, other] of [
      [at(50), at(6)],
      [at(60), at(70)],
    ] as const) {
      await erasures.erase({ ids: [ada], until: one, expiresAt: at(100) });
      const [taken] = await erasures.list();
      assert.ok(taken !== undefined);
      // Then nothing is known of its key, so the next one has another.
      await erasures.expire(at(100));
      await erasures.erase({ ids: [ada], until: other, expiresAt: at(100) });
      await erasures.add([taken], at(90));
      assert.equal(erasures.refusedUntil(ada), one > other ? one : other);
      await erasures.expire(at(100));
    }
  }),
  onStores('lets an erasure end sooner, and refuses nothing later any more', async (subject) => {
    await fill(subject);
    const { erasures, journal } = subject;
    const endsOf = (store: ErasureStore) => [ada, bob].map((id) => store.refusedUntil(id));
    await erasures.erase({ ids: [ada, bob], ...request });
    const [latest, all] = [await journal.latest(), await erasures.list()];
    const sooner = all.map((erasure) => ({ ...erasure, until: at(90_000), expiresAt: at(190_000) }));
    const [one, other] = sooner;
    assert.ok(one !== undefined && other !== undefined);
    // Neither one that ends later, nor one of another key.
    await erasures.shorten([
      { ...one, until: at(100_001) },
      { ...other, key: 'a'.repeat(32) },
    ]);
    assert.deepEqual(endsOf(erasures), [now, now]);
    await erasures.shorten(sooner);
    assert.deepEqual(endsOf(erasures), [at(90_000), at(90_000)]);
    assert.equal(await journal.latest(), latest);
    const { erasures: again } = await subject.restart();
    assert.deepEqual(endsOf(again), [at(90_000), at(90_000)]);
    assert.equal(await again.expire(at(190_000)), 2);
  }),
  onStores('lets an erasure end sooner while it is scrubbed', async (subject) => {
    await fill(subject);
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const [erasure] = await erasures.list();
    assert.ok(erasure !== undefined);
    const scrubbing = erasures.scrub();
    await erasures.shorten([{ ...erasure, until: at(90_000), expiresAt: at(190_000) }]);
    await scrubbing;
    assert.equal(erasures.refusedUntil(ada), at(90_000));
    const { erasures: again } = await subject.restart();
    assert.equal(again.refusedUntil(ada), at(90_000));
  }),
  onStores('does not keep an erasure that is to end sooner and is not there', async ({ erasures }) => {
    await erasures.erase({ ids: [ada], ...request });
    const taken = await erasures.list();
    await erasures.expire(request.expiresAt);
    await erasures.shorten(taken);
    assert.deepEqual(await erasures.list(), []);
    assert.equal(erasures.refusedUntil(ada), undefined);
  }),
  onStores('forgets an erasure when its time is over, and not before', async ({ erasures }) => {
    await erasures.erase({ ids: [ada], ...request });
    assert.equal(await erasures.expire(at(199_999)), 0);
    assert.equal(erasures.refusedUntil(ada), now);
    assert.equal(await erasures.expire(at(200_000)), 1);
    assert.equal(erasures.refusedUntil(ada), undefined);
    assert.deepEqual(await erasures.list(), []);
  }),
  onStores('has nothing left after it was scrubbed, and says so', async (subject) => {
    await fill(subject);
    await subject.erasures.erase({ ids: [ada], ...request });
    assert.equal(await subject.erasures.scrub(), true);
    assert.deepEqual(
      (await subject.erasures.list()).map(({ state }) => state),
      ['done'],
    );
    assert.deepEqual(
      (await subject.days.load(first))?.entries.map(({ id }) => id),
      [bob],
    );
  }),
  onStores('rejects with NOT_OPEN when it is closed', async ({ erasures }) => {
    await erasures.close();
    await assert.rejects(erasures.list(), (error) => isTallybookError(error, 'NOT_OPEN'));
    await assert.rejects(erasures.erase({ ids: [ada], ...request }), (error) =>
      isTallybookError(error, 'NOT_OPEN'),
    );
  }),
];

/** More than any store writes to take over an erasure. */
const WRITES_MAX = 1_000;

interface Interrupted {
  readonly taken: KeptErasure;
  /** The latest change before the tag had anything. */
  readonly latest: Cursor;
}

/** Cases for which writes can be made to fail. */
const faultCases: readonly ContractCase<Make>[] = [
  onInterrupted(
    'takes over an erasure when it is called again, whichever write failed',
    async (subject, { taken, latest }) => {
      const { erasures, journal } = subject;
      await erasures.add([taken], at(100_100));
      assert.deepEqual(await tracesOf(erasures, ada), []);
      const told = (await readAll(journal, latest)).map(({ change }) => change);
      assert.equal(told.filter(({ kind }) => kind === 'erased').length, 1);
    },
  ),
  onInterrupted('goes on at the next opening, whichever write failed', async (subject) => {
    const { erasures } = await subject.restart();
    // Unless nobody knows of it, since the first write failed.
    if (erasures.refusedUntil(ada) !== undefined) assert.deepEqual(await tracesOf(erasures, ada), []);
  }),
];

/** A case for each write that taking over an erasure needs: that one fails, and those after it. */
function onInterrupted(
  title: string,
  body: (subject: ErasureSubject, before: Interrupted) => Promise<void>,
): ContractCase<Make> {
  return [
    title,
    async (make) => {
      for (let writes = 0; writes < WRITES_MAX; writes++) {
        const subject = await make();
        try {
          const { erasures, journal, faults } = subject;
          if (faults === undefined) throw new Error('the subject has no faults, and the options say so');
          await erasures.erase({ ids: [ada], ...request });
          const [taken] = await erasures.list();
          assert.ok(taken !== undefined);
          await erasures.expire(request.expiresAt);
          const latest = await journal.latest();
          await fill(subject);
          const repair = faults.failAfter(writes);
          const isTaken = await erasures.add([taken], at(100_100)).then(
            () => true,
            () => false,
          );
          repair();
          await body(subject, { taken, latest });
          if (isTaken) return;
        } finally {
          await subject.cleanup();
        }
      }
      throw new Error(`it is not done after ${WRITES_MAX} writes`);
    },
  ];
}

function onStores(title: string, body: (subject: ErasureSubject) => Promise<void>): ContractCase<Make> {
  return [
    title,
    async (make) => {
      const subject = await make();
      try {
        await body(subject);
      } finally {
        await subject.cleanup();
      }
    },
  ];
}
