import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseTallyId, type TallyId } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { Confirmation } from '../../src/serial/confirmation.js';

const ada = parseTallyId('62E3086CED');
const bob = parseTallyId('010063E9AE');

/** Numbers of the frames that complete a reading. */
async function confirm(frames: number, ...sent: (readonly [TallyId, number])[]): Promise<boolean[]> {
  const clock = new ManualClock();
  const confirmation = new Confirmation(frames, clock);
  const accepted: boolean[] = [];
  for (const [id, monotonicMs] of sent) {
    clock.advance(monotonicMs - clock.monotonicMs());
    await nextTurn();
    accepted.push(confirmation.accepts(id));
  }
  return accepted;
}

describe('Confirmation', () => {
  it('makes a reading from every frame when one is enough', async () => {
    expect(await confirm(1, [ada, 0], [ada, 0], [bob, 1])).to.deep.equal([true, true, true]);
  });

  it('makes a reading from the set number of equal frames, then counts anew', async () => {
    const five = [0, 50, 100, 150, 200, 250].map((time) => [ada, time] as const);
    expect(await confirm(2, ...five)).to.deep.equal([false, true, false, true, false, true]);
    expect(await confirm(3, ...five)).to.deep.equal([false, false, true, false, false, true]);
  });

  it('makes no reading from a single frame', async () => {
    expect(await confirm(2, [ada, 0], [ada, 10], [bob, 20], [ada, 30])).to.deep.equal([
      false,
      true,
      false,
      false,
    ]);
  });

  it('combines only frames that are less than 500 ms apart', async () => {
    expect(await confirm(2, [ada, 1_000], [ada, 1_499])).to.deep.equal([false, true]);
    expect(await confirm(2, [ada, 1_000], [ada, 1_500])).to.deep.equal([false, false]);
    expect(await confirm(3, [ada, 0], [ada, 400], [ada, 800])).to.deep.equal([false, false, true]);
    expect(await confirm(3, [ada, 0], [ada, 400], [ada, 900], [ada, 901], [ada, 902])).to.deep.equal([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('combines two frames if the second one waited while the process was blocked', () => {
    const clock = new ManualClock();
    const confirmation = new Confirmation(2, clock);
    confirmation.accepts(ada);
    clock.advance(1_000);
    expect(confirmation.accepts(ada)).to.equal(true);
  });

  it('forgets its count when it is stopped', () => {
    const confirmation = new Confirmation(2, new ManualClock());
    confirmation.accepts(ada);
    confirmation.stop();
    expect(confirmation.accepts(ada)).to.equal(false);
  });

  it('starts the count again with each different id', async () => {
    const alternating = [0, 1, 2, 3, 4, 5].map((time) => [time % 2 === 0 ? ada : bob, time] as const);
    expect(await confirm(2, ...alternating)).to.not.include(true);
  });

  it('makes a steady stream of readings from a tag that is sent every 60 ms', async () => {
    const held = Array.from({ length: 1_000 }, (_, frame) => [ada, frame * 60] as const);
    expect((await confirm(2, ...held)).filter(Boolean)).to.have.length(500);
    expect((await confirm(5, ...held)).filter(Boolean)).to.have.length(200);
  });

  for (const frames of [0, 6, 1.5, NaN]) {
    it(`refuses to ask for ${frames} frames`, () => {
      expect(() => new Confirmation(frames, new ManualClock()))
        .to.throw('confirm is a whole number from 1 to 5')
        .with.property('code', 'INVALID_OPTION');
    });
  }
});
