import {
  AttendanceService,
  Calendar,
  Emitter,
  TallybookError,
  Timekeeper,
  toDay,
  type AttendanceEvent,
  type Day,
  type IdSource,
  type Indication,
  type Name,
  type Reading,
  type RecordOutcome,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { AttendanceOptions } from '../../src/attendance/attendance-service.js';
import {
  ManualClock,
  MemoryDayStore,
  MemoryMappingStore,
  Recorder,
  ScriptedIdSource,
} from '@tallybook/testing';
import { expect } from 'chai';
import { Deferred } from '../fixtures/deferred.js';
import { rejectionOf } from '../fixtures/throws.js';
import { unhandledRejectionsOf } from '../fixtures/unhandled-rejections.js';
import { ada, bob, today, lovelace } from '../../../testing/test/fixtures/known-values.js';

/** A store that records when the test says so, and with the result that it sets. */
class HeldDayStore extends MemoryDayStore {
  readonly calls: TallyId[] = [];
  readonly gates: Deferred<void>[] = [];

  override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    this.calls.push(id);
    const gate = new Deferred<void>();
    this.gates.push(gate);
    await gate.promise;
    return super.record(day, id, at);
  }
}

class BrokenDayStore extends MemoryDayStore {
  isBroken = true;
  error = new Error('disk full');

  override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    return this.isBroken ? Promise.reject(this.error) : super.record(day, id, at);
  }
}

type Parts = ConstructorParameters<typeof AttendanceService>[0];

class BrokenMappingStore extends MemoryMappingStore {
  override get(): Promise<Name | undefined> {
    return Promise.reject(new Error('block lost'));
  }
}

