import { expect } from 'chai';
import { retryDelayMs } from '../src/index.js';

describe('retryDelayMs', () => {
  it('doubles from half a second to 15 seconds and stays there', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(retryDelayMs)).to.deep.equal([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
    expect(retryDelayMs(100_000)).to.equal(15_000);
  });
});
