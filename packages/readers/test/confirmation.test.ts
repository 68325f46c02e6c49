import { parseTallyId, type TallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { Confirmation } from '../src/serial/confirmation.js';

const ada = parseTallyId('62E3086CED');
const bob = parseTallyId('010063E9AE');

/** Which of the frames complete a reading. */
function confirm(frames: number, ...sent: (readonly [TallyId, number])[]): boolean[] {
  const confirmation = new Confirmation(frames);
  return sent.map(([id, monotonicMs]) => confirmation.accepts(id, monotonicMs));
}

describe('Confirmation', () => {
  it('makes a reading of every frame when one is enough', () => {
    expect(confirm(1, [ada, 0], [ada, 0], [bob, 1])).to.deep.equal([true, true, true]);
  });

  it('makes a reading of as many equal frames as it is told, then counts anew', () => {
    const five = [0, 50, 100, 150, 200, 250].map((time) => [ada, time] as const);
    expect(confirm(2, ...five)).to.deep.equal([false, true, false, true, false, true]);
    expect(confirm(3, ...five)).to.deep.equal([false, false, true, false, false, true]);
  });

  it('makes no reading of a frame that comes alone', () => {
    expect(confirm(2, [ada, 0], [ada, 10], [bob, 20], [ada, 30])).to.deep.equal([false, true, false, false]);
  });

  it('takes frames that are 500 ms apart together, and no more', () => {
    expect(confirm(2, [ada, 1_000], [ada, 1_500])).to.deep.equal([false, true]);
    expect(confirm(2, [ada, 1_000], [ada, 1_501])).to.deep.equal([false, false]);
  });

  it('counts the latest frames when older ones are too old', () => {
    expect(confirm(2, [ada, 0], [ada, 600], [ada, 700])).to.deep.equal([false, false, true]);
    expect(confirm(3, [ada, 0], [ada, 400], [ada, 600], [ada, 800])).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
  });

  it('starts the count anew with each unlike id', () => {
    const alternating = [0, 1, 2, 3, 4, 5].map((time) => [time % 2 === 0 ? ada : bob, time] as const);
    expect(confirm(2, ...alternating)).to.not.include(true);
  });

  it('makes a steady stream of readings of a tag that is sent every 60 ms', () => {
    const held = Array.from({ length: 1_000 }, (_, frame) => [ada, frame * 60] as const);
    expect(confirm(2, ...held).filter(Boolean)).to.have.length(500);
    expect(confirm(5, ...held).filter(Boolean)).to.have.length(200);
  });

  for (const frames of [0, 6, 1.5, NaN]) {
    it(`refuses to ask for ${frames} frames`, () => {
      expect(() => new Confirmation(frames))
        .to.throw('confirm is a whole number from 1 to 5')
        .with.property('code', 'INVALID_OPTION');
    });
  }
});
