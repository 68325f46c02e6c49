import { TallybookError, toDay, toTimestamp, type Filing } from '@tallybook/domain';
import { ManualClock, MemoryDayStore, MemoryProvisionalStore } from '@tallybook/testing';
import { expect } from 'chai';
import { AttendanceTrial } from './attendance-trial.js';
import { Deferred } from '../fixtures/deferred.js';
import { rejectionOf } from '../fixtures/throws.js';
import { ada, bob, today, NOW } from '../../../testing/test/fixtures/known-values.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

const yesterday = toDay(20_412);
const damaged = new TallybookError('STORE_CORRUPT', 'a row is damaged');
const full = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');

/** A store that fails or waits when the test says so. */
class MoodyDayStore extends MemoryDayStore {
  failure: TallybookError | undefined;
  recording: Promise<void> | undefined;

  override async record(...args: Parameters<MemoryDayStore['record']>): ReturnType<MemoryDayStore['record']> {
    await this.recording;
    if (this.failure !== undefined) throw this.failure;
    return super.record(...args);
  }

  override async remove(...args: Parameters<MemoryDayStore['remove']>): Promise<boolean> {
    if (this.failure === full) throw full;
    return super.remove(...args);
  }
}

/** A store whose `list` waits when the test says so. */
class SlowProvisionalStore extends MemoryProvisionalStore {
  listing: Promise<void> | undefined;

  override async list(): ReturnType<MemoryProvisionalStore['list']> {
    await this.listing;
    return super.list();
  }
}

describe('AttendanceService, when a day is removed', () => {
  let days: MoodyDayStore;
  let provisional: SlowProvisionalStore;
  let trial: AttendanceTrial<MoodyDayStore>;

  beforeEach(async () => {
    days = new MoodyDayStore();
    provisional = new SlowProvisionalStore();
    trial = await AttendanceTrial.open({ days, provisional, builtAt: 1_700_000_000 }, { repeatWindowMs: 0 });
  });

  afterEach(() => trial.close());

  /** Adds a scan to the provisional list that is already filed under a day. */
  async function file(id: typeof ada, filing: Filing): Promise<void> {
    const sequence = await provisional.add(unplacedScan(id, filing.at, { notBefore: toTimestamp(0) }));
    await provisional.settle(sequence, filing);
  }

  const estimate = { earliest: toTimestamp(1_700_000_000), latest: toTimestamp(NOW) };
  const kept = async (): Promise<unknown[]> => (await provisional.list()).map(({ id }) => id);

  it('no longer lists scans with an estimated time on it, and still lists all others', async () => {
    await file(ada, { day: today, at: toTimestamp(NOW), estimate, isRecorded: true });
    await file(bob, { day: yesterday, at: toTimestamp(NOW - 86_400), estimate, isRecorded: true });
    await trial.tap(ada);
    expect(await trial.service.removeDay(today)).to.equal(true);
    expect(await kept()).to.deep.equal([bob]);
  });

  it('reports that the day was there if only such a scan was left, as after a power cut in between', async () => {
    await file(ada, { day: today, at: toTimestamp(NOW), estimate, isRecorded: true });
    expect(await trial.service.removeDay(today)).to.equal(true);
    expect(await trial.service.removeDay(today)).to.equal(false);
  });

  it('does not record a provisional scan of the day that waited because the day was damaged', async () => {
    days.failure = damaged;
    await trial.tap(ada);
    expect(await kept()).to.deep.equal([ada]);
    expect(await trial.service.removeDay(today)).to.equal(true);
    days.failure = undefined;
    trial.clock.advance(60_000);
    await trial.close();
    expect(await days.load(today)).to.equal(undefined);
  });

  it('waits for scans that are being filed, so that they are not recorded afterwards', async () => {
    await file(ada, { day: today, at: toTimestamp(NOW), isRecorded: false });
    const recorded = new Deferred<void>();
    days.recording = recorded.promise;
    // The start begins to file the waiting scans.
    await trial.restart();
    const removing = trial.service.removeDay(today);
    recorded.resolve();
    expect(await removing).to.equal(true);
    expect(await kept()).to.deep.equal([]);
    expect(await days.load(today)).to.equal(undefined);
  });

  it('files nothing meanwhile, and files the scans of other days afterwards', async () => {
    days.failure = damaged;
    await trial.tap(ada);
    await file(bob, { day: yesterday, at: toTimestamp(NOW - 86_400), isRecorded: false });
    days.failure = undefined;
    const listed = new Deferred<void>();
    provisional.listing = listed.promise;
    const removing = trial.service.removeDay(today);
    trial.clock.advance(60_000);
    listed.resolve();
    await removing;
    trial.clock.advance(1_000);
    await trial.events.find('the attendance', (each) => each.kind === 'attendance' && each.scan.id === bob);
    expect(await days.list(toDay(0), today)).to.deep.equal([yesterday]);
  });

  it('drops scans of that day that wait in memory, and no others', async () => {
    days.failure = full;
    await trial.tap(ada);
    trial.clock.set(NOW + 86_400);
    await trial.tap(bob);
    days.failure = undefined;
    expect(await trial.service.removeDay(today)).to.equal(true);
    expect(trial.service.backlog.waiting).to.equal(1);
    trial.clock.advance(2_000);
    await trial.events.find('the attendance', ({ kind }) => kind === 'attendance');
    expect(await days.list(yesterday, toDay(20_420))).to.deep.equal([toDay(20_414)]);
  });

  it('writes scans of another day that wait in memory, even if the service is closed meanwhile', async () => {
    days.failure = full;
    trial.clock.set(NOW + 86_400);
    await trial.tap(bob);
    days.failure = undefined;
    const listed = new Deferred<void>();
    provisional.listing = listed.promise;
    const removing = trial.service.removeDay(today);
    const closing = trial.service.close();
    listed.resolve();
    await Promise.all([removing, closing]);
    expect(await days.list(yesterday, toDay(20_420))).to.deep.equal([toDay(20_414)]);
  });

  it('keeps a scan in memory if its day is unknown', async () => {
    await provisional.close();
    trial.clock.setSynchronised(false);
    await trial.tap(ada);
    await provisional.open();
    expect(await trial.service.removeDay(today)).to.equal(false);
    expect(trial.service.backlog.waiting).to.equal(1);
  });

  it('keeps all scans if the record cannot be removed', async () => {
    await file(ada, { day: today, at: toTimestamp(NOW), estimate, isRecorded: true });
    days.failure = full;
    await trial.tap(bob);
    expect(await rejectionOf('STORE_WRITE_FAILED', trial.service.removeDay(today))).to.equal(full);
    expect(await kept()).to.deep.equal([ada]);
    expect(trial.service.backlog.waiting).to.equal(1);
  });

  it('drops scans that wait in memory while the clock is not trusted, if they are recorded without provisional scans', async () => {
    await trial.close();
    const clock = new ManualClock(NOW);
    clock.setSynchronised(false);
    trial = await AttendanceTrial.open({ days, clock });
    days.failure = full;
    await trial.tap(ada);
    expect(trial.service.backlog.waiting).to.equal(1);
    days.failure = undefined;
    expect(await trial.service.removeDay(today)).to.equal(true);
    expect(trial.service.backlog.waiting).to.equal(0);
  });
});
