import { mkdir, writeFile } from 'node:fs/promises';
import { TallybookError, Timekeeper, toTimestamp } from '@tallybook/domain';
import type { Publisher } from '@tallybook/devices';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { StatusMonitor } from '../../src/wiring/status-monitor.js';
import { CountedEmitter } from '../fixtures/counted-emitter.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const NOW = 1_763_700_000;

describe('StatusMonitor', () => {
  const folder = temporaryFolder();
  const faults = new CountedEmitter<TallybookError>();
  const countWaiting = (): Promise<number> => Promise.resolve(3);
  const sentAgain: string[] = [];
  const home = {
    ...{ name: 'home', connection: 'waiting', countWaiting, faults, setAside: 2 },
    stopped: new TallybookError('OUTPUT_FAILED', 'it wants no more'),
    sendAgain: () => sentAgain.push('home'),
  } as unknown as Publisher;

  function monitorOf(clock: ManualClock, storeFolder?: string): StatusMonitor {
    const timekeeper = new Timekeeper(clock, { builtAt: 0 });
    return new StatusMonitor({ version: '1.2.3', timekeeper, publishers: [home], storeFolder });
  }

  it('shows its opening by the present clock, also if the clock was wrong then', async () => {
    const clock = new ManualClock();
    await using monitor = monitorOf(clock);
    await monitor.open();
    clock.advance(60_000);
    expect((await monitor.read()).startedAt).to.equal(NOW);
    clock.set(NOW + 1_000);
    expect((await monitor.read()).startedAt).to.equal(NOW + 940);
  });

  it('shows waiting changes of a publisher, and its last fault since the opening', async () => {
    const clock = new ManualClock();
    await using monitor = monitorOf(clock);
    await monitor.open();
    const { publishers } = await monitor.read();
    expect(publishers).to.deep.equal([
      { name: 'home', connection: 'waiting', waiting: 3, setAside: 2, isStopped: true, lastFault: undefined },
    ]);
    clock.advance(5_000);
    faults.emit(new TallybookError('OUTPUT_FAILED', 'the broker is away'));
    clock.advance(5_000);
    const [state] = (await monitor.read()).publishers;
    expect(state?.lastFault).to.deep.equal({
      code: 'OUTPUT_FAILED',
      message: 'the broker is away',
      at: toTimestamp(NOW + 5),
    });
    await monitor.close();
    await monitor.open();
    expect((await monitor.read()).publishers[0]?.lastFault).to.equal(undefined);
  });

  it('has a publisher send again, if there is one of that name', () => {
    const monitor = monitorOf(new ManualClock());
    expect([monitor.sendAgain('club'), monitor.sendAgain('home')]).to.deep.equal([false, true]);
    expect(sentAgain).to.deep.equal(['home']);
  });

  it('has no listeners on publishers when it is closed', async () => {
    const monitor = monitorOf(new ManualClock());
    await monitor.open();
    expect(faults.listeners).to.equal(1);
    await monitor.close();
    expect(faults.listeners).to.equal(0);
  });

  it('counts the bytes of a folder and of those below it', async () => {
    await mkdir(folder.path('below'));
    await writeFile(folder.path('log'), 'x'.repeat(100));
    await writeFile(folder.path('below', 'messages'), 'x'.repeat(23));
    await using monitor = monitorOf(new ManualClock(), folder.path());
    const { storage } = await monitor.read();
    expect(storage?.usedBytes).to.equal(123);
    expect(storage?.freeBytes).to.be.greaterThan(0);
  });

  it('answers also if the folder is missing or not set', async () => {
    const gone = monitorOf(new ManualClock(), folder.path('gone'));
    expect((await gone.read()).storage).to.deep.equal({ freeBytes: undefined, usedBytes: undefined });
    expect((await monitorOf(new ManualClock()).read()).storage).to.equal(undefined);
  });

  it('reads the disk once for all simultaneous requests', async () => {
    const monitor = monitorOf(new ManualClock());
    const first = monitor.read();
    expect(monitor.read()).to.equal(first);
    await first;
    expect(monitor.read()).to.not.equal(first);
  });
});
