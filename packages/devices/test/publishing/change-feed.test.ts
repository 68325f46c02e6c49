import { expect } from 'chai';
import {
  Calendar,
  Emitter,
  PeopleService,
  toTimestamp,
  type Change,
  type TallybookError,
} from '@tallybook/domain';
import { MemoryStorage, Recorder } from '@tallybook/testing';
import { Deferred } from '../../../domain/test/fixtures/deferred.js';
import { MemoryJournal } from '../../../store-memory/src/index.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import {
  ChangeFeed,
  type ChangeFeedOptions,
  type Publication,
  type PublisherDependencies,
} from '../../src/index.js';
import { at, day, RecordedAttendance, tag } from './recorded-attendance.js';

describe('ChangeFeed', () => {
  let attendance: RecordedAttendance;
  let told: Emitter<Publication>;
  let publications: Recorder<Publication>;
  let feeds: ChangeFeed[];
  beforeEach(async () => {
    attendance = await new RecordedAttendance().open();
    told = new Emitter();
    publications = new Recorder(told);
    feeds = [];
  });
  afterEach(async () => {
    for (const feed of feeds) await feed.close();
  });

  function create(
    options: Partial<ChangeFeedOptions> = {},
    dependencies: PublisherDependencies = attendance.dependencies,
  ): ChangeFeed {
    const feed = new ChangeFeed(
      {
        name: 'feed',
        withNames: false,
        batchSize: 10,
        deliver: (batch) => {
          for (const each of batch) told.emit(each);
          return Promise.resolve(batch.length);
        },
        onFault: () => undefined,
        ...options,
      },
      dependencies,
    );
    feeds.push(feed);
    return feed;
  }

  const scan = { kind: 'scan', day, id: tag(1), at, reader: 'door', outcome: 'counted' } as const;
  const provisional = {
    kind: 'provisional',
    sequence: 1,
    id: tag(1),
    reader: 'door',
    bootId: 'manual',
    monotonicMs: 0,
  } as const;

  for (const [what, change, isLate] of [
    ['a scan of ten seconds ago', { ...scan, at: toTimestamp(at - 10) }, false],
    ['a scan of eleven seconds ago', { ...scan, at: toTimestamp(at - 11) }, true],
    [
      'a scan ten seconds from now, as after a correction of the clock',
      { ...scan, at: toTimestamp(at + 10) },
      false,
    ],
    ['a scan of the future', { ...scan, at: toTimestamp(at + 11) }, true],
    ['a scan that was filed', { ...scan, filed: { sequence: 1 } }, true],
    ['a provisional scan of just now', { ...provisional, monotonicMs: 20_000 }, false],
    ['a provisional scan of ten seconds ago', { ...provisional, monotonicMs: 10_000 }, false],
    ['a provisional scan of longer ago', { ...provisional, monotonicMs: 9_999 }, true],
    ['a provisional scan of another boot', { ...provisional, monotonicMs: 20_000, bootId: 'other' }, true],
  ] as const satisfies readonly (readonly [string, Change, boolean])[]) {
    it(`says of ${what} that it is ${isLate ? 'late' : 'not late'}`, async () => {
      attendance.clock.advance(20_000);
      attendance.clock.set(at);
      await create().open();
      attendance.journal.append(change);
      expect((await publications.count(1))[0]?.data).to.include({ late: isLate });
    });
  }

  it('says of a scan from before the opening that it is late', async () => {
    const feed = create();
    await feed.open();
    await feed.close();
    attendance.journal.append(scan);
    await feed.open();
    expect((await publications.count(1))[0]?.data).to.include({ late: true });
  });

  it('gives each change the id of its place in the journal, and leaves out changes of names', async () => {
    const { journal } = attendance;
    await create().open();
    journal.append(
      scan,
      { kind: 'name', id: tag(1), action: 'added' },
      { kind: 'day', day, action: 'merged' },
      { kind: 'repaired' },
      { kind: 'erased', digest: 'ab'.repeat(16) },
    );
    const all = await publications.count(4);
    const origin = await journal.origin();
    expect(all.map(({ id }) => id)).to.deep.equal([1, 3, 4, 5].map((n) => `${origin}-${n}`));
    expect(all.slice(1).map(({ data }) => data)).to.deep.equal([
      { event: 'day-merged', day },
      { event: 'repaired', day: null },
      { event: 'erased', day: null, digest: 'ab'.repeat(16) },
    ]);
  });

  it('gives a scan the present name if names are published: null if there is none, or it cannot be read', async () => {
    const { journal, mapping } = attendance;
    await mapping.put(tag(1), { first: 'Ada', last: 'Lovelace' });
    await create({ withNames: true }).open();
    journal.append(scan, provisional, { ...scan, id: tag(2) }, { kind: 'day', day, action: 'merged' });
    await publications.count(4);
    await mapping.close();
    journal.append(scan);
    const named = await publications.count(5);
    expect(named.map(({ data }) => ('name' in data ? data.name : 'none'))).to.deep.equal([
      { first: 'Ada', last: 'Lovelace' },
      { first: 'Ada', last: 'Lovelace' },
      null,
      'none',
      null,
    ]);
    await mapping.open();
    await create({ name: 'nameless' }).open();
    journal.append(scan);
    const all = await publications.count(7);
    expect(all.slice(5).map(({ data }) => 'name' in data)).to.have.members([true, false]);
  });

  it('gives a scan the name of who held its tag then, and a provisional one that of the present holder', async () => {
    const storage = new MemoryStorage();
    await storage.open();
    const { journal, mapping, people } = storage;
    const { timekeeper, service } = attendance;
    await mapping.put(tag(1), { first: 'Ada', last: '' });
    const persons = new PeopleService({ people, timekeeper, calendar: new Calendar() });
    const charles = await persons.add({ name: { first: 'Charles', last: '' } });
    await persons.act(tag(1), { act: 'give', person: charles, since: at });
    const named = create({ withNames: true }, { journal, mapping, people, timekeeper, attendance: service });
    await named.open();
    await storage.days.record(day, tag(1), toTimestamp(at - 1));
    await storage.days.record(day, tag(1), at);
    await storage.provisional.add({ ...provisional, shown: at, notBefore: at });
    const all = await publications.count(3);
    expect(all.map(({ data }) => 'name' in data && data.name?.first)).to.deep.equal([
      'Ada',
      'Charles',
      'Charles',
    ]);
    await named.close();
    await storage.close();
  });

  it('gives the id of its journal while it is open', async () => {
    const feed = create();
    await feed.open();
    expect(feed.origin)
      .to.equal(await attendance.journal.origin())
      .and.not.equal('');
  });

  it('tries again after the delay that is set for the number of the attempt', async () => {
    const attempts: number[] = [];
    const tries = new Emitter<readonly Publication[]>();
    const tried = new Recorder(tries);
    const feed = create({
      deliver: (batch) => {
        tries.emit(batch);
        return Promise.resolve(tried.values.length < 3 ? 0 : batch.length);
      },
      retryDelayMs: (attempt) => {
        attempts.push(attempt);
        return 7 * attempt;
      },
    });
    await feed.open();
    attendance.journal.append(scan);
    for (const [count, waitMs] of [
      [1, 7],
      [2, 14],
    ] as const) {
      await tried.count(count);
      await turns();
      attendance.clock.advance(waitMs - 1);
      await turns();
      expect(tried.values).to.have.length(count);
      attendance.clock.advance(1);
    }
    await tried.count(3);
    expect(attempts).to.deep.equal([1, 2]);
  });

  it('finishes at once if no change waits, if none can be delivered, or if the journal is closed', async () => {
    using timers = new RecordedTimers();
    const feed = create({ deliver: () => Promise.resolve(0) });
    await feed.open();
    await feed.finish(60_000);
    attendance.journal.append(scan);
    await turns();
    await feed.finish(60_000);
    feed.wake();
    await turns();
    await attendance.journal.close();
    await feed.finish(60_000);
    expect(timers.delays).to.not.include(60_000);
    await attendance.journal.open();
  });

  it('leaves no timer when it has finished', async () => {
    using timers = new RecordedTimers();
    const released = new Deferred<void>();
    const feed = create({ deliver: (batch) => released.promise.then(() => batch.length) });
    await feed.open();
    attendance.journal.append(scan);
    await turns();
    const finishing = feed.finish(60_000);
    await turns();
    expect(timers.pending).to.include(60_000);
    released.resolve();
    await finishing;
    await turns();
    expect(timers.pending).to.not.include(60_000);
  });

  it('counts waiting changes, also before its first opening and while it is closed', async () => {
    const feed = create();
    attendance.journal.append(scan);
    expect(await feed.countWaiting()).to.equal(0);
    await feed.open();
    await feed.close();
    attendance.journal.append(scan, scan);
    expect(await feed.countWaiting()).to.equal(2);
    await attendance.journal.close();
    expect(await feed.countWaiting()).to.equal(0);
  });

  it('delivers undelivered changes again, and notes delivered ones', async () => {
    const { journal, clock } = attendance;
    let most = 1;
    const batches = new Emitter<readonly string[]>();
    const delivered = new Recorder(batches);
    const feed = create({
      deliver: (batch) => {
        batches.emit(batch.map(({ id }) => id.split('-')[1] ?? ''));
        return Promise.resolve(Math.min(most, batch.length));
      },
    });
    await feed.open();
    journal.append(scan, scan, scan);
    await delivered.count(1);
    await feed.finish(0);
    expect(await journal.position('feed')).to.equal(1);
    most = 2;
    feed.wake();
    await feed.finish(5_000);
    clock.advance(1_000);
    await feed.close();
    expect(delivered.values).to.deep.equal([
      ['1', '2', '3'],
      ['2', '3'],
    ]);
    expect(await journal.position('feed')).to.equal(3);
  });

  it('waits at most the given time for deliveries under way when it finishes', async () => {
    const released = new Deferred<void>();
    const feed = create({ deliver: (batch) => released.promise.then(() => batch.length) });
    await feed.open();
    attendance.journal.append(scan);
    await feed.finish(20);
    expect(await attendance.journal.position('feed')).to.equal(0);
    const finishing = feed.finish(5_000);
    released.resolve();
    await finishing;
    await feed.close();
    expect(await attendance.journal.position('feed')).to.equal(1);
  });

  it('reports once that the store is an older copy, and later once that changes are lost', async () => {
    const journal = new MemoryJournal(undefined, { limit: 100 });
    attendance = await new RecordedAttendance(journal).open();
    await journal.advance('feed', 1);
    const faults: TallybookError[] = [];
    const attempts = new Emitter<readonly Publication[]>();
    const attempted = new Recorder(attempts);
    const feed = create({
      deliver: (batch) => {
        attempts.emit(batch);
        return Promise.resolve(0);
      },
      onFault: (fault) => faults.push(fault),
    });
    await feed.open();
    for (let round = 1; round <= 3; round++) {
      for (let n = 0; n < 200; n++) journal.append(scan);
      feed.wake();
      await attempted.count(round);
    }
    expect(faults.map(({ details }) => details['reason'])).to.deep.equal(['given-up', 'given-up']);
    expect(faults[0]?.message).to.include('an older copy');
    expect(faults[1]?.message).to.match(/up to \d+ changes were not published/);
  });

  it('reports again that changes are lost when some were delivered meanwhile', async () => {
    const journal = new MemoryJournal(undefined, { limit: 100 });
    attendance = await new RecordedAttendance(journal).open();
    const faults: TallybookError[] = [];
    const attempts = new Emitter<readonly Publication[]>();
    const attempted = new Recorder(attempts);
    const state = { isAway: true };
    const feed = create({
      deliver: (batch) => {
        attempts.emit(batch);
        return Promise.resolve(state.isAway ? 0 : batch.length);
      },
      onFault: (fault) => faults.push(fault),
    });
    await feed.open();
    const lose = async (): Promise<void> => {
      state.isAway = true;
      for (let n = 0; n < 200; n++) journal.append(scan);
      feed.wake();
      await attempted.count(attempted.values.length + 1);
      await turns();
    };
    await lose();
    await lose();
    const before = faults.length;
    expect(before).to.equal(1);
    state.isAway = false;
    feed.wake();
    await feed.finish(60_000);
    await lose();
    await lose();
    expect(faults.map(({ details }) => details['reason'])).to.deep.equal(['given-up', 'given-up']);
  });

  it('reports again what it had reported before it was closed', async () => {
    const faults: TallybookError[] = [];
    const feed = create({ onFault: (fault) => faults.push(fault) });
    const { journal } = attendance;
    for (let opening = 1; opening <= 2; opening++) {
      await feed.open();
      const read = journal.read.bind(journal);
      journal.read = () => Promise.reject(new Error('the disk is broken'));
      feed.wake();
      await turns();
      feed.wake();
      await turns();
      expect(faults).to.have.length(opening);
      await feed.close();
      journal.read = read;
    }
  });

  it('reports code and reason of an unreadable journal', async () => {
    const faults: TallybookError[] = [];
    await create({ onFault: (fault) => faults.push(fault) }).open();
    await attendance.journal.close();
    attendance.journal.append(scan);
    await attendance.journal.open();
    attendance.clock.advance(60_000);
    await publications.count(1);
    expect(faults.map(({ code, details }) => [code, details['reason']])).to.deep.equal([
      ['OUTPUT_FAILED', 'journal'],
    ]);
  });
});

/** Lets other work run for some turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}
