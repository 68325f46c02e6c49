import { Calendar, DAY_MAX, parseTimestamp, TIMESTAMP_MAX_U64, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll, timestamps } from '../fixtures/arbitraries.js';
import { formatTimestamp } from '../../src/values/timestamp.js';
import { thrownBy } from '../fixtures/throws.js';

describe('parseTimestamp', () => {
  it('reads every timestamp', () => {
    forAll([timestamps], (timestamp) => {
      expect(parseTimestamp(String(timestamp))).to.equal(timestamp);
    });
  });

  it('reads leading zeros', () => {
    expect(parseTimestamp('0001763700000')).to.equal(1_763_700_000);
  });

  it('is exact up to 2^53 - 1', () => {
    expect(parseTimestamp('9007199254740990')).to.equal(9_007_199_254_740_990);
    expect(parseTimestamp('9007199254740991')).to.equal(9_007_199_254_740_991);
  });

  it('reads larger numbers up to 2^64 - 1 as 2^53 - 1, which is on the last day', () => {
    const calendar = new Calendar();
    forAll(
      [fc.bigInt({ min: 2n ** 53n, max: TIMESTAMP_MAX_U64 })],
      (value) => {
        const timestamp = parseTimestamp(String(value));
        expect(timestamp).to.equal(Number.MAX_SAFE_INTEGER);
        expect(calendar.dayOf(timestamp)).to.equal(DAY_MAX);
      },
      { examples: [[2n ** 53n], [TIMESTAMP_MAX_U64]] },
    );
  });

  it('refuses 2^64 and larger numbers', () => {
    for (const text of ['18446744073709551616', '18446744073709551625', '9'.repeat(400)]) {
      const { message } = thrownBy('INVALID_TIMESTAMP', () => parseTimestamp(text));
      expect(message).to.include('from 0 to 18446744073709551615; got "');
    }
  });

  for (const text of ['', ' 1', '1\n', '-1', '+1', '1.5', '1e9', '0x10', '１', 'now']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      thrownBy('INVALID_TIMESTAMP', () => parseTimestamp(text));
    });
  }

  it('refuses a value that is no text', () => {
    for (const value of [undefined, null, 1, 1n, ['1'], {}]) {
      thrownBy('INVALID_TIMESTAMP', () => parseTimestamp(value));
    }
  });
});

describe('toTimestamp', () => {
  it('returns whole numbers from 0 to 2^53 - 1', () => {
    for (const value of [0, 1, 1_763_700_000, Number.MAX_SAFE_INTEGER]) {
      expect(toTimestamp(value)).to.equal(value);
    }
  });

  for (const value of [-1, 0.5, 2 ** 53, NaN, Infinity, '1', 1n, true, null, undefined]) {
    it(`refuses ${typeof value} ${String(value)}`, () => {
      const { message } = thrownBy('INVALID_TIMESTAMP', () => toTimestamp(value));
      expect(message).to.include('from 0 to 9007199254740991; got ');
    });
  }
});

describe('formatTimestamp', () => {
  it('writes a timestamp for people, also the largest', () => {
    expect(formatTimestamp(toTimestamp(3_340_702_404))).to.equal('2075-11-11T12:53:24Z');
    expect(formatTimestamp(toTimestamp(Number.MAX_SAFE_INTEGER))).to.equal('+275760-09-13T00:00:00Z');
  });
});
