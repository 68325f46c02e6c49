import type { AttendanceService } from '@tallybook/domain';
import { Calendar, toDay, type AttendanceEvent, type Day } from '@tallybook/domain';
import type { ManualClock, Recorder } from '@tallybook/testing';
import { MemoryDayStore, MemoryProvisionalStore } from '@tallybook/testing';
import { expect } from 'chai';
import { AttendanceTrial } from './attendance-trial.js';
import { ada } from '../../../testing/test/fixtures/known-values.js';

describe('AttendanceService in Berlin with days that begin at 04:00, when the clock is set', () => {
  let trial: AttendanceTrial;
  let clock: ManualClock;
  let service: AttendanceService;
  let events: Recorder<AttendanceEvent>;

  beforeEach(async () => {
    trial = await AttendanceTrial.open(
      {
        days: new MemoryDayStore(),
        provisional: new MemoryProvisionalStore(),
        calendar: new Calendar({ zone: 'Europe/Berlin', dayStart: '04:00' }),
      },
      { repeatWindowMs: 0 },
    );
    ({ clock, service, events } = trial);
    clock.setSynchronised(undefined);
  });

  afterEach(() => trial.close());

  /** Sets the clock, and taps a tag. */
  async function tapAt(time: string): Promise<void> {
    clock.set(Date.parse(time) / 1000);
    await trial.tap(ada);
  }

  /** Dates of the recorded scans, in the order of recording. */
  function dates(): string[] {
    return events.values.flatMap((each) => (each.kind === 'attendance' ? [dateOf(each.scan.day)] : []));
  }

  function dateOf(day: Day): string {
    return new Date(day * 86_400_000).toISOString().slice(0, 10);
  }

  it('begins a new day when it jumps over midnight and the day start', async () => {
    await tapAt('2030-05-06T21:59:59Z');
    await tapAt('2030-05-07T01:59:59Z');
    await tapAt('2030-05-07T02:00:00Z');
    expect(dates()).to.deep.equal(['2030-05-06', '2030-05-06', '2030-05-07']);
  });

  it('keeps scans after a jump back over midnight, and files them on the right day', async () => {
    await tapAt('2030-05-07T02:00:00Z');
    await tapAt('2030-05-06T20:00:00Z');
    expect(dates()).to.deep.equal(['2030-05-07']);
    clock.set(Date.parse('2030-05-07T02:10:00Z') / 1000);
    clock.advance(1_000);
    await events.find('the filed scan', () => dates().length === 2);
    expect(dates()).to.deep.equal(['2030-05-07', '2030-05-07']);
    const at = Date.parse('2030-05-07T02:10:00Z') / 1000;
    const record = await service.loadDay(toDay(Date.parse('2030-05-07') / 86_400_000));
    expect(record?.entries).to.deep.equal([{ id: ada, first: at - 600, last: at, count: 2 }]);
  });

  it('does not treat the repeated hour of autumn as a jump back', async () => {
    await tapAt('2030-10-27T00:59:59Z');
    clock.advance(1_000);
    await trial.tap(ada);
    expect(dates()).to.deep.equal(['2030-10-26', '2030-10-26']);
  });
});
