import {
  Calendar,
  DAY_MAX,
  parseTimestamp,
  TIMESTAMP_MAX_U64,
  toTimestamp,
  type Day,
} from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll, timestamps } from '../fixtures/arbitraries.js';
import { thrownBy } from '../fixtures/throws.js';

/** The day of a moment, as a date. */
function dateOf(calendar: Calendar, moment: string): string {
  const day: Day = calendar.dayOf(toTimestamp(Date.parse(moment) / 1000));
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

describe('Calendar', () => {
  it('is UTC from midnight on when nothing is set', () => {
    const calendar = new Calendar();
    expect(calendar.zone).to.equal('UTC');
    expect(calendar.dayStart).to.equal('00:00');
    expect(calendar.dayOf(toTimestamp(0))).to.equal(0);
    expect(calendar.dayOf(toTimestamp(86_399))).to.equal(0);
    expect(calendar.dayOf(toTimestamp(86_400))).to.equal(1);
    expect(calendar.dayOf(toTimestamp(1_763_700_000))).to.equal(20_413);
  });

  it('divides by 86,400 in UTC, for every timestamp', () => {
    const calendar = new Calendar();
    forAll([timestamps], (timestamp) => {
      const day = BigInt(timestamp) / 86_400n;
      expect(BigInt(calendar.dayOf(timestamp))).to.equal(day < 4_294_967_295n ? day : 4_294_967_295n);
    });
  });

  it('never goes back in UTC, whatever the day start', () => {
    const dayStarts = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((fields) => fields.map((field) => String(field).padStart(2, '0')).join(':'));
    forAll([dayStarts, timestamps, fc.nat(200_000)], (dayStart, timestamp, later) => {
      const calendar = new Calendar({ dayStart });
      const next = toTimestamp(Math.min(timestamp + later, Number.MAX_SAFE_INTEGER));
      expect(calendar.dayOf(next)).to.be.at.least(calendar.dayOf(timestamp));
    });
  });

  it('has the same days in a zone that never left UTC', () => {
    const [plain, zoned] = [new Calendar(), new Calendar({ zone: 'Etc/UTC' })];
    forAll([timestamps], (timestamp) => {
      expect(zoned.dayOf(timestamp)).to.equal(plain.dayOf(timestamp));
    });
  });

  describe('at the ends of the range of days', () => {
    const zones = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'];

    it('has day 0 for earlier moments', () => {
      for (const zone of zones) {
        expect(new Calendar({ zone, dayStart: '23:59' }).dayOf(toTimestamp(0))).to.equal(0);
      }
      expect(new Calendar({ zone: 'Pacific/Pago_Pago' }).dayOf(toTimestamp(11 * 3600 - 1))).to.equal(0);
    });

    it('has the last day for the largest timestamp, and for every one after its beginning', () => {
      const beginning = DAY_MAX * 86_400;
      for (const zone of zones) {
        const calendar = new Calendar({ zone });
        expect(calendar.dayOf(parseTimestamp(String(TIMESTAMP_MAX_U64)))).to.equal(4_294_967_295);
        expect(calendar.dayOf(toTimestamp(beginning + 86_400))).to.equal(4_294_967_295);
        expect(calendar.dayOf(toTimestamp(beginning - 2 * 86_400))).to.be.below(4_294_967_295);
      }
      expect(new Calendar().dayOf(toTimestamp(beginning - 1))).to.equal(4_294_967_294);
      expect(new Calendar().dayOf(toTimestamp(beginning))).to.equal(4_294_967_295);
    });

    it('knows summer time as long as there are dates', () => {
      const calendar = new Calendar({ zone: 'Europe/Berlin' });
      const dayOf = (moment: string): number => calendar.dayOf(toTimestamp(Date.parse(moment) / 1000));
      expect(dayOf('+200000-07-14T22:30:00Z')).to.equal(dayOf('+200000-07-14T12:00:00Z') + 1);
      expect(dayOf('+200000-01-14T22:30:00Z')).to.equal(dayOf('+200000-01-14T12:00:00Z'));
    });

    it('continues after the year 275760, where dates of ECMAScript end', () => {
      const end = 8.64e12;
      for (const zone of zones) {
        const calendar = new Calendar({ zone });
        const days = [-2, -1, 0, 1, 2].map((n) => calendar.dayOf(toTimestamp(end + n * 86_400)));
        const [first = 0] = days;
        expect(days).to.deep.equal([0, 1, 2, 3, 4].map((n) => first + n));
        expect(Math.abs(first + 2 - end / 86_400)).to.be.at.most(1);
      }
    });
  });

  describe('in a zone', () => {
    /** Dates of moments, by the zone and why it is here. */
    const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'Europe/Berlin: a day of 23 hours and one of 25': {
        '2025-03-29T22:59:59Z': '2025-03-29',
        '2025-03-29T23:00:00Z': '2025-03-30',
        '2025-03-30T21:59:59Z': '2025-03-30',
        '2025-03-30T22:00:00Z': '2025-03-31',
        '2025-10-25T21:59:59Z': '2025-10-25',
        '2025-10-25T22:00:00Z': '2025-10-26',
        '2025-10-26T22:59:59Z': '2025-10-26',
        '2025-10-26T23:00:00Z': '2025-10-27',
      },
      'Asia/Kolkata: half an hour': {
        '2025-06-01T18:29:59Z': '2025-06-01',
        '2025-06-01T18:30:00Z': '2025-06-02',
      },
      'Asia/Kathmandu: a quarter of an hour': {
        '2025-06-01T18:14:59Z': '2025-06-01',
        '2025-06-01T18:15:00Z': '2025-06-02',
      },
      'Australia/Lord_Howe: clocks that change by half an hour': {
        '2025-04-05T12:59:59Z': '2025-04-05',
        '2025-04-05T13:00:00Z': '2025-04-06',
        '2025-04-06T13:29:59Z': '2025-04-06',
        '2025-04-06T13:30:00Z': '2025-04-07',
      },
      'Pacific/Apia: the day that was skipped, 2011-12-30': {
        '2011-12-30T09:59:59Z': '2011-12-29',
        '2011-12-30T10:00:00Z': '2011-12-31',
        '2011-12-31T09:59:59Z': '2011-12-31',
        '2011-12-31T10:00:00Z': '2012-01-01',
      },
      'America/Havana: clocks that go forward at midnight, and back from 01:00 to midnight': {
        '2025-03-09T04:59:59Z': '2025-03-08',
        '2025-03-09T05:00:00Z': '2025-03-09',
        '2025-03-10T03:59:59Z': '2025-03-09',
        '2025-03-10T04:00:00Z': '2025-03-10',
        '2025-11-02T03:59:59Z': '2025-11-01',
        '2025-11-02T04:00:00Z': '2025-11-02',
        '2025-11-02T05:00:00Z': '2025-11-02',
        '2025-11-03T04:59:59Z': '2025-11-02',
        '2025-11-03T05:00:00Z': '2025-11-03',
      },
      'Asia/Beirut: clocks that go back from midnight to 23:00 of the day before': {
        '2025-03-29T21:59:59Z': '2025-03-29',
        '2025-03-29T22:00:00Z': '2025-03-30',
        '2025-10-24T21:00:00Z': '2025-10-25',
        '2025-10-25T20:59:59Z': '2025-10-25',
        '2025-10-25T21:00:00Z': '2025-10-25',
        '2025-10-25T21:59:59Z': '2025-10-25',
        '2025-10-25T22:00:00Z': '2025-10-26',
      },
      'Africa/Monrovia: an offset of 44 minutes and 30 seconds': {
        '1971-06-02T00:44:29Z': '1971-06-01',
        '1971-06-02T00:44:30Z': '1971-06-02',
      },
    };
    for (const [zone, days] of Object.entries(known)) {
      it(`is right in ${zone}`, () => {
        const calendar = new Calendar({ zone: zone.replace(/:.*/, '') });
        for (const [moment, date] of Object.entries(days))
          expect(dateOf(calendar, moment), moment).to.equal(date);
      });
    }

    it('begins the day when the wall clock shows the day start, on days of 23 and 25 hours too', () => {
      const calendar = new Calendar({ zone: 'Europe/Berlin', dayStart: '04:00' });
      const days: readonly [string, string][] = [
        ['2025-03-29T02:59:59Z', '2025-03-28'],
        ['2025-03-29T03:00:00Z', '2025-03-29'],
        ['2025-03-30T01:59:59Z', '2025-03-29'],
        ['2025-03-30T02:00:00Z', '2025-03-30'],
        ['2025-10-26T02:59:59Z', '2025-10-25'],
        ['2025-10-26T03:00:00Z', '2025-10-26'],
      ];
      for (const [moment, date] of days) expect(dateOf(calendar, moment), moment).to.equal(date);
    });

    it('begins the day when clocks go forward across the day start', () => {
      const calendar = new Calendar({ zone: 'Europe/Berlin', dayStart: '02:30' });
      expect(dateOf(calendar, '2025-03-30T00:59:59Z')).to.equal('2025-03-29');
      expect(dateOf(calendar, '2025-03-30T01:00:00Z')).to.equal('2025-03-30');
    });

    it('puts repeated minutes on the day of the wall clock when clocks go back across the day start', () => {
      const calendar = new Calendar({ zone: 'Europe/Berlin', dayStart: '02:30' });
      expect(dateOf(calendar, '2025-10-26T00:29:59Z')).to.equal('2025-10-25');
      expect(dateOf(calendar, '2025-10-26T00:30:00Z')).to.equal('2025-10-26');
      expect(dateOf(calendar, '2025-10-26T01:00:00Z')).to.equal('2025-10-25');
      expect(dateOf(calendar, '2025-10-26T01:30:00Z')).to.equal('2025-10-26');
    });
  });

  describe('with wrong settings', () => {
    for (const zone of ['', 'Mars/Olympus', 'Europe/Berlin ', 'Berlin', '\u001B[31m']) {
      it(`refuses the zone ${JSON.stringify(zone)}`, () => {
        const { message, cause } = thrownBy('INVALID_OPTION', () => new Calendar({ zone }));
        expect(message).to.match(/^the zone is an IANA time zone such as UTC or Europe\/Berlin; got "/);
        expect(cause).to.be.instanceOf(RangeError);
      });
    }

    for (const dayStart of ['', '4:00', '24:00', '23:60', '04:00:00', '0400', '-1:00', '04:00\n']) {
      it(`refuses the day start ${JSON.stringify(dayStart)}`, () => {
        const { message } = thrownBy('INVALID_OPTION', () => new Calendar({ dayStart }));
        expect(message).to.match(/^the day start is HH:MM from 00:00 to 23:59; got "/);
      });
    }
  });
});
