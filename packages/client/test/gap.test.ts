import { expect } from 'chai';
import { isGapBetween } from '../src/events/gap.js';

describe('isGapBetween', () => {
  it('is none between neighbours of one run', () => {
    expect(isGapBetween('8f14-9', '8f14-10')).to.equal(false);
  });

  it('is one where numbers are left out', () => {
    expect(isGapBetween('8f14-9', '8f14-11')).to.equal(true);
  });

  it('is one between two runs', () => {
    expect(isGapBetween('8f14-9', '02ab-10')).to.equal(true);
  });

  it('is not known of other cursors', () => {
    for (const [before, after] of [
      ['9', '11'],
      ['8f14-9', '11'],
      ['9', '8f14-11'],
    ] as const) {
      expect(isGapBetween(before, after)).to.equal(false);
    }
  });
});
