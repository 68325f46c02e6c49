import { setImmediate } from 'node:timers/promises';
import {
  AttendanceService,
  Calendar,
  TallybookError,
  Timekeeper,
  toDay,
  toTimestamp,
  type AttendanceEvent,
  type Day,
  type Filing,
  type Indication,
  type RecordOutcome,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { MemoryMappingStore, ScriptedIdSource } from '@tallybook/testing';
import { ManualClock, MemoryDayStore, MemoryProvisionalStore, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { AttendanceTrial } from './attendance-trial.js';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { Deferred } from '../fixtures/deferred.js';
import { ada, bob, today, NOW } from '../../../testing/test/fixtures/known-values.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

/** A store whose disk refuses a given number of writes. */
class MoodyDayStore extends MemoryDayStore {
  refusals = 0;

  override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    if (this.refusals-- > 0) return Promise.reject(new Error('disk full'));
    return super.record(day, id, at);
  }
}

describe('AttendanceService, while the clock cannot be trusted', () => {
  let trial: AttendanceTrial<MoodyDayStore>;
  let clock: ManualClock;
  let days: MoodyDayStore;
  let store: MemoryProvisionalStore;
  let mapping: MemoryMappingStore;
  let door: ScriptedIdSource;
  let service: AttendanceService;
  let events: Recorder<AttendanceEvent>;
  let indications: Indication[];

  /** Starts the service again, as a new process on the same stores. */
  const startService = async (): Promise<void> => {
    await trial.restart();
    ({ service, events, indications } = trial);
  };

  beforeEach(async () => {
    store = new MemoryProvisionalStore();
    trial = await AttendanceTrial.open({
      days: new MoodyDayStore(),
      clock: new ManualClock(10),
      provisional: store,
      builtAt: 1_700_000_000,
    });
    trial.clock.setSynchronised(undefined);
    ({ clock, days, mapping, door, service, events, indications } = trial);
  });

  afterEach(() => trial.close());

  const tap = (id: TallyId): Promise<void> => trial.tap(id);

  const filed = (count: number): Promise<unknown> =>
    events.find(`${count} filed`, () => attendances().length === count);

  const attendances = (): Extract<AttendanceEvent, { kind: 'attendance' }>[] =>
    events.values.flatMap((each) => (each.kind === 'attendance' ? [each] : []));

  const entriesOf = async (day: Day): Promise<unknown> => (await service.loadDay(day))?.entries;

  /** Delays of the looks at the clock that are scheduled from now on. */
  const looksFromNowOn = (): number[] => {
    const looks: number[] = [];
    clock.schedule = (delayMs, work) => {
      // Other delays belong to the watch over a store that does not answer.
      if (delayMs === 1000) looks.push(delayMs);
      return ManualClock.prototype.schedule.call(clock, delayMs, work);
    };
    return looks;
  };

  it('waits for the clock while scans wait, and leaves no timer when it is closed', async () => {
    const appointments = watchAppointments(clock);
    await startService();
    await tap(ada);
    expect(appointments.waiting).to.include(1_000);
    await service.close();
    expect(appointments.waiting).to.deep.equal([]);
  });

  it('stores scans durably as provisional, reports that, and records none', async () => {
    await mapping.put(ada, { first: 'Ada', last: '' });
    clock.advance(5250);
    await tap(ada);
    expect(await service.listDays(toDay(0), toDay(4_294_967_295))).to.deep.equal([]);
    expect(await service.listProvisional()).to.deep.equal([
      {
        sequence: 1,
        id: ada,
        reader: 'door',
        bootId: 'manual',
        monotonicMs: 5250,
        shown: 15,
        notBefore: 1_700_000_000,
      },
    ]);
    expect(events.values.at(-1)).to.deep.equal({
      kind: 'provisional',
      scan: { id: ada, reader: 'door', at: 15, day: 0 },
      sequence: 1,
      monotonicMs: 5250,
      name: { first: 'Ada', last: '' },
    });
  });

  it('indicates at the reader that the tap counted, or that the tag is unknown', async () => {
    await mapping.put(ada, { first: 'Ada', last: '' });
    await tap(ada);
    await tap(bob);
    expect(indications.map(({ signal }) => signal)).to.deep.equal(['counted', 'unknown']);
  });

  it('files them with the day and the second of the tap when the clock is right', async () => {
    await mapping.put(ada, { first: 'Ada', last: '' });
    await tap(ada);
    clock.advance(60_000);
    await tap(ada);
    await tap(bob);
    clock.advance(60_000);
    expect(attendances()).to.deep.equal([]);
    clock.set(NOW);
    clock.advance(1000);
    await filed(3);
    expect(await entriesOf(today)).to.deep.equal([
      { id: ada, first: NOW - 120, last: NOW - 60, count: 2 },
      { id: bob, first: NOW - 60, last: NOW - 60, count: 1 },
    ]);
    expect(attendances()[0]).to.deep.equal({
      kind: 'attendance',
      scan: { id: ada, reader: 'door', at: NOW - 120, day: today },
      outcome: 'counted',
      name: { first: 'Ada', last: '' },
      filed: { sequence: 1 },
    });
    expect(attendances().map(({ outcome }) => outcome)).to.deep.equal([
      'counted',
      'already-counted',
      'counted',
    ]);
    expect(await service.listProvisional()).to.deep.equal([]);
  });

  it('files them when somebody has set the time', async () => {
    await tap(ada);
    clock.advance(30_000);
    const timekeeper = new Timekeeper(clock);
    const other = new AttendanceService({
      days,
      mapping,
      provisional: store,
      calendar: new Calendar(),
      timekeeper,
    });
    timekeeper.set(toTimestamp(NOW));
    const heard = new Recorder(other.events);
    await other.open();
    await heard.find('the attendance', ({ kind }) => kind === 'attendance');
    expect(await entriesOf(today)).to.deep.equal([{ id: ada, first: NOW - 30, last: NOW - 30, count: 1 }]);
    await other.close();
  });

  it('doubts a clock that falls behind the last scan, and files the scans of that time when it has caught up', async () => {
    clock.set(NOW);
    await tap(ada);
    clock.set(NOW - 3600);
    await tap(bob);
    expect(await service.listProvisional()).to.have.length(1);
    clock.set(NOW + 20);
    clock.advance(1000);
    await filed(2);
    expect(await entriesOf(today)).to.deep.equal([
      { id: ada, first: NOW, last: NOW, count: 1 },
      { id: bob, first: NOW + 20, last: NOW + 20, count: 1 },
    ]);
  });

  it('doubts a clock that is behind the last scan from before a restart', async () => {
    await days.record(today, ada, toTimestamp(NOW));
    await days.record(toDay(3), ada, toTimestamp(3 * 86_400));
    await service.close();
    clock.set(NOW - 1);
    await startService();
    await tap(bob);
    expect(await service.listProvisional()).to.have.length(1);
    expect((await service.listProvisional())[0]).to.include({ notBefore: NOW });
  });

  it('gives exact times also after a restart of the process', async () => {
    await tap(ada);
    clock.advance(10_000);
    await service.close();
    await startService();
    clock.advance(10_000);
    clock.set(NOW);
    clock.advance(1000);
    await filed(1);
    expect(await entriesOf(today)).to.deep.equal([{ id: ada, first: NOW - 20, last: NOW - 20, count: 1 }]);
  });

  it('estimates times after a restart of the device, gives their bounds, and keeps them for review', async () => {
    await days.record(toDay(20_400), bob, toTimestamp(20_400 * 86_400));
    await service.close();
    await startService();
    await tap(ada);
    await service.close();
    clock.reboot('second', NOW);
    await startService();
    await filed(1);
    const estimate = { earliest: 20_400 * 86_400, latest: NOW };
    expect(attendances()[0]).to.deep.include({ outcome: 'counted', filed: { sequence: 1, estimate } });
    expect(await entriesOf(today)).to.deep.equal([{ id: ada, first: NOW, last: NOW, count: 1 }]);
    expect((await service.listProvisional()).map(({ filing }) => filing)).to.deep.equal([
      { day: today, at: NOW, estimate, isRecorded: true },
    ]);
    await service.close();
    await startService();
    await tap(bob);
    expect(attendances()).to.have.length(1);
  });

  it('files a scan with its noted time after an interruption, even if a better time is known now', async () => {
    await tap(ada);
    const [waiting] = await store.list();
    const filing: Filing = { day: today, at: toTimestamp(NOW - 7), isRecorded: false };
    await store.settle(waiting?.sequence ?? 0, filing);
    await days.record(today, ada, filing.at);
    clock.set(NOW);
    clock.advance(1000);
    await filed(1);
    expect(await entriesOf(today)).to.deep.equal([{ id: ada, first: NOW - 7, last: NOW - 7, count: 1 }]);
    expect(await store.list()).to.deep.equal([]);
  });

  it('tries to file again after a failure of the store, and reports it', async () => {
    await tap(ada);
    await tap(bob);
    days.refusals = 2;
    clock.set(NOW);
    clock.advance(1000);
    await events.find(
      'two troubles',
      () => events.values.filter(({ kind }) => kind === 'trouble').length === 2,
    );
    await setImmediate();
    clock.advance(9999);
    await setImmediate();
    expect(attendances()).to.deep.equal([]);
    clock.advance(1);
    await filed(2);
    expect(await entriesOf(today)).to.deep.equal([
      { id: ada, first: NOW, last: NOW, count: 1 },
      { id: bob, first: NOW, last: NOW, count: 1 },
    ]);
  });

  it('keeps a scan in memory if it cannot be stored', async () => {
    await store.close();
    await tap(ada);
    expect(events.values.at(-1)).to.include({ kind: 'failed', isKept: true });
    await store.open();
    clock.advance(2000);
    await events.find('the provisional scan', ({ kind }) => kind === 'provisional');
    expect((await service.listProvisional())[0]).to.include({ monotonicMs: 0, shown: 10 });
  });

  it('checks the clock only while scans wait for it', async () => {
    await tap(ada);
    const looks = looksFromNowOn();
    clock.advance(2000);
    await tap(bob);
    expect(looks).to.deep.equal([1000, 1000]);
    clock.set(NOW);
    clock.advance(1000);
    await filed(2);
    // The memory stores finish within the microtasks of this turn.
    await setImmediate();
    clock.advance(10_000);
    expect(looks).to.deep.equal([1000, 1000]);
  });

  it('checks no more if it was closed during filing', async () => {
    const writing = new Deferred<RecordOutcome>();
    days.record = () => writing.promise;
    await tap(ada);
    clock.set(NOW);
    clock.advance(1000);
    const looks = looksFromNowOn();
    const closing = service.close();
    await setImmediate();
    expect(service.status).to.equal('closing');
    writing.reject(new Error('disk full'));
    await closing;
    expect(looks).to.deep.equal([]);
    expect(await store.list()).to.have.length(1);
  });

  it('durably notes the time of a scan before it records the scan, and only once', async () => {
    const filings: Filing[] = [];
    store.place = (sequence, filing) => {
      filings.push(filing);
      return MemoryProvisionalStore.prototype.place.call(store, sequence, filing);
    };
    await tap(ada);
    clock.set(NOW);
    days.refusals = 1;
    clock.advance(1000);
    await events.find('the trouble', ({ kind }) => kind === 'trouble');
    const filing = { day: today, at: NOW, isRecorded: false };
    expect((await store.list()).map((scan) => scan.filing)).to.deep.equal([filing]);
    // The pass ends within the microtasks of this turn.
    await setImmediate();
    clock.advance(10_000);
    await filed(1);
    expect(filings).to.deep.equal([filing]);
  });

  it('files all other scans if one cannot be filed', async () => {
    await tap(ada);
    await tap(bob);
    days.record = (day, id, at) =>
      id === ada
        ? Promise.reject(new TallybookError('STORE_CORRUPT', 'damaged'))
        : MemoryDayStore.prototype.record.call(days, day, id, at);
    clock.set(NOW);
    clock.advance(1000);
    await filed(1);
    expect(attendances()[0]?.scan.id).to.equal(bob);
    expect((await store.list()).map(({ id }) => id)).to.deep.equal([ada]);
  });

  it('files each scan once, even if others come meanwhile', async () => {
    const holding = new Deferred<void>();
    const recording = new Deferred<void>();
    await tap(ada);
    clock.set(NOW - 1_700_000_000);
    store.add = async (scan) => {
      await holding.promise;
      return MemoryProvisionalStore.prototype.add.call(store, scan);
    };
    door.present(bob);
    clock.set(NOW);
    days.record = async (day, id, at) => {
      await recording.promise;
      return MemoryDayStore.prototype.record.call(days, day, id, at);
    };
    clock.advance(1000);
    holding.resolve();
    await service.settled();
    for (let second = 0; second < 5; second++) {
      clock.advance(1000);
      await setImmediate();
    }
    recording.resolve();
    await filed(1);
    await setImmediate();
    clock.advance(1000);
    await filed(2);
    await setImmediate();
    clock.advance(60_000);
    await setImmediate();
    expect(attendances().map(({ scan }) => scan.id)).to.deep.equal([ada, bob]);
    expect(await entriesOf(today)).to.deep.equal([
      { id: ada, first: NOW, last: NOW, count: 1 },
      { id: bob, first: NOW, last: NOW, count: 1 },
    ]);
  });

  it('files no more scans once it closes', async () => {
    for (let n = 0; n < 200; n++) {
      await store.add(unplacedScan(ada, toTimestamp(10), { bootId: 'manual', monotonicMs: n }));
    }
    const recording = new Deferred<void>();
    let calls = 0;
    days.record = async (day, id, at) => {
      calls++;
      await recording.promise;
      return MemoryDayStore.prototype.record.call(days, day, id, at);
    };
    await tap(bob);
    clock.set(NOW);
    clock.advance(1000);
    await setImmediate();
    const closing = service.close();
    await setImmediate();
    recording.resolve();
    await closing;
    expect(calls).to.equal(64);
    expect(await store.list()).to.have.length(201 - 64);
  });

  it('stores a scan of a damaged day as provisional, and files it when the day is repaired', async () => {
    clock.set(NOW);
    days.record = () => Promise.reject(new TallybookError('STORE_CORRUPT', 'the row is damaged'));
    await tap(ada);
    const filing = { day: today, at: NOW, isRecorded: false };
    expect((await service.listProvisional())[0]).to.deep.include({ shown: NOW, filing });
    expect(events.values.map(({ kind }) => kind)).to.deep.equal(['scan', 'provisional']);
    expect(service.backlog.waiting).to.equal(0);
    await service.close();
    days.record = MemoryDayStore.prototype.record.bind(days);
    clock.advance(3_600_000);
    await startService();
    await filed(1);
    expect(await entriesOf(today)).to.deep.equal([{ id: ada, first: NOW, last: NOW, count: 1 }]);
    expect(await store.list()).to.deep.equal([]);
  });

  it('keeps estimated scans for 90 days', async () => {
    await tap(ada);
    await service.close();
    clock.reboot('second', NOW);
    await startService();
    await filed(1);
    for (const [seconds, left] of [
      [NOW + 90 * 86_400, 1],
      [NOW + 90 * 86_400 + 1, 0],
    ] as const) {
      await service.close();
      clock.set(seconds);
      await startService();
      await setImmediate();
      expect(await store.list()).to.have.length(left);
    }
    expect(await entriesOf(today)).to.have.length(1);
  });

  it('reads no day if there is none', async () => {
    await service.close();
    days.load = () => Promise.reject(new Error('block lost'));
    await startService();
    expect(events.values).to.deep.equal([]);
  });

  it('opens although the last day is damaged, and reports the damage', async () => {
    await service.close();
    days.load = () => Promise.reject(new Error('block lost'));
    await days.record(today, ada, toTimestamp(NOW));
    await startService();
    expect(events.values.map(({ kind }) => kind)).to.deep.equal(['trouble']);
    expect(service.status).to.equal('open');
  });

  describe('without a store for provisional scans', () => {
    it('records scans with the time of the clock', async () => {
      await trial.close();
      trial = await AttendanceTrial.open({ days, clock, builtAt: 1_700_000_000 });
      ({ service } = trial);
      await trial.tap(ada);
      expect(await entriesOf(toDay(0))).to.deep.equal([{ id: ada, first: 10, last: 10, count: 1 }]);
      expect(await service.listProvisional()).to.deep.equal([]);
    });
  });
});