describe('AttendanceService', () => {
  let clock: ManualClock;
  let door: ScriptedIdSource;

  beforeEach(async () => {
    clock = new ManualClock();
    door = new ScriptedIdSource(clock, 'door');
    await door.open();
  });

  afterEach(() => door.close());

  const serviceOf = (parts: Partial<Parts>, options?: AttendanceOptions): AttendanceService =>
    new AttendanceService(
      {
        ...{ days: new MemoryDayStore(), mapping: new MemoryMappingStore() },
        ...{ calendar: new Calendar(), timekeeper: new Timekeeper(clock) },
        ...parts,
      },
      options,
    );

  /** A service with a reader `door`, and a record of all its events. */
  async function start({
    days = new MemoryDayStore(),
    mapping = new MemoryMappingStore(),
    ...options
  }: AttendanceOptions & { days?: MemoryDayStore; mapping?: MemoryMappingStore } = {}) {
    await Promise.all([days.open(), mapping.open()]);
    const indications: Indication[] = [];
    const service = serviceOf({ days, mapping }, options);
    service.indications.subscribe((each) => indications.push(each));
    await service.open();
    const events = new Recorder(service.events);
    service.listen(door);
    const tap = (...ids: readonly TallyId[]): Promise<void> => {
      for (const id of ids) door.present(id);
      return service.settled();
    };
    return { service, events, indications, days, mapping, tap };
  }

  const kindsOf = ({ values }: Recorder<AttendanceEvent>): string[] => values.map(({ kind }) => kind);

  it('does not open before its days', async () => {
    const days = new MemoryDayStore();
    const service = serviceOf({ days });
    await rejectionOf('NOT_OPEN', service.open());
    await days.open();
    await service.open();
    await service.close();
  });

  describe('when a tag is presented', () => {
    it('announces the scan at once, and the attendance when it is recorded', async () => {
      const days = new HeldDayStore();
      const { service, events, indications } = await start({ days });
      door.present('04A2B3C4D5');
      const scan = { id: ada, reader: 'door', at: 1_763_700_000, day: today };
      expect(events.values).to.deep.equal([{ kind: 'scan', scan }]);
      expect(indications).to.deep.equal([]);
      days.gates[0]?.resolve();
      await service.settled();
      expect(events.values.slice(1)).to.deep.equal([
        { kind: 'attendance', scan, outcome: 'counted', name: undefined },
      ]);
      expect(indications).to.deep.equal([{ signal: 'unknown', id: ada, reader: 'door' }]);
    });

    it('announces the attendance with the name of the tag, also to the indicator', async () => {
      const { events, indications, mapping, tap } = await start();
      await mapping.put(ada, lovelace);
      await tap(ada);
      expect(events.values[1]).to.include({ kind: 'attendance', outcome: 'counted' });
      expect(events.values[1]).to.have.deep.property('name', lovelace);
      expect(indications).to.deep.equal([{ signal: 'counted', id: ada, name: lovelace, reader: 'door' }]);
    });

    it('says already-counted from the second tap of the day on', async () => {
      const { service, events, indications, mapping, tap } = await start();
      await mapping.put(ada, lovelace);
      for (let n = 0; n < 3; n++) {
        await tap(ada);
        clock.advance(60_000);
      }
      expect(indications.map(({ signal }) => signal)).to.deep.equal([
        'counted',
        'already-counted',
        'already-counted',
      ]);
      expect(
        events.values.flatMap((each) => (each.kind === 'attendance' ? [each.outcome] : [])),
      ).to.deep.equal(['counted', 'already-counted', 'already-counted']);
      expect((await service.loadDay(today))?.entries).to.deep.equal([
        { id: ada, first: 1_763_700_000, last: 1_763_700_120, count: 3 },
      ]);
    });

    it('records it on the day of its calendar', async () => {
      const [days, mapping] = [new MemoryDayStore(), new MemoryMappingStore()];
      await Promise.all([days.open(), mapping.open()]);
      const calendar = new Calendar({ zone: 'Pacific/Auckland', dayStart: '04:00' });
      const service = serviceOf({ days, mapping, calendar });
      await service.open();
      service.listen(door);
      door.present('04A2B3C4D5');
      await service.settled();
      expect(await service.listDays(toDay(0), toDay(30_000))).to.deep.equal([20_413]);
      clock.set(1_763_700_000 + 12 * 3600);
      door.present('0006547886');
      await service.settled();
      expect(await service.listDays(toDay(0), toDay(30_000))).to.deep.equal([20_413, 20_414]);
    });
  });

  describe('when a tag rests on the reader', () => {
    it('treats it as one tap, and announces the repeated readings', async () => {
      const { service, events, indications } = await start();
      for (let n = 0; n < 3; n++) {
        door.present('04A2B3C4D5');
        clock.advance(1999);
      }
      await service.settled();
      expect(kindsOf(events)).to.deep.equal(['scan', 'repeated', 'repeated', 'attendance']);
      expect(events.values[1]).to.deep.equal({
        kind: 'repeated',
        reading: { id: ada, reader: 'door', at: 1_763_700_001, monotonicMs: 1999 },
      });
      expect(indications).to.have.length(1);
      expect((await service.loadDay(today))?.entries[0]?.count).to.equal(1);
    });

    it('treats every reading as a tap without a repeat window', async () => {
      const { events, tap } = await start({ repeatWindowMs: 0 });
      door.present('04A2B3C4D5');
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'scan', 'attendance', 'attendance']);
    });

    it('has a repeat window of two seconds when none is set', async () => {
      const { days, mapping } = await start();
      const service = serviceOf({ days, mapping });
      await service.open();
      const events = new Recorder(service.events);
      const takeAt = (monotonicMs: number): Promise<void> =>
        service.take({ id: ada, reader: 'gate', at: clock.now(), monotonicMs });
      for (const ms of [0, 1999, 3999]) await takeAt(ms);
      expect(kindsOf(events)).to.deep.equal(['scan', 'attendance', 'repeated', 'scan', 'attendance']);
    });
  });

  describe('when a scan cannot be recorded', () => {
    it('announces the failure and indicates it', async () => {
      const { events, indications, tap } = await start({ days: new BrokenDayStore() });
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'failed']);
      expect(events.values[1]).to.have.nested.property('error.message', 'disk full');
      expect(indications).to.deep.equal([{ signal: 'failed', id: ada, reader: 'door' }]);
    });

    it('accepts the tap again after a second if the scan is not kept', async () => {
      const days = new BrokenDayStore();
      const { service, events, tap } = await start({ days, backlogLimit: 0 });
      await tap(ada);
      days.isBroken = false;
      clock.advance(1000);
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'failed', 'scan', 'attendance']);
      expect((await service.loadDay(today))?.entries[0]?.count).to.equal(1);
    });

    it('treats a tag that rests on the reader as one tap if the scan is kept', async () => {
      const { service, events, tap } = await start({ days: new BrokenDayStore() });
      for (let n = 0; n < 3; n++) {
        await tap(ada);
        clock.advance(1500);
      }
      expect(kindsOf(events)).to.deep.equal(['scan', 'failed', 'repeated', 'repeated']);
      expect(service.backlog.waiting).to.equal(1);
    });

    for (const code of ['STORE_CORRUPT', 'STORE_READ_FAILED'] as const) {
      it(`keeps a scan that fails with ${code}, and does not block others`, async () => {
        const days = new MemoryDayStore();
        const record = days.record.bind(days);
        days.record = (day, id, at) =>
          id === ada ? Promise.reject(new TallybookError(code, 'the row is damaged')) : record(day, id, at);
        const { service, events, indications, tap } = await start({ days });
        await tap(ada);
        expect(events.values[1]).to.include({ kind: 'failed', isKept: true });
        await tap(bob);
        expect(events.values.at(-1)).to.include({ kind: 'attendance', outcome: 'counted' });
        expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed', 'unknown']);
        expect(service.backlog).to.include({ waiting: 1, refused: 0 });
      });
    }

    it('reports nothing about the name, even if it could not be read either', async () => {
      const { events, tap } = await start({
        days: new BrokenDayStore(),
        mapping: new BrokenMappingStore(),
      });
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'failed']);
    });

    it('fails like this when a store throws instead of rejecting', async () => {
      const days = new MemoryDayStore();
      days.record = () => {
        throw new Error('a mistake in the store');
      };
      const { events, tap } = await start({ days });
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'failed']);
    });
  });

  describe('when the name of a tag cannot be read', () => {
    it('announces the failure after the recording, and the attendance without a name', async () => {
      const days = new HeldDayStore();
      const { service, events, indications } = await start({ days, mapping: new BrokenMappingStore() });
      door.present('04A2B3C4D5');
      expect(kindsOf(events)).to.deep.equal(['scan']);
      days.gates[0]?.resolve();
      await service.settled();
      expect(kindsOf(events)).to.deep.equal(['scan', 'name-unavailable', 'attendance']);
      expect(events.values[1]).to.have.nested.property('error.message', 'block lost');
      expect(events.values[2]).to.include({ outcome: 'counted', name: undefined });
      expect(indications.map(({ signal }) => signal)).to.deep.equal(['unknown']);
    });

    it('announces the same when the store throws instead of rejecting', async () => {
      const mapping = new MemoryMappingStore();
      mapping.get = () => {
        throw new Error('a mistake in the store');
      };
      const { events, tap } = await start({ mapping });
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'name-unavailable', 'attendance']);
    });
  });

  describe('when several tags come at the same time', () => {
    it('hands them to the store in the order of the readings', async () => {
      const days = new HeldDayStore();
      const { service, events } = await start({ days });
      door.present('04A2B3C4D5');
      door.present('0006547886');
      expect(days.calls).to.deep.equal([ada, bob]);
      days.gates[1]?.resolve();
      await events.find('the attendance of the second', (each) => each.kind === 'attendance');
      days.gates[0]?.resolve();
      await service.settled();
      const announced = events.values.flatMap((each) => (each.kind === 'attendance' ? [each.scan.id] : []));
      expect(announced).to.deep.equal([bob, ada]);
    });

    it('is settled when the last of them is done, and if there are none', async () => {
      const days = new HeldDayStore();
      const { service, events } = await start({ days });
      await service.settled();
      door.present('04A2B3C4D5');
      door.present('0006547886');
      let isSettled = false;
      const settling = service.settled().then(() => (isSettled = true));
      days.gates[0]?.resolve();
      await events.find('an attendance', ({ kind }) => kind === 'attendance');
      expect(isSettled).to.equal(false);
      days.gates[1]?.resolve();
      await settling;
      expect(kindsOf(events)).to.deep.equal(['scan', 'scan', 'attendance', 'attendance']);
    });
  });

  describe('when other code throws', () => {
    it('records even if a subscriber of its indications throws', async () => {
      const { days, mapping } = await start();
      const mistake = new Error('no light');
      const service = serviceOf({ days, mapping });
      service.indications.subscribe(() => {
        throw mistake;
      });
      await service.open();
      const events = new Recorder(service.events);
      const reasons = await unhandledRejectionsOf(() =>
        service.take({ id: ada, reader: 'gate', at: clock.now(), monotonicMs: 0 }),
      );
      expect(kindsOf(events)).to.deep.equal(['scan', 'attendance']);
      expect(reasons).to.deep.equal([mistake]);
    });

    it('records even if a subscriber throws', async () => {
      const { service, indications } = await start();
      const mistake = new Error('a mistake in the subscriber');
      service.events.subscribe(() => {
        throw mistake;
      });
      const reasons = await unhandledRejectionsOf(() =>
        service.take({ id: ada, reader: 'gate', at: clock.now(), monotonicMs: 0 }),
      );
      expect(reasons).to.deep.equal([mistake, mistake]);
      expect(indications).to.have.length(1);
      expect((await service.loadDay(today))?.entries).to.have.length(1);
    });
  });

  it('makes a reader wait with its acknowledgement until the scan is recorded', async () => {
    const days = new HeldDayStore();
    const { service, events } = await start({ days });
    const readings = new Emitter<Reading>();
    service.listen({ readings } as Partial<IdSource> as IdSource);
    const held: Promise<unknown>[] = [];
    const reading = { id: ada, reader: 'gate', at: clock.now(), monotonicMs: 0 };
    readings.emit({ ...reading, waitUntil: (work) => void held.push(work) });
    let isDone = false;
    const done = Promise.all(held).then(() => (isDone = true));
    await new Promise(setImmediate);
    expect(held).to.have.length(1);
    expect(isDone).to.equal(false);
    days.gates[0]?.resolve();
    await done;
    expect(kindsOf(events)).to.deep.equal(['scan', 'attendance']);
  });

  it('tells an acknowledging reader whether an unwritten reading is kept in memory', async () => {
    const days = new HeldDayStore();
    const { service, events } = await start({ days, backlogLimit: 1 });
    const readings = new Emitter<Reading>();
    service.listen({ readings } as Partial<IdSource> as IdSource);
    const held: Promise<unknown>[] = [];
    for (const id of [ada, bob]) {
      const reading = { id, reader: 'gate', at: clock.now(), monotonicMs: 0 };
      readings.emit({ ...reading, waitUntil: (work) => void held.push(work) });
    }
    for (const gate of days.gates) gate.reject(new Error('the disk is full'));
    const results = await Promise.allSettled(held);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
    const kept = events.values.flatMap((event) => (event.kind === 'failed' ? [event.isKept] : []));
    expect(kept).to.deep.equal([true, false]);
  });

  it('tells an acknowledging reader the outcome of each reading', async () => {
    const days = new BrokenDayStore();
    days.isBroken = false;
    const { service } = await start({ days });
    const readings = new Emitter<Reading>();
    service.listen({ readings } as Partial<IdSource> as IdSource);
    const told: Promise<string>[] = [];
    const take = (monotonicMs: number): void => {
      const reading = { id: ada, reader: 'gate', at: clock.now(), monotonicMs };
      readings.emit({ ...reading, waitUntil: (work) => void told.push(work) });
    };
    take(0);
    take(1_000);
    take(10_000);
    await Promise.all(told);
    days.isBroken = true;
    take(20_000);
    expect(await Promise.all(told)).to.deep.equal(['counted', 'repeated', 'already-counted', 'waiting']);
  });

  it('uses the time of the device for a reading if that is trusted, and otherwise its own time', async () => {
    clock.set(62);
    const { service, days } = await start();
    const at = 1_763_600_000 as Timestamp;
    await service.take({ id: ada, reader: 'gate', at, monotonicMs: 0, hasOwnTime: true });
    clock.set(1_763_500_000);
    await service.take({ id: bob, reader: 'gate', at: clock.now(), monotonicMs: 0 });
    expect((await days.load(toDay(20_412)))?.entries.map(({ id, first }) => [id, first])).to.deep.equal([
      [ada, at],
    ]);
    expect((await days.load(toDay(20_410)))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
  });

  it('indicates nothing for readings of long ago', async () => {
    const { service, indications } = await start();
    clock.advance(100_000);
    await service.take({ id: ada, reader: 'gate', at: clock.now(), monotonicMs: 84_999 });
    expect(indications).to.deep.equal([]);
    await service.take({ id: bob, reader: 'gate', at: clock.now(), monotonicMs: 85_000 });
    expect(indications).to.have.length(1);
  });

  it('takes no readings from a source after unsubscribing', async () => {
    const { service, events } = await start();
    const gate = new ScriptedIdSource(clock, 'gate');
    await gate.open();
    const subscription = service.listen(gate);
    gate.present('04A2B3C4D5');
    subscription.unsubscribe();
    gate.present('0006547886');
    await service.settled();
    expect(kindsOf(events)).to.deep.equal(['scan', 'attendance']);
    await gate.close();
  });

  it('gives the people of a day, and the days', async () => {
    const { service, days } = await start();
    await days.record(toDay(3), ada, clock.now());
    await days.record(toDay(1), bob, clock.now());
    expect((await service.loadDay(toDay(3)))?.entries.map(({ id }) => id)).to.deep.equal([ada]);
    expect(await service.loadDay(toDay(2))).to.equal(undefined);
    expect(await service.listDays(toDay(1), toDay(3))).to.deep.equal([1, 3]);
    const [dayRevision, listRevision] = [await service.dayRevision(toDay(2)), await service.listRevision()];
    await days.record(toDay(2), ada, clock.now());
    expect(await service.dayRevision(toDay(2))).to.not.equal(dayRevision);
    expect(await service.listRevision()).to.not.equal(listRevision);
  });

  it('takes no readings while it is closed, and does not stop sources', async () => {
    const { service, events } = await start();
    await service.close();
    const reasons = await unhandledRejectionsOf(() => {
      door.present('04A2B3C4D5');
    });
    await rejectionOf('NOT_OPEN', service.take({ id: ada, reader: 'gate', at: clock.now(), monotonicMs: 0 }));
    expect(events.values).to.deep.equal([]);
    expect(reasons).to.deep.equal([]);
  });

  describe('when a reader is tried', () => {
    it('gives away the next tap, and records neither it nor its repetitions', async () => {
      const { service, events, days, tap } = await start();
      const taken: string[] = [];
      service.divertNext(door, ({ id }) => taken.push(id));
      await tap(ada, ada);
      expect(taken).to.deep.equal([ada]);
      expect(kindsOf(events)).to.deep.equal(['repeated']);
      expect(await days.load(today)).to.equal(undefined);
    });

    it('records the tap of another tag, and a later one of the same', async () => {
      const { service, events, tap } = await start();
      service.divertNext(door, () => undefined);
      await tap(ada, bob);
      clock.advance(2_001);
      await tap(ada);
      expect(kindsOf(events)).to.deep.equal(['scan', 'attendance', 'scan', 'attendance']);
    });

    it('takes nothing of another reader, and nothing after the end of the trial', async () => {
      const { service, events, tap } = await start();
      const taken: string[] = [];
      service.divertNext({ name: 'gate' }, ({ id }) => taken.push(id));
      await tap(ada);
      service.divertNext(door, ({ id }) => taken.push(id)).unsubscribe();
      await tap(bob);
      expect(taken).to.deep.equal([]);
      expect(kindsOf(events)).to.deep.equal(['scan', 'attendance', 'scan', 'attendance']);
    });

    it('records what a device has kept since before the trial, and acknowledges what it takes', async () => {
      const gate = new Emitter<Reading>();
      const { service, events, days } = await start();
      service.listen(Object.assign(new ScriptedIdSource(clock, 'gate'), { readings: gate }));
      const taken: string[] = [];
      service.divertNext({ name: 'gate' }, ({ id }) => taken.push(id));
      clock.advance(60_000);
      const outcomes: unknown[] = [];
      const give = async (id: TallyId, monotonicMs: number): Promise<void> => {
        const answer = new Promise<unknown>((resolve) => {
          gate.emit({ ...{ id, reader: 'gate', at: clock.now(), monotonicMs }, waitUntil: resolve });
        });
        outcomes.push(await answer);
      };
      await give(ada, clock.monotonicMs() - 20_000);
      await give(bob, clock.monotonicMs());
      await service.settled();
      expect(outcomes).to.deep.equal(['counted', 'repeated']);
      expect(taken).to.deep.equal([bob]);
      expect(kindsOf(events)).to.deep.equal(['scan', 'attendance']);
      expect((await days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([ada]);
    });
  });

  /** A day store that records the first day of each list that is asked for. */
  class AskedDayStore extends MemoryDayStore {
    readonly askedFrom: Day[] = [];

    override list(from: Day, to: Day): Promise<readonly Day[]> {
      this.askedFrom.push(from);
      return super.list(from, to);
    }
  }

  for (const day of [0, 3, 20_000, 20_412, 20_413, 4_294_967_295]) {
    it(`knows the latest scan when it is on day ${day}`, async () => {
      const days = new AskedDayStore();
      await days.open();
      await days.record(toDay(0), bob, 5 as Timestamp);
      await days.record(toDay(day), ada, (day * 86_400 + 7) as Timestamp);
      const timekeeper = new Timekeeper(clock);
      const service = serviceOf({ days, timekeeper });
      await service.open();
      expect(timekeeper.suspectScan ?? timekeeper.latestScan).to.equal(day * 86_400 + 7);
      // At most four times the needed days; all days if the scan is in the future, because other scans must confirm it.
      const needed = day > today + 1 ? today : today - day;
      expect(today - Math.min(...days.askedFrom)).to.be.at.most(Math.max(4 * needed, 1));
    });
  }
});
