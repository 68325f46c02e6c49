import { Calendar, Timekeeper, toTimestamp, type ReaderState } from '@tallybook/domain';
import {
  backlogCheck,
  clockCheck,
  readersCheck,
  storeCheck,
  type Finding,
  type HealthCheck,
} from '@tallybook/domain/record';
import { ManualClock, MemoryDayStore } from '@tallybook/testing';
import { expect } from 'chai';
import type { BacklogState } from '../../../src/attendance/backlog.js';
import { rejectionOf } from '../../fixtures/throws.js';

const statusOf = async ({ check }: HealthCheck): Promise<string> => (await check()).status;
const backlogOf = (state: Partial<BacklogState>): { backlog: BacklogState } => ({
  backlog: { waiting: 0, limit: 10, refused: 0, ...state },
});

describe('the check of the store', () => {
  const clock = new ManualClock();
  const days = new MemoryDayStore();
  const parts = { days, calendar: new Calendar(), timekeeper: new Timekeeper(clock) };
  before(() => days.open());
  after(() => days.close());

  const check = (waiting: number, said?: Finding): HealthCheck =>
    storeCheck({
      ...parts,
      attendance: backlogOf({ waiting }),
      ...(said !== undefined && { notices: () => said }),
    });

  it('fails while scans wait in memory, and says how many', async () => {
    expect(await check(0).check()).to.deep.equal({ status: 'ok' });
    expect((await check(3).check()).detail).to.match(/3 scans/);
    expect(await statusOf(check(3))).to.equal('fail');
  });

  it('is the state of the store, if that is worse', async () => {
    expect(await statusOf(check(0, { status: 'warn' }))).to.equal('warn');
    expect(await statusOf(check(3, { status: 'warn' }))).to.equal('fail');
    expect(await check(3, { status: 'fail', detail: 'full' }).check()).to.include({ detail: 'full' });
  });

  it('rejects as the store does', async () => {
    const closed = new MemoryDayStore();
    const { check: checkClosed } = storeCheck({ ...parts, days: closed, attendance: backlogOf({}) });
    await rejectionOf('NOT_OPEN', Promise.resolve(checkClosed()));
  });

  it('is vital', () => {
    expect(check(0).isVital).to.equal(true);
  });
});

describe('the check of the backlog', () => {
  it('warns while scans wait or were lost, and fails when it is full', async () => {
    expect(await statusOf(backlogCheck(backlogOf({})))).to.equal('ok');
    expect(await statusOf(backlogCheck(backlogOf({ waiting: 9 })))).to.equal('warn');
    expect(await statusOf(backlogCheck(backlogOf({ waiting: 10 })))).to.equal('fail');
    expect(await statusOf(backlogCheck(backlogOf({ refused: 1 })))).to.equal('warn');
    expect(await statusOf(backlogCheck(backlogOf({ limit: 0 })))).to.equal('ok');
  });
});

describe('the check of readers', () => {
  const at = toTimestamp(1_763_700_000);
  const well: ReaderState = {
    ...{ name: 'hall', kind: 'serial', connection: 'connected', since: at, faults: {} },
    ...{ faultySince: undefined, lastReading: undefined, lastFault: undefined },
  };
  const gone: ReaderState = {
    ...well,
    name: 'door',
    connection: 'waiting',
    lastFault: { code: 'READER_DISCONNECTED', message: 'it was unplugged', at },
  };
  const check = (...states: ReaderState[]): HealthCheck => readersCheck({ list: () => states });

  it('warns of a reader that is missing or has faults, and says why', async () => {
    expect(await check(well, gone).check()).to.deep.equal({
      status: 'warn',
      items: [
        { name: 'hall', status: 'ok' },
        { name: 'door', status: 'warn', detail: 'not connected: it was unplugged' },
      ],
    });
    expect(await check({ ...well, faultySince: at }).check()).to.deep.equal({
      status: 'warn',
      items: [{ name: 'hall', status: 'warn', detail: 'has faults' }],
    });
  });

  it('fails when none is connected', async () => {
    expect(await statusOf(check(gone))).to.equal('fail');
    expect(await statusOf(check(well))).to.equal('ok');
  });

  it('warns where no reader is set: taps may still come over HTTP', async () => {
    expect(await check().check()).to.deep.equal({
      status: 'warn',
      detail: 'no reader is set: taps come only from phones and programs',
    });
  });
});

describe('the check of the clock', () => {
  it('warns while the clock is not trusted, or a scan lies far in the future', async () => {
    const clock = new ManualClock();
    const timekeeper = new Timekeeper(clock);
    expect(await statusOf(clockCheck(timekeeper))).to.equal('ok');
    timekeeper.noteRecord({
      latestScan: toTimestamp(3_340_702_404),
      credibleScan: toTimestamp(clock.now()),
    });
    expect(await clockCheck(timekeeper).check()).to.deep.equal({
      status: 'warn',
      detail: `a scan is recorded far in the future, at 2075-11-11T12:53:24Z`,
    });
    clock.setSynchronised(false);
    expect((await clockCheck(timekeeper).check()).detail).to.match(/time server/);
  });
});
