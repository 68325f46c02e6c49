import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { SimulatedIdSource, type SimulatedOptions } from '../../src/index.js';
import { idsOf } from '../fixtures/recorded-source.js';

/** Runs virtual time up to this millisecond. */
function runTo(scheduler: VirtualTimeScheduler, moment: number): void {
  scheduler.maxFrames = moment;
  scheduler.flush();
}

function simulate(options: SimulatedOptions = {}): {
  source: SimulatedIdSource;
  scheduler: VirtualTimeScheduler;
  ids: Recorder<string>;
} {
  const scheduler = new VirtualTimeScheduler();
  const source = new SimulatedIdSource({ ...options, scheduler }, new ManualClock());
  const ids = idsOf(source);
  return { source, scheduler, ids };
}

describe('SimulatedIdSource', () => {
  it('presents a tag every 5 seconds', async () => {
    const { source, scheduler, ids } = simulate();
    await source.open();
    runTo(scheduler, 4_999);
    expect(ids.values).to.have.length(0);
    runTo(scheduler, 5_000);
    expect(ids.values).to.have.length(1);
    runTo(scheduler, 14_999);
    expect(ids.values).to.have.length(2);
    await source.close();
  });

  it('presents ten tags in turn', async () => {
    const { source, scheduler, ids } = simulate();
    await source.open();
    runTo(scheduler, 60_000);
    expect(new Set(ids.values).size).to.equal(10);
    expect(ids.values.slice(10)).to.deep.equal(ids.values.slice(0, 2));
    await source.close();
  });

  it('presents a tag at the set interval', async () => {
    const { source, scheduler, ids } = simulate({ everyMs: 100 });
    await source.open();
    runTo(scheduler, 1_000);
    expect(ids.values).to.have.length(10);
    await source.close();
  });

  // Not the allowed 1,000: virtual time nests its actions, and removes them recursively.
  it('presents the set number of tags of 5 bytes in turn', async () => {
    const { source, scheduler, ids } = simulate({ everyMs: 100, tags: 250 });
    await source.open();
    runTo(scheduler, 50_000);
    const [first, second] = [ids.values.slice(0, 250), ids.values.slice(250)];
    expect(new Set(first)).to.have.length(250);
    expect(second).to.deep.equal(first);
    for (const id of first) expect(id).to.match(/^5A[0-9A-F]{8}$/);
    await source.close();
  });

  it('presents the same tags in the same order each time it is opened', async () => {
    const { source, scheduler, ids } = simulate({ tags: 3 });
    await source.open();
    runTo(scheduler, 20_000);
    await source.close();
    await source.open();
    runTo(scheduler, 40_000);
    await source.close();
    expect(ids.values.slice(4)).to.deep.equal(ids.values.slice(0, 4));
    expect(ids.values[3]).to.equal(ids.values[0]);
  });

  it('presents nothing after it was closed', async () => {
    const { source, scheduler, ids } = simulate();
    await source.open();
    await source.close();
    runTo(scheduler, 60_000);
    expect(ids.values).to.be.empty;
  });

  it('is connected while it is open', async () => {
    const { source } = simulate();
    const connections = new Recorder(source.connections);
    expect(source.connection).to.equal('waiting');
    await source.open();
    expect(source.connection).to.equal('connected');
    await source.close();
    expect(source.connection).to.equal('waiting');
    expect(connections.values).to.deep.equal(['connected']);
  });

  it('uses the timers of the process by default', async () => {
    const source = new SimulatedIdSource({ everyMs: 100 }, new ManualClock());
    const readings = new Recorder(source.readings);
    await source.open();
    const [reading] = await readings.count(1);
    await source.close();
    expect(reading?.reader).to.equal('simulated');
  });

  for (const everyMs of [0, 99, 86_400_001, NaN]) {
    it(`refuses to present a tag every ${everyMs} ms`, () => {
      expect(() => simulate({ everyMs }))
        .to.throw('every is 100ms to 1d')
        .with.property('code', 'INVALID_OPTION');
    });
  }

  for (const tags of [0, 1_001, 2.5, NaN]) {
    it(`refuses to have ${tags} tags`, () => {
      expect(() => simulate({ tags }))
        .to.throw('tags is a whole number from 1 to 1000')
        .with.property('code', 'INVALID_OPTION');
    });
  }
});
