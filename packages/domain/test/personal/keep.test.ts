import { formatDay, parseDay, toDay } from '@tallybook/domain';
import { firstKeptDay, formatKeep, parseKeep } from '@tallybook/domain/personal';
import { expect } from 'chai';
import { doubtOf } from '../../src/personal/retention-guard.js';
import { thrownBy } from '../fixtures/throws.js';

const dayOf = (date: string) => toDay(Date.parse(`${date}T00:00:00Z`) / 86_400_000);

describe('How long days are kept', () => {
  for (const [text, date, first] of [
    ['24months', '2026-11-23', '2024-11-23'],
    ['10days', '2026-11-23', '2026-11-13'],
    ['1month', '2026-03-31', '2026-02-28'],
    ['12months', '2024-02-29', '2023-02-28'],
    ['2years', '2026-11-22', '2024-11-22'],
    ['1year', '2025-02-28', '2024-02-28'],
    ['400days', '2026-11-22', '2025-10-18'],
    ['1day', '2026-01-01', '2025-12-31'],
  ] as const) {
    it(`is ${text}: on ${date} the first one is ${first}`, () => {
      expect(formatDay(firstKeptDay(parseKeep(text), dayOf(date)))).to.equal(first);
    });
  }

  it('goes back to the first possible day, and no further', () => {
    expect(firstKeptDay(parseKeep('100years'), parseDay('300'))).to.equal(0);
    expect(firstKeptDay(parseKeep('36600days'), parseDay('300'))).to.equal(0);
  });

  it('is written as it is read', () => {
    for (const text of ['24months', '1month', '400days', '1day', '2years', '1year'])
      expect(formatKeep(parseKeep(text))).to.equal(text);
  });

  for (const text of [
    '',
    '0days',
    '24',
    'months',
    '1.5years',
    '-1days',
    '36601days',
    '1201months',
    '101years',
  ]) {
    it(`cannot be "${text}"`, () => {
      thrownBy('INVALID_OPTION', () => parseKeep(text));
    });
  }
});

describe('The automatic removal of days', () => {
  const every = (from: number, to: number, step = 1) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => toDay(from + n * step));

  it('is allowed if there are days up to now, and few of them are removed', () => {
    expect(doubtOf(every(19_000, 20_000), toDay(20_000), 1)).to.equal(undefined);
    expect(doubtOf(every(19_000, 20_000, 50), toDay(20_060), 7)).to.equal(undefined);
  });

  it('is allowed if nothing is removed, with every time of the clock', () => {
    expect(doubtOf([], toDay(20_000), 0)).to.equal(undefined);
  });

  it('is refused by a clock that is years ahead', () => {
    expect(doubtOf(every(19_000, 20_000), toDay(24_000), 1)).to.equal('leap-in-time');
    expect(doubtOf(every(19_000, 20_000), toDay(20_061), 1)).to.equal('leap-in-time');
  });

  it('is refused by such a clock even after some weeks of taps', () => {
    const recorded = [...every(19_000, 20_000), ...every(24_000, 24_028)];
    expect(doubtOf(recorded, toDay(24_028), 1)).to.equal('leap-in-time');
  });

  it('is allowed some weeks after holidays', () => {
    const recorded = [...every(19_000, 20_000), ...every(20_090, 20_120)];
    expect(doubtOf(recorded, toDay(20_120), 1)).to.equal(undefined);
  });

  it('is refused for very many days and backups at once', () => {
    expect(doubtOf(every(19_000, 20_000), toDay(20_000), 60)).to.equal(undefined);
    expect(doubtOf(every(19_000, 20_000), toDay(20_000), 61)).to.equal('many-days');
    expect(doubtOf(every(19_000, 20_000), toDay(20_000), 1, { backups: 59 })).to.equal(undefined);
    expect(doubtOf(every(19_000, 20_000), toDay(20_000), 1, { backups: 60 })).to.equal('many-days');
  });

  it('is refused for more than a third of a small record, unless it is a week', () => {
    const weekly = every(19_700, 20_000, 7);
    expect(weekly).to.have.lengthOf(43);
    expect(doubtOf(weekly, toDay(20_000), 14)).to.equal(undefined);
    expect(doubtOf(weekly, toDay(20_000), 15)).to.equal('many-days');
    expect(doubtOf(every(19_990, 20_000), toDay(20_000), 7)).to.equal(undefined);
    expect(doubtOf(every(19_990, 20_000), toDay(20_000), 8)).to.equal('many-days');
    expect(doubtOf(every(19_990, 20_000), toDay(20_000), 8, { isAskedElsewhere: true })).to.equal(undefined);
  });

  it('does not depend on the share of backups', () => {
    expect(doubtOf(every(19_970, 20_000), toDay(20_000), 3, { backups: 20 })).to.equal(undefined);
  });
});
