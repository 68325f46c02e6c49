import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';

describe('ManualClock', () => {
  it('stands still', () => {
    const clock = new ManualClock(1000);
    expect([clock.now(), clock.now()]).to.deep.equal([1000, 1000]);
    expect([clock.monotonicMs(), clock.monotonicMs()]).to.deep.equal([0, 0]);
  });

  it('begins on day 20413 by default', () => {
    expect(Math.floor(new ManualClock().now() / 86_400)).to.equal(20_413);
  });

  it('moves both clocks when time passes', () => {
    const clock = new ManualClock(1000);
    clock.advance(1500);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([1001, 1500]);
    clock.advance(500);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([1002, 2000]);
  });

  it('changes only the time of day when it is set, in either direction', () => {
    const clock = new ManualClock(1000);
    clock.advance(700);
    clock.set(500);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([500, 700]);
    clock.set(2000);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([2000, 700]);
  });

  it('runs scheduled work once, at its time and in its order', () => {
    const clock = new ManualClock(1000);
    const done: string[] = [];
    const note = (what: string) => () => void done.push(`${what} at ${clock.now()} ${clock.monotonicMs()}`);
    clock.schedule(3000, note('third'));
    clock.schedule(1000, () => {
      note('first')();
      clock.schedule(1000, note('second'));
    });
    clock.schedule(2500, note('never')).unsubscribe();
    clock.advance(999);
    expect(done).to.deep.equal([]);
    clock.advance(2001);
    expect(done).to.deep.equal(['first at 1001 1000', 'second at 1002 2000', 'third at 1003 3000']);
    clock.advance(10_000);
    expect(done).to.have.length(3);
  });

  it('follows a time server by default', () => {
    const clock = new ManualClock();
    expect(clock.isSynchronised()).to.equal(true);
    for (const isSynchronised of [false, undefined, true]) {
      clock.setSynchronised(isSynchronised);
      expect(clock.isSynchronised()).to.equal(isSynchronised);
    }
  });

  it('begins another run of the monotonic clock without scheduled work when the device starts', () => {
    const clock = new ManualClock();
    clock.advance(5000);
    clock.schedule(1000, () => expect.fail('another run'));
    expect(clock.bootId).to.equal('manual');
    clock.reboot('second', 70);
    expect([clock.bootId, clock.now(), clock.monotonicMs()]).to.deep.equal(['second', 70, 0]);
    clock.advance(2000);
    expect([clock.now(), clock.monotonicMs()]).to.deep.equal([72, 2000]);
  });

  it('refuses an invalid timestamp', () => {
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
