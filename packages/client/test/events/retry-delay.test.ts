import { expect } from 'chai';
import { retryDelayMs } from '../../src/events/event-stream.js';

describe('retryDelayMs', () => {
  it('is at least what the service asks for', () => {
    expect(retryDelayMs(1, 2_000, 0)).to.equal(2_000);
    expect(retryDelayMs(1, 60_000, 0)).to.equal(60_000);
  });

  it('is never 0, so that a missing service does not get requests without a pause', () => {
    expect(retryDelayMs(1, 0, 0)).to.equal(100);
    expect(retryDelayMs(3, 0, 0)).to.equal(400);
  });

  it('doubles with each failure, up to half a minute', () => {
    const delays = [1, 2, 3, 4, 5, 6, 2_000].map((failures) => retryDelayMs(failures, 2_000, 0));
    expect(delays).to.deep.equal([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is longer by a random part of up to one half', () => {
    expect(retryDelayMs(1, 2_000, 0.5)).to.equal(2_500);
    expect(retryDelayMs(9, 2_000, 1)).to.equal(45_000);
  });
});
