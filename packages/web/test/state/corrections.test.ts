import { expect } from 'chai';
import type { Correction } from '@tallybook/client';
import { correctionsOf, scansOf } from '../../src/state/days-table.js';
import { momentAt, momentOnDay } from '../../src/state/days.js';
import { createFormats } from '../../src/state/formats.js';

const DAY = 20_150;
const ADA = '04A2B3C4D5';
const SPARE = '04DEADBEEF';

function correction(number: number, more: Partial<Correction> = {}): Correction {
  return {
    number,
    action: 'void',
    day: DAY,
    id: ADA,
    at: 100,
    reason: 'wrong',
    author: 'grace',
    madeAt: 1_000,
    state: 'approved',
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    ...more,
  };
}

describe('corrections', () => {
  const numbersOf = (all: readonly Correction[], ids = [ADA]): readonly number[] =>
    correctionsOf(all)(DAY, ids).map(({ number }) => number);

  it('of an entry are the latest of each second, by time, of all its tags', () => {
    const all = [
      correction(1),
      correction(2, { action: 'add' }),
      correction(3, { at: 50 }),
      correction(4, { at: 70, id: SPARE }),
      correction(5, { at: 60, day: DAY + 1 }),
    ];
    expect(numbersOf(all)).to.deep.equal([3, 2]);
    expect(numbersOf(all, [ADA, SPARE])).to.deep.equal([3, 4, 2]);
    expect(numbersOf([...all].reverse())).to.deep.equal([3, 2]);
    expect(numbersOf(all, ['04CAFEBABE'])).to.deep.equal([]);
  });

  it('that were rejected say nothing; those that wait are beside what holds so far', () => {
    const all = [
      correction(1),
      correction(2, { action: 'add', state: 'rejected' }),
      correction(3, { action: 'add', state: 'pending' }),
    ];
    expect(numbersOf(all)).to.deep.equal([1, 3]);
  });

  it('say of every scan whether it counts', () => {
    const taken = [
      { id: ADA, at: 200 },
      { id: ADA, at: 100 },
    ];
    const all = [
      correction(1),
      correction(2, { at: 300, action: 'add' }),
      correction(3, { at: 200, state: 'pending' }),
      correction(4, { at: 200, state: 'rejected' }),
    ];
    expect(scansOf(taken, all)).to.deep.equal([
      { id: ADA, at: 100, counts: false, isPending: false },
      { id: ADA, at: 200, counts: true, isPending: true },
      { id: ADA, at: 300, counts: true, isPending: false },
    ]);
    expect(scansOf(taken, [...all, correction(5, { action: 'add' })])[0]).to.include({ counts: true });
  });

  it('say of a scan that is to be added that it counts only once that is approved', () => {
    const added = { action: 'add', at: 300 } as const;
    const scan = { id: ADA, at: 300 };
    expect(scansOf([], [correction(1, { ...added, state: 'pending' })])).to.deep.equal([
      { ...scan, counts: false, isPending: true },
    ]);
    expect(scansOf([], [correction(1, added)])).to.deep.equal([{ ...scan, counts: true, isPending: false }]);
  });

  it('leave a scan as it was taken when they were rejected', () => {
    expect(scansOf([{ id: ADA, at: 100 }], [correction(1, { state: 'rejected' })])).to.deep.equal([
      { id: ADA, at: 100, counts: true, isPending: false },
    ]);
  });
});

describe('the moment of a time on a day of the service', () => {
  const isoAt = (seconds: number, dayStart: string): string => {
    const { wallClock } = createFormats('en', 'Europe/Berlin');
    return new Date(momentOnDay(DAY, seconds, { dayStart, wallClock }) * 1_000).toISOString();
  };

  it('is of the next date before the hour at which days begin', () => {
    expect(isoAt(1_800, '04:00')).to.equal('2025-03-03T23:30:00.000Z');
    expect(isoAt(4 * 3_600 - 60, '04:00')).to.equal('2025-03-04T02:59:00.000Z');
    expect(isoAt(4 * 3_600 + 900, '04:30')).to.equal('2025-03-04T03:15:00.000Z');
  });

  it('is of the date of the day from that hour on', () => {
    expect(isoAt(4 * 3_600, '04:00')).to.equal('2025-03-03T03:00:00.000Z');
    expect(isoAt(4 * 3_600 + 1_800, '04:30')).to.equal('2025-03-03T03:30:00.000Z');
    expect(isoAt(1_800, '00:00')).to.equal('2025-03-02T23:30:00.000Z');
  });
});

describe('the moment of a time of day', () => {
  it('is the one that the clock on the wall of the service shows', () => {
    const { wallClock } = createFormats('en', 'Europe/Berlin');
    const moment = momentAt(DAY, 7.5 * 3_600, wallClock);
    expect(new Date(moment * 1_000).toISOString()).to.equal('2025-03-03T06:30:00.000Z');
  });
});
