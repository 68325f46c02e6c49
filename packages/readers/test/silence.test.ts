import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ManualClock } from '@tallybook/testing';
import { Silence } from '../src/silence.js';

/** A clock for a blocked process: its timers fire late. */
class HeldUpClock extends ManualClock {
  #lateMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#lateMs;
  }

  /** From now on the process is blocked for this time. */
  holdUp(milliseconds: number): void {
    this.#lateMs += milliseconds;
  }
}

describe('Silence', () => {
  const setUp = () => {
    const clock = new HeldUpClock();
    let silences = 0;
    const silence = new Silence(clock, () => silences++);
    /** Number of silences after this much more time. */
    const after = async (milliseconds: number): Promise<number> => {
      clock.advance(milliseconds);
      await setImmediate();
      return silences;
    };
    return { clock, silence, after };
  };

  it('is noticed once after the set time without bytes', async () => {
    const { silence, after } = setUp();
    silence.await(50);
    expect(await after(49)).to.equal(0);
    silence.await(50);
    expect(await after(49)).to.equal(0);
    expect(await after(1)).to.equal(1);
    expect(await after(1_000)).to.equal(1);
  });

  it('is not noticed after it was stopped, even in the turn in which it is over', async () => {
    const { clock, silence, after } = setUp();
    silence.await(50);
    clock.advance(50);
    silence.stop();
    expect(await after(1_000)).to.equal(0);
  });

  it('is awaited once more if the process was blocked, so that bytes from that time end it', async () => {
    const { clock, silence, after } = setUp();
    silence.await(50);
    clock.holdUp(300);
    expect(await after(50)).to.equal(0);
    expect(await after(49)).to.equal(0);
    silence.await(50);
    expect(await after(49)).to.equal(0);
    expect(await after(1)).to.equal(1);
  });

  it('is noticed on a machine that is always late', async () => {
    const { clock, silence, after } = setUp();
    silence.await(50);
    clock.holdUp(300);
    expect(await after(50)).to.equal(0);
    clock.holdUp(300);
    expect(await after(50)).to.equal(1);
  });

  it('is noticed at most half a second later if the process was blocked, for every length', async () => {
    const { clock, silence, after } = setUp();
    silence.await(86_400_000);
    clock.holdUp(300);
    expect(await after(86_400_000)).to.equal(0);
    expect(await after(500)).to.equal(1);
  });

  it('is noticed in time after a usual short delay of the process', async () => {
    const { clock, silence, after } = setUp();
    silence.await(50);
    clock.holdUp(20);
    expect(await after(50)).to.equal(1);
  });
});
