import {
  type AttendanceService,
  createReading,
  Emitter,
  parseTallyId,
  TallybookError,
  type AttendanceEvent,
  type Day,
  type IdSource,
  type Indication,
  type Reading,
  type RecordOutcome,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { AttendanceOptions } from '../../src/attendance/attendance-service.js';
import type { ManualClock, Recorder, ScriptedIdSource } from '@tallybook/testing';
import { MemoryDayStore } from '@tallybook/testing';
import { expect } from 'chai';
import { AttendanceTrial } from './attendance-trial.js';
import { today } from '../../../testing/test/fixtures/known-values.js';

const ids = ['0A0B0C01', '0A0B0C02', '0A0B0C03', '0A0B0C04'].map((id) => parseTallyId(id));

/** A store on a full disk, until the test frees space. */
class FullDayStore extends MemoryDayStore {
  isFull = true;
  /** The error while it is full. */
  failure = new Error('disk full');
  readonly recorded: TallyId[] = [];
  #answer: Promise<void> | undefined;

  /** From now on reports the full disk only after `release`. */
  hold(): { readonly release: () => void } {
    let release = (): void => undefined;
    this.#answer = new Promise((resolve) => (release = resolve));
    return { release };
  }

  override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    if (this.isFull) {
      await this.#answer;
      throw this.failure;
    }
    this.recorded.push(id);
    return super.record(day, id, at);
  }
}

