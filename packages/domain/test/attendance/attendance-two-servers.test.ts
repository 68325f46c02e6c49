import { toDay, toTimestamp, type Filing } from '@tallybook/domain';
import { ManualClock, MemoryDayStore, MemoryJournal, MemoryProvisionalStore } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { rejectionOf } from '../fixtures/throws.js';
import { AttendanceTrial } from './attendance-trial.js';
import { testOn } from '../fixtures/test-on.js';
import { ada, bob, today, NOW } from '../../../testing/test/fixtures/known-values.js';

const LEAVE_MS = 900_000;
const BUILT_AT = 1_700_000_000;

/** Waits until work started by a timer has ended. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

/** Two servers on the same stores: only one of them has a trusted clock. */
class Pair implements AsyncDisposable {
  readonly journal = new MemoryJournal();
  readonly days = new MemoryDayStore(new Map(), this.journal);
  readonly store = new MemoryProvisionalStore();
  one!: AttendanceTrial;
  other!: AttendanceTrial;

  static async open(): Promise<Pair> {
    const pair = new Pair();
    pair.one = await pair.start('one', 10);
    pair.other = await pair.start('other', NOW);
    pair.one.clock.setSynchronised(undefined);
    return pair;
  }

  async start(bootId: string, now: number): Promise<AttendanceTrial> {
    const clock = new ManualClock(now);
    clock.bootId = bootId;
    await this.journal.open();
    const { days, journal, store: provisional } = this;
    const parts = { days, journal, clock, provisional, builtAt: BUILT_AT };
    return AttendanceTrial.open(parts, { leaveProvisionalMs: LEAVE_MS, repeatWindowMs: 0 });
  }

