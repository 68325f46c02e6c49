import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';

describe('ManualClock', () => {
  it('stands still', () => {
    const clock = new ManualClock(1000);
    expect([clock.now(), clock.now()]).to.deep.equal([1000, 1000]);
    expect([clock.monotonicMs(), clock.monotonicMs()]).to.deep.equal([0, 0]);
  });

  it('begins on day 20413 when it is told nothing', () => {
    expect(Math.floor(new ManualClock().now() / 86_400)).to.equal(20_413);
  });

  it('goes on as both clocks when time passes', () => {
    const clock = new ManualClock(1000);
    clock.advance(1500);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([1001, 1500]);
    clock.advance(500);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([1002, 2000]);
  });

  it('changes the time of day alone when it is set, in either direction', () => {
    const clock = new ManualClock(1000);
    clock.advance(700);
    clock.set(500);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([500, 700]);
    clock.set(2000);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([2000, 700]);
  });

  it('refuses what is no timestamp', () => {
    for (const seconds of [-1, 0.5, NaN]) {
      expect(() => new ManualClock(seconds))
        .to.throw()
        .with.property('code', 'INVALID_TIMESTAMP');
      expect(() => {
        new ManualClock().set(seconds);
      })
        .to.throw()
        .with.property('code', 'INVALID_TIMESTAMP');
    }
  });
});
