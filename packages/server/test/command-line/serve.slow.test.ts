import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { loadConfig, serve, type Settings } from '@tallybook/server';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { failureOf } from '../fixtures/failure-of.js';
import { GivenInput } from '../fixtures/processes/given-input.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection', 'uncaughtException'] as const;

/** Numbers of listeners on this process, which `serve` must not leave to a later program. */
function countListeners(): readonly number[] {
  return [...EVENTS.map((event) => process.listenerCount(event)), process.stdout.listenerCount('error')];
}

function serveQuietly(settings: Settings = {}): Promise<number> {
  const quiet = { port: '0', store: 'memory:', reader: ['simulated:?every=1d'], logLevel: 'silent' };
  return serve(loadConfig({ ...quiet, ...settings }, {}));
}

/** Waits until `serve` waits for a signal. */
async function untilListening(before: readonly number[]): Promise<void> {
  while (countListeners()[1] === before[1]) await new Promise(setImmediate);
}

/** Runs before the program, and throws an error in it at the signal. */
function mistake(code: string): NodeJS.ProcessEnv {
  const onSignal = `process.on('SIGUSR2', () => { ${code} })`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(onSignal)}"` };
}

describe('serve', () => {
  const folder = temporaryFolder();

  it('leaves neither listeners nor the deadline for stopping to a program that continues', async () => {
    using timers = new RecordedTimers();
    const before = countListeners();
    const served = serveQuietly();
    await untilListening(before);
    process.emit('SIGTERM');
    expect(await served).to.equal(0);
    expect(countListeners()).to.deep.equal(before);
    expect(timers.delays.filter((delayMs) => delayMs === 4_500)).to.have.length(1);
    expect(timers.pending).not.to.include(4_500);
  });

  for (const isTTY of [true, false]) {
    it(`${isTTY ? 'ends with its terminal' : 'reads its certificate anew'} when it gets SIGHUP ${isTTY ? 'on one' : 'elsewhere'}`, async () => {
      using _ = new GivenInput('', { isTTY });
      const before = countListeners();
      const served = serveQuietly();
      await untilListening(before);
      // Without a listener, the signal ends the process by itself.
      expect(process.listenerCount('SIGHUP') - (before[2] ?? 0)).to.equal(isTTY ? 0 : 1);
      process.emit('SIGTERM');
      expect(await served).to.equal(0);
    });
  }

  it('leaves no listeners when it cannot start', async () => {
    const before = countListeners();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { readonly port: number };
    await failureOf(serveQuietly({ port: String(port) }), 'LISTEN_FAILED');
    expect(countListeners()).to.deep.equal(before);
    taken.close();
  });

  it('leaves no new, empty store if its port is taken, and makes one if it is free', async () => {
    const path = folder.path('data/store');
    const store = `level:${path}`;
    await using held = await HeldPort.take();
    const { port } = held;
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const start = (): Promise<number> => serveQuietly({ port: String(port), store });
    await failureOf(start(), 'LISTEN_FAILED');
    expect(existsSync(folder.path('data'))).to.equal(false);
    taken.close();
    const before = countListeners();
    const served = start();
    await untilListening(before);
    process.emit('SIGTERM');
    expect(await served).to.equal(0);
    expect(existsSync(path)).to.equal(true);
  });
});

describe('tallybook serve with a programming mistake', () => {
  const processes = runningProcesses();

  function start(code: string): ReturnType<typeof TallybookProcess.with> {
    return processes.add(TallybookProcess.with(mistake(code), 'serve', '--port', '0', '--store', 'memory:'));
  }

  it('exits with 1 at the latest four and a half seconds after the request to stop', async () => {
    const server = start(
      `import('node:net').then(({ Server }) => { Server.prototype.close = () => undefined; console.log('stuck') })`,
    );
    await server.url();
    server.child.kill('SIGUSR2');
    await server.says(/stuck/);
    const begin = performance.now();
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(1);
    expect(performance.now() - begin).to.be.within(4_400, 20_000);
    expect(server.text).to.match(/"level":60.*could not stop within 4500 ms/);
  });
});