describe('AttendanceService, while the store cannot write', () => {
  const [first, second, third, fourth] = ids as [TallyId, TallyId, TallyId, TallyId];
  let trial: AttendanceTrial<FullDayStore>;
  let clock: ManualClock;
  let days: FullDayStore;
  let door: ScriptedIdSource;
  let indications: Indication[];
  let service: AttendanceService;
  let events: Recorder<AttendanceEvent>;

  const start = async (options: AttendanceOptions = {}): Promise<void> => {
    trial = await AttendanceTrial.open({ days: new FullDayStore() }, options);
    ({ clock, days, service, events, door, indications } = trial);
    for (const id of ids) await trial.mapping.put(id, { first: 'A', last: id });
  };

  const tap = (...tapped: TallyId[]): Promise<void> => trial.tap(...tapped);

  beforeEach(() => start());

  afterEach(() => trial.close());

  const outcomes = (): string[] =>
    events.values.flatMap((each) => {
      if (each.kind === 'attendance') return [`${each.scan.id} ${each.outcome}`];
      return each.kind === 'failed' ? [`${each.scan.id} ${each.isKept ? 'kept' : 'lost'}`] : [];
    });

  describe('until somebody repairs it', () => {
    beforeEach(() => {
      const details = { isPermanent: true };
      days.failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is broken', { details });
    });

    it('says that scans are not recorded, and keeps them nevertheless', async () => {
      await tap(first, second);
      expect(outcomes()).to.deep.equal([`${first} lost`, `${second} lost`]);
      expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed', 'failed']);
      expect(service.backlog).to.deep.equal({ waiting: 2, limit: 10_000, refused: 0 });
      days.isFull = false;
      clock.advance(2_000);
      await events.find('the last of them', (each) => each.kind === 'attendance' && each.scan.id === second);
      expect(days.recorded).to.deep.equal([first, second]);
      // The light has said that they failed.
      expect(indications).to.have.length(2);
    });

    it('leaves a scan to a reader that still has it', async () => {
      let taken: Promise<unknown> = Promise.resolve();
      await service.take(createReading(clock, 'gate', first));
      const waitUntil = (work: Promise<unknown>): void => void (taken = work);
      const readings = new Emitter<Reading>();
      service.listen({ readings } as unknown as IdSource);
      readings.emit({ ...createReading(clock, 'gate', second), waitUntil });
      expect(await taken.catch((error: unknown) => error)).to.have.property('code', 'STORE_WRITE_FAILED');
      expect(service.backlog).to.include({ waiting: 1, refused: 0 });
    });

    it('lists the scans that are lost with the process after the stop', async () => {
      await tap(first, second);
      await service.close();
      expect(service.unwritten.map(({ id, reader }) => [id, reader])).to.deep.equal([
        [first, 'door'],
        [second, 'door'],
      ]);
    });
  });

  it('writes them by itself, in order and with the time of the tap, when the store can write again', async () => {
    await tap(third);
    clock.advance(500);
    await tap(first, second);
    days.isFull = false;
    clock.advance(86_400_000);
    await events.find('the last of them', (each) => each.kind === 'attendance' && each.scan.id === second);
    expect(days.recorded).to.deep.equal([third, first, second]);
    expect((await service.loadDay(today))?.entries.map(({ id }) => id)).to.deep.equal([third, first, second]);
    expect(outcomes().slice(3)).to.deep.equal([third, first, second].map((id) => `${id} counted`));
    expect(service.backlog.waiting).to.equal(0);
  });

  it('writes waiting scans before a new scan, without waiting for the next attempt', async () => {
    await tap(first, second);
    days.isFull = false;
    await tap(third, fourth);
    expect(days.recorded).to.deep.equal([first, second, third, fourth]);
    expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed', 'failed', 'counted', 'counted']);
  });

  it('writes waiting scans before a new scan, even if they are being refused when it comes', async () => {
    await tap(first, second);
    const { release } = days.hold();
    clock.advance(2_000);
    days.isFull = false;
    const tapping = tap(third);
    release();
    await tapping;
    expect(days.recorded).to.deep.equal([first, second, third]);
  });

  it('keeps the oldest if there are too many, counts the others and reports them as lost', async () => {
    await start({ backlogLimit: 2 });
    await tap(first, second, third, fourth);
    expect(outcomes()).to.deep.equal([`${first} kept`, `${second} kept`, `${third} lost`, `${fourth} lost`]);
    expect(service.backlog).to.deep.equal({ waiting: 2, limit: 2, refused: 2 });
    days.isFull = false;
    clock.advance(1000);
    await tap(third);
    expect(days.recorded).to.deep.equal([first, second, third]);
  });

  it('writes waiting scans when it closes, if the store can', async () => {
    await tap(first, second);
    days.isFull = false;
    await service.close();
    expect(days.recorded).to.deep.equal([first, second]);
  });

  describe('because the store does not answer', () => {
    let answer: (outcome: RecordOutcome) => void;
    let refuse: (error: Error) => void;

    beforeEach(() => {
      days.record = () =>
        new Promise((resolve, reject) => {
          answer = resolve;
          refuse = reject;
        });
      door.present(first);
    });

    it('reports after ten seconds that the scan failed, and shows it as waiting', async () => {
      clock.advance(9999);
      expect(outcomes()).to.deep.equal([]);
      expect(service.backlog.waiting).to.equal(0);
      clock.advance(1);
      expect(outcomes()).to.deep.equal([`${first} kept`]);
      expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed']);
      expect(service.backlog.waiting).to.equal(1);
      answer('counted');
      await service.settled();
    });

    it('announces the attendance when the store answers in the end, but does not indicate it', async () => {
      clock.advance(10_000);
      answer('counted');
      await service.settled();
      expect(outcomes()).to.deep.equal([`${first} kept`, `${first} counted`]);
      expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed']);
      expect(service.backlog.waiting).to.equal(0);
    });

    it('keeps the scan, and does not report a second failure, when the store refuses in the end', async () => {
      clock.advance(10_000);
      refuse(new Error('I/O error'));
      await service.settled();
      expect(outcomes()).to.deep.equal([`${first} kept`]);
      expect(service.backlog.waiting).to.equal(1);
      days.record = FullDayStore.prototype.record.bind(days);
      days.isFull = false;
      clock.advance(2000);
      await events.find('the attendance', ({ kind }) => kind === 'attendance');
      expect(days.recorded).to.deep.equal([first]);
    });

    it('reports no slowness after an answer', async () => {
      answer('counted');
      await service.settled();
      clock.advance(60_000);
      expect(outcomes()).to.deep.equal([`${first} counted`]);
    });
  });

  it('closes even if the store still cannot write, and continues with its kept scans when it is opened again', async () => {
    await tap(first, second);
    await service.close();
    expect(service.backlog.waiting).to.equal(2);
    days.isFull = false;
    clock.advance(1_000_000);
    expect(days.recorded).to.deep.equal([]);
    await service.open();
    await events.find('the last of them', (each) => each.kind === 'attendance' && each.scan.id === second);
    expect(days.recorded).to.deep.equal([first, second]);
  });
});
