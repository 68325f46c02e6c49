import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { PulseBuffer, type Pulse } from '../../src/wiegand/wiegand-frame.js';
import { pulsesOf } from './wiegand-frames.js';

class Bench {
  readonly clock = new ManualClock();
  readonly handedOut: (readonly Pulse[])[] = [];
  readonly floods: number[] = [];
  readonly buffer = new PulseBuffer(this.clock, 50, {
    onSilence: (pulses) => this.handedOut.push(pulses),
    onFlood: (count) => this.floods.push(count),
  });

  add(pulses: readonly Pulse[]): void {
    for (const pulse of pulses) this.buffer.add(pulse);
  }

  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await nextTurn();
  }
}

const pulses = pulsesOf('0110100');

describe('PulseBuffer', () => {
  let bench: Bench;

  beforeEach(() => {
    bench = new Bench();
  });

  it('delivers pulses after the set time without a pulse', async () => {
    for (const pulse of pulses) {
      bench.add([pulse]);
      await bench.pass(49);
    }
    expect(bench.handedOut).to.be.empty;
    await bench.pass(1);
    expect(bench.handedOut).to.deep.equal([pulses]);
    await bench.pass(1_000);
    expect(bench.handedOut).to.have.length(1);
  });

  it('delivers pulses after a silence separately', async () => {
    bench.add(pulses.slice(0, 3));
    await bench.pass(50);
    bench.add(pulses.slice(3));
    await bench.pass(50);
    expect(bench.handedOut).to.deep.equal([pulses.slice(0, 3), pulses.slice(3)]);
  });

  it('does not treat a time in which the process was blocked as a silence', async () => {
    bench.add(pulses.slice(0, 3));
    bench.clock.advance(50);
    bench.add(pulses.slice(3));
    await nextTurn();
    expect(bench.handedOut).to.be.empty;
    await bench.pass(50);
    expect(bench.handedOut).to.deep.equal([pulses]);
  });

  it('drops pulses from the 1,000th without a silence on, reports that once, and begins again after a silence', async () => {
    const many = pulsesOf('1'.repeat(999));
    bench.add(many);
    expect(bench.floods).to.be.empty;
    bench.add(many);
    bench.add(many);
    expect(bench.floods).to.deep.equal([1_000]);
    await bench.pass(50);
    expect(bench.handedOut).to.be.empty;
    bench.add(many);
    await bench.pass(50);
    expect(bench.handedOut).to.deep.equal([many]);
    bench.add(pulsesOf('1'.repeat(1_000)));
    expect(bench.floods).to.have.length(2);
  });

  it('delivers nothing after it was stopped', async () => {
    bench.add(pulses);
    bench.buffer.stop();
    await bench.pass(50);
    bench.add(pulses);
    bench.clock.advance(50);
    bench.buffer.stop();
    await nextTurn();
    expect(bench.handedOut).to.be.empty;
  });
});
