import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { patterns, PatternPlayer, type Lamp } from '../../src/gpio/pattern-player.js';

describe('PatternPlayer', () => {
  let clock: ManualClock;
  let player: PatternPlayer;
  const on = new Set<Lamp>();
  const changes: string[] = [];

  beforeEach(() => {
    on.clear();
    changes.length = 0;
    clock = new ManualClock();
    player = new PatternPlayer(clock, (lamp, isOn) => {
      if (isOn === on.has(lamp)) return;
      if (isOn) on.add(lamp);
      else on.delete(lamp);
      changes.push(`${clock.monotonicMs()} ${lamp} ${isOn ? 'on' : 'off'}`);
    });
  });

  it('turns each lamp on and off in its rhythm', () => {
    player.play({ green: [300], buzzer: [100, 50, 100] });
    clock.advance(10_000);
    expect(changes).to.deep.equal([
      '0 green on',
      '0 buzzer on',
      '100 buzzer off',
      '150 buzzer on',
      '250 buzzer off',
      '300 green off',
    ]);
  });

  it('plays a pattern the given number of times', () => {
    player.play({ green: [300] });
    clock.advance(300);
    player.play({ green: [300] });
    expect(changes).to.deep.equal(['0 green on', '300 green off', '300 green on']);
  });

  it('replaces the running pattern by a new one, after a short dark pause', () => {
    player.play({ green: [300], buzzer: [100, 100, 100] });
    clock.advance(120);
    player.play({ green: [300] });
    clock.advance(10_000);
    expect(changes).to.deep.equal([
      '0 green on',
      '0 buzzer on',
      '100 buzzer off',
      '120 green off',
      '170 green on',
      '470 green off',
    ]);
  });

  it('plays the last of several patterns that come during the dark pause', () => {
    player.play({ green: [300] });
    clock.advance(100);
    player.play({ buzzer: [100] });
    clock.advance(20);
    player.play({ red: [100] });
    clock.advance(10_000);
    expect(changes).to.deep.equal(['0 green on', '100 green off', '170 red on', '270 red off']);
  });

  it('turns all lamps off permanently when it is stopped', () => {
    player.play(patterns.started);
    clock.advance(450);
    player.stop();
    clock.advance(10_000);
    expect(changes.slice(3)).to.deep.equal(['400 buzzer off', '450 green off', '450 red off']);
  });

  it('does not begin a waiting pattern after it is stopped', () => {
    player.play(patterns.counted);
    player.play(patterns.failed);
    player.stop();
    clock.advance(10_000);
    expect(on).to.be.empty;
    expect(changes.filter((change) => change.includes('red'))).to.deep.equal([]);
  });

  it('leaves all lamps off after each pattern', () => {
    for (const pattern of Object.values(patterns)) {
      player.play(pattern);
      expect(on).not.to.be.empty;
      clock.advance(10_000);
      expect(on).to.be.empty;
    }
  });
});
