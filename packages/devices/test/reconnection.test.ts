import { getEventListeners } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { testLifecycle } from '../../testing/test/fixtures/test-lifecycle.js';
import { rejectionOf } from '../../domain/test/fixtures/throws.js';
import { Deferred } from '../../domain/test/fixtures/deferred.js';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';
import { Reconnection, type DeviceSession } from '../src/index.js';

/** A device that a test plugs in and out, and the reports about it. */
class Bench {
  readonly reconnection: Reconnection;
  readonly told: string[] = [];
  readonly attempts: number[] = [];
  ends = 0;
  /** Says that the device is no longer needed. */
  signal: AbortSignal | undefined;
  /** Results of the next attempts. The last one repeats. */
  outcomes: readonly ('there' | TallybookError)[] = ['there'];
  readonly #reached: (() => void)[] = [];
  #lose: (fault: TallybookError) => void = () => undefined;

  /** @param steadyMs Time after which a connected device counts as steady; `undefined`: the default. */
  constructor(
    steadyMs: number | undefined,
    {
      path,
      delayMs = () => 0,
    }: { readonly path?: string; readonly delayMs?: (attempt: number) => number } = {},
  ) {
    this.reconnection = new Reconnection({
      connect: async (signal): Promise<DeviceSession> => {
        this.signal = signal;
        const [outcome = 'there', ...others] = this.outcomes;
        if (others.length > 0) this.outcomes = others;
        if (outcome !== 'there') throw outcome;
        const lost = new Promise<TallybookError>((resolve) => (this.#lose = resolve));
        return { lost, end: async () => void this.ends++ };
      },
      onConnected: () => {
        this.told.push('connected');
        this.#reached.shift()?.();
      },
      onWaiting: (fault) => this.told.push(fault === undefined ? 'waiting' : String(fault.details['reason'])),
      retryDelayMs: (attempt) => {
        this.attempts.push(attempt);
        return delayMs(attempt);
      },
      steadyMs,
      path,
    });
  }

  lose(): void {
    this.#lose(fault('lost'));
  }

  /** Resolves when the device is reached the next time. */
  reached(): Promise<void> {
    return new Promise((resolve) => this.#reached.push(resolve));
  }
}

function fault(reason: string, message: string = reason): TallybookError {
  return new TallybookError('READER_DISCONNECTED', message, { details: { reason } });
}

testLifecycle('Reconnection', () => new Bench(0).reconnection);

describe('Reconnection', () => {
  let bench: Bench;
  afterEach(() => bench.reconnection.close());

  /** Opens a reconnection whose attempts have these results, and waits until it has reached the device. */
  async function open(...outcomes: Bench['outcomes']): Promise<void> {
    if (outcomes.length > 0) bench.outcomes = outcomes;
    const reached = bench.reached();
    await bench.reconnection.open();
    await reached;
  }

  /** Loses the device, and waits until it is reached again, after attempts with these results. */
  async function loseAndReach(...outcomes: Bench['outcomes']): Promise<void> {
    if (outcomes.length > 0) bench.outcomes = outcomes;
    const reached = bench.reached();
    bench.lose();
    await reached;
  }

  beforeEach(() => {
    bench = new Bench(0);
  });

  it('opens after the first attempt, and releases the device when it closes', async () => {
    await open();
    expect(bench.told).to.deep.equal(['connected']);
    await bench.reconnection.close();
    expect(bench.ends).to.equal(1);
    expect(bench.told).to.deep.equal(['connected']);
  });

  it('opens without the device, and reaches it later', async () => {
    await open(fault('missing'), fault('missing'), fault('missing'), 'there');
    expect(bench.told).to.deep.equal(['missing', 'waiting', 'waiting', 'connected']);
    expect(bench.attempts).to.deep.equal([1, 2, 3]);
  });

  it('reaches a lost device again, counts attempts anew, and ends the lost session', async () => {
    await open();
    for (let time = 0; time < 2; time++) await loseAndReach();
    expect(bench.told).to.deep.equal(['connected', 'lost', 'connected', 'lost', 'connected']);
    expect(bench.attempts).to.deep.equal([1, 1]);
    expect(bench.ends).to.equal(2);
  });

  it('listens for its end once, however often the device was lost', async () => {
    await open();
    const listening: number[] = [];
    for (let time = 0; time < 3; time++) {
      await loseAndReach();
      await new Promise(setImmediate);
      listening.push(bench.signal === undefined ? 0 : getEventListeners(bench.signal, 'abort').length);
    }
    expect(listening).to.deep.equal([1, 1, 1]);
  });

  it('treats losses as one fault until the device was there for half a minute, by default', async () => {
    const now = performance.now.bind(performance);
    let nowMs = 0;
    performance.now = () => nowMs;
    try {
      bench = new Bench(undefined);
      await open();
      for (const heldMs of [29_999, 29_999, 30_000, 29_999]) {
        nowMs += heldMs;
        await loseAndReach();
        // The reconnection notes the time of the connection one turn after its report.
        await new Promise(setImmediate);
      }
      expect(bench.attempts).to.deep.equal([1, 2, 1, 2]);
      expect(bench.told.filter((each) => each !== 'connected')).to.deep.equal([
        'lost',
        'waiting',
        'lost',
        'waiting',
      ]);
    } finally {
      performance.now = now;
    }
  });

  it('tries soon, and reports it, when a device that was away for long is lost again', async () => {
    bench = new Bench(60_000);
    await open(fault('missing'), fault('missing'), fault('missing'), 'there');
    await loseAndReach();
    expect(bench.attempts).to.deep.equal([1, 2, 3, 1]);
    expect(bench.told.slice(-2)).to.deep.equal(['lost', 'connected']);
  });

  it('reports each reason once, and does not report a lost device as missing', async () => {
    const [absent, empty] = [fault('file', 'it is absent'), fault('file', 'it is empty')];
    await open(absent, empty, absent, empty, 'there');
    await loseAndReach(fault('missing', 'no route'), fault('permission'), fault('missing'), 'there');
    expect(bench.told).to.deep.equal([
      ...['file', 'file', 'waiting', 'waiting', 'connected'],
      ...['lost', 'waiting', 'permission', 'waiting', 'connected'],
    ]);
  });

  it('reports a reason again after it was opened again', async () => {
    bench.outcomes = [fault('missing')];
    await bench.reconnection.open();
    await bench.reconnection.close();
    await bench.reconnection.open();
    expect(bench.told.filter((word) => word === 'missing')).to.have.lengthOf(2);
  });

  it('does not open if another attempt is useless, and can be opened after the repair', async () => {
    const missing = new TallybookError('INVALID_OPTION', 'install it');
    bench.outcomes = [missing];
    expect(await rejectionOf('INVALID_OPTION', bench.reconnection.open())).to.equal(missing);
    expect(bench.told).to.deep.equal([]);
    await open('there');
    expect(bench.told).to.deep.equal(['connected']);
  });

  it('waits for an attempt under way when it closes, and ends its session without a report', async () => {
    const session = new Deferred<DeviceSession>();
    const begun = new Deferred<void>();
    const told: string[] = [];
    let ends = 0;
    let attempts = 0;
    const reconnection = new Reconnection({
      connect: () => {
        if (attempts++ === 0) return Promise.reject(fault('missing'));
        begun.resolve();
        return session.promise;
      },
      onConnected: () => told.push('connected'),
      onWaiting: () => told.push('waiting'),
      retryDelayMs: () => 0,
    });
    await reconnection.open();
    await begun.promise;
    const closing = reconnection.close();
    // The reconnection closes a few turns of the event loop later.
    await new Promise(setImmediate);
    session.resolve({ lost: new Promise(() => undefined), end: async () => void ends++ });
    await closing;
    expect(told).to.deep.equal(['waiting']);
    expect(ends).to.equal(1);
  });

  it('does not report an attempt that fails while it closes', async () => {
    const begun = new Deferred<void>();
    const told: string[] = [];
    let attempts = 0;
    const reconnection = new Reconnection({
      connect: (signal) => {
        if (attempts++ === 0) return Promise.reject(fault('missing'));
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(fault('aborted')));
        });
      },
      onConnected: () => told.push('connected'),
      onWaiting: (error) => told.push(String(error?.details['reason'])),
      retryDelayMs: () => 0,
    });
    await reconnection.open();
    await begun.promise;
    await reconnection.close();
    expect(told).to.deep.equal(['missing']);
  });

  it('does not report a loss if it closes while the lost session is ended', async () => {
    const lost = new Deferred<TallybookError>();
    const ending = new Deferred<void>();
    const end = new Deferred<void>();
    const told: string[] = [];
    const reconnection = new Reconnection({
      connect: () =>
        Promise.resolve({
          lost: lost.promise,
          end: () => {
            ending.resolve();
            return end.promise;
          },
        }),
      onConnected: () => told.push('connected'),
      onWaiting: () => told.push('waiting'),
    });
    await reconnection.open();
    lost.resolve(fault('lost'));
    await ending.promise;
    const closing = reconnection.close();
    await new Promise(setImmediate);
    end.resolve();
    await closing;
    expect(told).to.deep.equal(['connected']);
  });

  it('waits before another attempt if the device has no file', async () => {
    bench = new Bench(0, { delayMs: () => 3_600_000 });
    bench.outcomes = [fault('missing'), 'there'];
    await bench.reconnection.open();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(bench.told).to.deep.equal(['missing']);
  });

  describe('when the device has a file', () => {
    const HOUR_MS = 3_600_000;
    const folder = useTempDirectory();
    let path: string;

    beforeEach(() => (path = join(folder.path, 'device')));

    it('reaches it when the file is there, long before another attempt is due', async () => {
      bench = new Bench(0, { path, delayMs: () => HOUR_MS });
      bench.outcomes = [fault('missing'), 'there'];
      await bench.reconnection.open();
      const reached = bench.reached();
      await writeFile(path, '');
      await reached;
    });

    it('reaches it when another file has replaced the lost one', async () => {
      await writeFile(path, '');
      bench = new Bench(60_000, { path, delayMs: () => HOUR_MS });
      await bench.reconnection.open();
      await rm(path);
      await writeFile(path, '');
      await loseAndReach();
      expect(bench.told).to.deep.equal(['connected', 'lost', 'connected']);
    });

    it('waits the given time if the file was there before the attempt', async () => {
      await writeFile(path, '');
      bench = new Bench(0, { path, delayMs: (attempt) => (attempt === 1 ? 600 : 0) });
      await open(fault('busy'), fault('busy'), 'there');
      expect(bench.attempts).to.deep.equal([1, 2]);
    });

    it('tries again soon if the device is there but not ready yet', async () => {
      bench = new Bench(0, { path, delayMs: (attempt) => (attempt === 1 ? 600 : HOUR_MS) });
      bench.outcomes = [fault('missing'), fault('busy'), 'there'];
      await bench.reconnection.open();
      const reached = bench.reached();
      await writeFile(path, '');
      await reached;
      expect(bench.attempts).to.deep.equal([1, 1]);
    });
  });
});
