import { DAY_MAX, formatDay, parseDay, toDay } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { days, forAll } from '../fixtures/arbitraries.js';
import { thrownBy } from '../fixtures/throws.js';

describe('parseDay', () => {
  it('reads every day', () => {
    forAll([days], (day) => {
      expect(parseDay(String(day))).to.equal(day);
    });
  });

  it('reads leading zeros', () => {
    expect(parseDay('00020411')).to.equal(20_411);
  });

  const refused = [
    '4294967296',
    '9007199254740993',
    '9'.repeat(400),
    '',
    ' 1',
    '1\n',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x10',
    '１',
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      const { message } = thrownBy('INVALID_DAY', () => parseDay(text));
      expect(message).to.include('from 0 to 4294967295; got "');
    });
  }

  it('refuses a value that is no text', () => {
    for (const value of [undefined, null, 20_411, 20_411n, ['20411'], {}]) {
      thrownBy('INVALID_DAY', () => parseDay(value));
    }
  });

  it('reads all digits up to the last day exactly and refuses all others', () => {
    forAll([fc.bigInt({ min: 0n, max: 2n ** 70n })], (value) => {
      if (value <= 4_294_967_295n) expect(BigInt(parseDay(String(value)))).to.equal(value);
      else thrownBy('INVALID_DAY', () => parseDay(String(value)));
    });
  });
});

describe('toDay', () => {
  it('returns whole numbers from the first to the last day', () => {
    for (const value of [0, 1, 20_411, 4_294_967_295]) expect(toDay(value)).to.equal(value);
  });

  for (const value of [-1, 0.5, 4_294_967_296, NaN, Infinity, -Infinity, '1', 1n, true, null, undefined]) {
    it(`refuses ${typeof value} ${String(value)}`, () => {
      const { message } = thrownBy('INVALID_DAY', () => toDay(value));
      expect(message).to.include('from 0 to 4294967295');
    });
  }
});

describe('formatDay', () => {
  it('writes the date as ISO 8601 does, as far as there are dates', () => {
    const dates = [0, 20_411, 2_932_896, 2_932_897, 100_000_000].map((day) => formatDay(toDay(day)));
    expect(dates).to.deep.equal(['1970-01-01', '2025-11-19', '9999-12-31', '+010000-01-01', '+275760-09-13']);
  });

  it('writes the number of a later day', () => {
    expect(formatDay(toDay(100_000_001))).to.equal('day 100000001');
    expect(formatDay(DAY_MAX)).to.equal('day 4294967295');
  });
});
