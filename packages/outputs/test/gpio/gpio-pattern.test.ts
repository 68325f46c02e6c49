import { expect } from 'chai';
import type { Display } from '../../src/index.js';
import { lamps, patterns, type Pattern, type Rhythm } from '../../src/gpio/pattern-player.js';

const displays = Object.keys(patterns) as Display[];

/** The pattern of the lights, for people who cannot see colours. */
function seen({ green, red }: Pattern): string {
  return [...new Set([green, red].filter(Boolean).map((rhythm) => JSON.stringify(rhythm)))].join(' over ');
}

describe('The patterns of lights and a buzzer', () => {
  for (const lamp of lamps) {
    it(`are distinguished by ${lamp} alone, if they use it`, () => {
      const rhythms = displays.map((display) => JSON.stringify(patterns[display][lamp])).filter(Boolean);
      expect(new Set(rhythms).size).to.equal(rhythms.length);
    });
  }

  it('all use the buzzer', () => {
    expect(displays.filter((display) => patterns[display].buzzer === undefined)).to.deep.equal([]);
  });

  it('differ in the lights alone, also for people who cannot distinguish red and green', () => {
    expect(new Set(displays.map((display) => seen(patterns[display]))).size).to.equal(5);
  });

  it('show green exactly for a recorded tap and for the start', () => {
    const green = displays.filter((display) => patterns[display].green !== undefined);
    expect(green).to.have.members(['counted', 'already-counted', 'unknown', 'started']);
  });

  it('begin and end with a lamp on, and have no part that is too short to be seen or heard', () => {
    const rhythms = displays.flatMap((display) => Object.values<Rhythm>(patterns[display]));
    expect(rhythms.filter(({ length }) => length % 2 === 0)).to.deep.equal([]);
    expect(Math.min(...rhythms.flat())).to.be.at.least(100);
  });

  it('are over after two seconds', () => {
    const lengths = displays.flatMap((display) =>
      Object.values<Rhythm>(patterns[display]).map((rhythm) => rhythm.reduce((a, b) => a + b)),
    );
    expect(Math.max(...lengths)).to.be.at.most(2_000);
  });
});
