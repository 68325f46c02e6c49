import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { LineHealth } from '../src/line-health.js';

const noise = new TallybookError('FRAME_INVALID', 'noise', { details: { problem: 'bytes outside a frame' } });
const blank = new TallybookError('BLANK_TALLY_ID', 'blank');

/** The moments at which a warning comes. */
function warnedAt(health: LineHealth, ...moments: readonly number[]): number[] {
  return moments.filter((moment) => health.faulty(noise, moment) !== undefined);
}

describe('LineHealth', () => {
  it('warns once after at least five faults in at least 10 s', () => {
    expect(
      warnedAt(new LineHealth('check the baud rate'), 0, 1, 2, 3, 9_999, 10_000, 20_000, 30_000),
    ).to.deep.equal([10_000]);
    expect(
      warnedAt(new LineHealth('check the baud rate'), 0, 11_000, 12_000, 13_000, 14_000, 15_000),
    ).to.deep.equal([14_000]);
  });

  it('begins anew with each sound frame', () => {
    const health = new LineHealth('check the baud rate');
    expect(warnedAt(health, 0, 1, 2, 3)).to.be.empty;
    health.sound();
    expect(warnedAt(health, 10_000, 10_001, 10_002, 10_003, 19_999)).to.be.empty;
    expect(warnedAt(health, 20_000)).to.deep.equal([20_000]);
    health.sound();
    expect(warnedAt(health, 30_000, 30_001, 30_002, 30_003, 40_000)).to.deep.equal([40_000]);
  });

  it('does not warn of faults that are more than a minute apart', () => {
    const apart = Array.from({ length: 20 }, (_, n) => n * 60_001);
    expect(warnedAt(new LineHealth('check the baud rate'), ...apart)).to.be.empty;
    const close = Array.from({ length: 20 }, (_, n) => n * 60_000);
    expect(warnedAt(new LineHealth('check the baud rate'), ...close)).to.deep.equal([240_000]);
  });

  it('gives the number of each fault, and advice', () => {
    const health = new LineHealth('check the baud rate');
    for (const fault of [noise, noise, blank, noise]) health.faulty(fault, 0);
    const warning = health.faulty(blank, 12_345);
    expect(warning).to.have.property('code', 'FRAME_INVALID');
    expect(warning?.message)
      .to.contain('3 × bytes outside a frame, 2 × BLANK_TALLY_ID')
      .and.contain('baud rate');
    expect(warning?.details).to.include({ count: 5, seconds: 12 });
  });
});