  /** Lets time pass on both servers. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10_000) {
      this.one.clock.advance(Math.min(left, 10_000));
      this.other.clock.advance(Math.min(left, 10_000));
      await settle();
    }
  }

  async entries(): Promise<unknown> {
    return (await this.days.load(today))?.entries.map(({ id, first, count }) => [id, first, count]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.one.close();
    await this.other.close();
  }
}

const test = testOn(() => Pair.open());

describe('AttendanceService, with another server on the same stores', () => {
  test('leaves provisional scans of the other server to it, because it knows their times', async (pair) => {
    const { one, other } = pair;
    await one.tap(ada);
    await pair.pass(600_000);
    expect(await pair.entries()).to.equal(undefined);
    one.clock.set(NOW + 600);
    await pair.pass(2_000);
    expect(await pair.entries()).to.deep.equal([[ada, NOW, 1]]);
    expect(await pair.store.list()).to.deep.equal([]);
    expect(other.events.values).to.deep.equal([]);
  });

  test('trusts its clock again when the other server removes the day in the future', async (pair) => {
    const { one, other } = pair;
    await other.service.close();
    const future = toDay(today + 1);
    await pair.days.record(future, bob, toTimestamp(NOW + 86_000));
    await other.restart();
    other.clock.setSynchronised(undefined);
    await other.tap(ada);
    expect((await pair.store.list()).map(({ id }) => id)).to.deep.equal([ada]);
    await one.service.removeDay(future);
    await settle();
    await pair.pass(2_000);
    expect(await pair.entries()).to.deep.equal([[ada, NOW, 1]]);
  });

  test('asks its stores nothing more when it is closed, whatever the other one removes', async (pair) => {
    const { one, other, journal, days } = pair;
    await other.service.close();
    const asked: string[] = [];
    const [read, list] = [journal.read.bind(journal), days.list.bind(days)];
    journal.read = (...args) => (asked.push('journal'), read(...args));
    await pair.days.record(today, bob, toTimestamp(NOW));
    await one.service.removeDay(today);
    // The one that is open has looked at the journal.
    await pair.pass(20_000);
    expect(asked).to.include('journal');
    await one.service.close();
    asked.length = 0;
    days.list = (...args) => (asked.push('days'), list(...args));
    await days.record(today, ada, toTimestamp(NOW));
    await days.remove(today);
    await pair.pass(60_000);
    expect(asked).to.deep.equal([]);
  });

  it('leaves them to it for a day at most', async () => {
    const days = new MemoryDayStore();
    const open = (leaveProvisionalMs: number): Promise<AttendanceTrial> =>
      AttendanceTrial.open({ days }, { leaveProvisionalMs });
    await (await open(86_400_000)).close();
    for (const leaveMs of [86_400_001, -1, NaN]) await rejectionOf('INVALID_OPTION', open(leaveMs));
  });

  test('looks once at what waits, sooner when a scan comes', async ({ other }) => {
    await other.service.close();
    const appointments = watchAppointments(other.clock);
    await other.restart();
    await settle();
    // At what the other one may leave, and at the journal.
    expect(appointments.waiting).to.have.members([10_000, 10_000]);
    other.clock.set(20);
    await other.tap(ada);
    await settle();
    expect(appointments.waiting).to.have.members([1_000, 10_000]);
  });

  test('files its own scans exactly, also between those of the other server', async (pair) => {
    const { one, other } = pair;
    other.clock.set(20);
    for (const each of [one, other, one, other]) {
      await each.tap(each === one ? ada : bob);
      await pair.pass(10_000);
    }
    other.clock.set(NOW + 40);
    await pair.pass(2_000);
    expect(await pair.entries()).to.deep.equal([[bob, NOW + 10, 2]]);
    one.clock.set(NOW + 42);
    await pair.pass(2_000);
    expect(await pair.entries()).to.deep.equal([
      [ada, NOW, 2],
      [bob, NOW + 10, 2],
    ]);
  });

  test('files scans that the other server has left for long, near the time at which it first saw them', async (pair) => {
    const { one } = pair;
    await pair.pass(30_000);
    await one.tap(ada);
    await pair.pass(5_000);
    await one.tap(bob);
    await one.service.close();
    await pair.pass(LEAVE_MS + 20_000);
    const scans = await pair.store.list();
    expect(scans.map(({ filing }) => filing?.isRecorded)).to.deep.equal([true, true]);
    const [first, second] = scans.map(({ filing }) => filing?.at ?? 0);
    expect((second ?? 0) - (first ?? 0)).to.equal(5);
    expect(second).to.be.within(NOW + 35, NOW + 45);
    expect(scans[0]?.filing?.estimate?.earliest).to.equal(BUILT_AT);
  });

  test('records a scan once when both find a time for it', async (pair) => {
    const { one, other, store } = pair;
    other.clock.bootId = 'one';
    await one.tap(ada);
    const list = store.list.bind(store);
    // Both servers read the list before one of them writes, and their clocks differ.
    let waiting: (() => void)[] = [];
    store.list = async () => {
      const listed = await list();
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) for (const each of waiting.splice(0)) each();
      });
      return listed;
    };
    await one.service.close();
    await other.service.close();
    one.clock.set(NOW);
    other.clock.set(NOW + 3);
    await Promise.all([one.restart(), other.restart()]);
    await settle();
    waiting = [];
    store.list = list;
    const entries = (await pair.days.load(today))?.entries ?? [];
    expect(entries.map(({ id, count }) => [id, count])).to.deep.equal([[ada, 1]]);
    expect(await store.list()).to.deep.equal([]);
  });

  test('files no scan that the other server has filed since the list was read', async (pair) => {
    const { one, store } = pair;
    await one.tap(ada);
    const filing: Filing = { day: today, at: toTimestamp(NOW), isRecorded: false };
    const place = store.place.bind(store);
    store.place = async (sequence, found) => {
      store.place = place;
      await pair.days.record(today, ada, filing.at);
      await store.remove(sequence);
      return store.place(sequence, found);
    };
    one.clock.set(NOW + 5);
    one.clock.advance(1_000);
    await settle();
    expect(await pair.entries()).to.deep.equal([[ada, NOW, 1]]);
    expect(one.events.values.filter(({ kind }) => kind === 'attendance')).to.deep.equal([]);
  });
});
