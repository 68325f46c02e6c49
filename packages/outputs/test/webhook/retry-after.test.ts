import { expect } from 'chai';
import { parseRetryAfter } from '../../src/webhook/endpoint.js';

const NOW = 1_763_700_000;

describe('parseRetryAfter', () => {
  for (const [value, delayMs] of [
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['999999999', 3_600_000],
    [new Date((NOW + 90) * 1_000).toUTCString(), 90_000],
    [new Date((NOW - 90) * 1_000).toUTCString(), 0],
    [new Date((NOW + 90_000) * 1_000).toUTCString(), 3_600_000],
    ['', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ] as const) {
    it(`reads ${value ?? 'a missing value'} as ${delayMs ?? 'nothing'}`, () => {
      expect(parseRetryAfter(value, NOW)).to.equal(delayMs);
    });
  }
});
