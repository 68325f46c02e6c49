import { toTimestamp } from '@tallybook/domain';
import { Turns } from '@tallybook/domain/record';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';

describe('Turns', () => {
  it('end after ten milliseconds, and begin again after that', async () => {
    const clock = new ManualClock(toTimestamp(1_763_700_000));
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      clock.advance(100);
      return Promise.resolve();
    };
    const turns = new Turns(pause, () => clock.monotonicMs());
    await turns.next();
    clock.advance(9);
    await turns.next();
    expect(pauses).to.equal(0);
    clock.advance(1);
    expect(turns.isOver).to.equal(true);
    await turns.next();
    expect([pauses, turns.isOver]).to.deep.equal([1, false]);
  });
});
