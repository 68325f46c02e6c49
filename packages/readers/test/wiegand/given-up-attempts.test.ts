import { getEventListeners } from 'node:events';
import type { DeviceSession } from '@tallybook/devices';
import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { grabKeyboard, type GrabOptions } from '../../src/hid/grab-keyboard.js';
import { WiegandIdSource } from '../../src/index.js';
import { EvtestStandIn } from '../hid/evtest-stand-in.js';
import { GpiomonStandIn } from './gpiomon-stand-in.js';
import { RunningClock } from '../fixtures/running-clock.js';

/** Lets a test make one attempt. */
class TriedWiegandIdSource extends WiegandIdSource {
  attempt(signal: AbortSignal): Promise<DeviceSession> {
    return this.connect(signal);
  }
}

// All attempts share one signal, for as long as the reader is open: each leftover listener on it would stay in memory.
describe('An attempt to watch pins', () => {
  let gpiomon: GpiomonStandIn;
  let source: TriedWiegandIdSource;
  let signal: AbortSignal;
  const listeners = (): number => getEventListeners(signal, 'abort').length;

  beforeEach(() => {
    gpiomon = new GpiomonStandIn('2.2.1');
    source = new TriedWiegandIdSource({ chip: '/dev/gpiochip0', d0: 17, d1: 18 }, new RunningClock());
    ({ signal } = new AbortController());
  });
  afterEach(() => gpiomon.dispose());

  it('leaves no listener for its end after a success', async () => {
    const session = await source.attempt(signal);
    expect(listeners()).to.equal(0);
    await session.end();
  });

  it('leaves no listener for its end after a failure', async () => {
    gpiomon.refuse();
    await rejectionOf('READER_DISCONNECTED', source.attempt(signal));
    expect(listeners()).to.equal(0);
  });

  it('succeeds after five seconds when gpiomon 2.x does not say that it is ready', async () => {
    using timers = new RecordedTimers();
    gpiomon.keepSilent();
    const attempt = source.attempt(signal);
    while (!timers.pending.includes(5_000)) await new Promise(setImmediate);
    expect(listeners()).to.equal(1);
    timers.expire(5_000);
    await (await attempt).end();
    expect(listeners()).to.equal(0);
  });
});

describe('An attempt to grab a keyboard', () => {
  let evtest: EvtestStandIn;
  let options: GrabOptions;
  const listeners = (): number => getEventListeners(options.signal, 'abort').length;
  const untilRunning = async (isRunning: boolean): Promise<void> => {
    while (evtest.isRunning !== isRunning) await new Promise(setImmediate);
  };

  beforeEach(() => {
    evtest = new EvtestStandIn();
    const { signal } = new AbortController();
    options = { path: '/dev/input/event0', settleMs: 50, onLine: () => undefined, signal };
  });
  afterEach(() => evtest.dispose());

  it('leaves no timer and no listener after a success', async () => {
    using timers = new RecordedTimers();
    const session = await grabKeyboard(options);
    expect(timers.delays).to.include.members([5_000, 50]);
    expect(timers.pending).to.deep.equal([]);
    expect(listeners()).to.equal(0);
    await session.end();
  });

  it('leaves no timer and no listener after a failure', async () => {
    using timers = new RecordedTimers();
    evtest.unplug();
    await rejectionOf('READER_DISCONNECTED', grabKeyboard(options));
    expect(timers.pending).not.to.include(5_000);
    expect(listeners()).to.equal(0);
  });

  it('ends evtest when the device hangs for five seconds', async () => {
    using timers = new RecordedTimers();
    evtest.hang();
    const attempt = rejectionOf('READER_DISCONNECTED', grabKeyboard(options));
    await untilRunning(true);
    timers.expire(5_000);
    expect(await attempt).to.have.deep.nested.property('details.reason', 'stuck');
    await untilRunning(false);
    expect(listeners()).to.equal(0);
  });
});
