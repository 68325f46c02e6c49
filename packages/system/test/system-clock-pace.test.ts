import childProcess, { execFile, type ExecFileOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { RecordedTimers } from '../../testing/test/fixtures/recorded-timers.js';
import { SystemClock } from '../src/index.js';
import { TimeService, until } from './time-service.js';

/** Runs a script in a process of its own, and resolves with its output. Rejects if it does not end by itself. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--conditions', '@tallybook/source', '--input-type', 'module', '--eval', script],
    {
      cwd: new URL('..', import.meta.url),
      env: { ...process.env, NODE_V8_COVERAGE: '' },
      timeout: 30_000,
      killSignal: 'SIGKILL',
    },
  );
  return stdout;
}

/** A system whose two clocks a test sets. */
class SetClock extends SystemClock {
  static readonly beginMs = 1_763_700_000_000;
  epochMs = SetClock.beginMs;
  uptimeMs = 86_400_000;

  override monotonicMs(): number {
    return this.uptimeMs;
  }
}

describe('SystemClock, the times of its questions', () => {
  const { setTimeout: usualTimeout } = globalThis;
  const { execFile: usualExecFile } = childProcess;
  let delays: number[] = [];
  let timeouts: unknown[] = [];

  beforeEach(() => {
    [delays, timeouts] = [[], []];
    globalThis.setTimeout = Object.assign((work: () => void, delayMs: number) => {
      delays.push(delayMs);
      return usualTimeout(work, delayMs);
    }, usualTimeout);
    const noted = async (...[file, args, options]: readonly [string, readonly string[], ExecFileOptions]) => {
      timeouts.push(options.timeout);
      return promisify(usualExecFile)(file, args, options);
    };
    replaceExecFile(Object.assign(() => undefined, { [promisify.custom]: noted }));
  });
  afterEach(() => {
    globalThis.setTimeout = usualTimeout;
    replaceExecFile(usualExecFile);
  });

  function replaceExecFile(execFile: unknown): void {
    Object.assign(childProcess, { execFile });
    syncBuiltinESMExports();
  }

  for (const [NTPSynchronized, when, delayMs] of [
    ['no', 'ten seconds later while the system waits for a time server', 10_000],
    ['yes', 'five minutes later when it follows one', 300_000],
  ] as const) {
    it(`is given five seconds, and asked again ${when}`, async () => {
      await using service = await TimeService.create();
      await service.answer({ NTP: 'yes', NTPSynchronized });
      await using clock = new SystemClock({ timedatectl: service.program });
      await clock.open();
      expect({ delays, timeouts }).to.deep.equal({ delays: [delayMs], timeouts: [5_000] });
    });
  }
});

describe('SystemClock, when it is closed', () => {
  it('waits for nothing any more', async () => {
    await using service = await TimeService.create();
    await service.answer({ NTP: 'yes', NTPSynchronized: 'yes' });
    using timers = new RecordedTimers();
    const clock = new SystemClock({ timedatectl: service.program });
    await clock.open();
    expect(timers.pending).to.include(300_000);
    await clock.close();
    expect(timers.pending).to.not.include(300_000);
  });
});

describe('SystemClock, the asked program', () => {
  const { PATH } = process.env;
  afterEach(() => void (process.env['PATH'] = PATH));

  it('is the timedatectl on the PATH', async () => {
    await using service = await TimeService.create();
    await service.answer({ NTPSynchronized: 'yes' });
    process.env['PATH'] = `${dirname(service.program)}:${PATH}`;
    await using clock = new SystemClock();
    await clock.open();
    expect(clock.isSynchronised()).to.equal(true);
    expect(await service.calls()).to.have.length(1);
  });
});

describe('SystemClock, a server that is lost', () => {
  const { now } = Date;
  afterEach(() => void (Date.now = now));

  const passed: [title: string, epochMs: number, uptimeMs: number, expected: boolean][] = [
    ['leaves the clock synchronised until somebody sets it', 30 * 86_400_000, 30 * 86_400_000, true],
    ['leaves it synchronised after a jump of two seconds ahead', 62_000, 60_000, true],
    ['leaves it synchronised after a jump of two seconds back', 58_000, 60_000, true],
    ['does not leave it synchronised after a larger jump ahead', 62_001, 60_000, false],
    ['does not leave it synchronised after a larger jump back', 57_999, 60_000, false],
  ];
  for (const [title, epochMs, uptimeMs, expected] of passed) {
    it(title, async () => {
      await using service = await TimeService.create();
      await service.answer({ NTP: 'yes', NTPSynchronized: 'yes' });
      await using clock = new SetClock({ timedatectl: service.program, retryMs: 1, recheckMs: 1 });
      Date.now = () => clock.epochMs;
      await clock.open();
      await service.answer({ NTP: 'yes', NTPSynchronized: 'no' });
      // The next answer may be older than the change, so this waits for a later one.
      const before = (await service.calls()).length;
      await until(async () => (await service.calls()).length >= before + 2);
      expect(clock.isSynchronised()).to.equal(true);
      clock.epochMs += epochMs;
      clock.uptimeMs += uptimeMs;
      const calls = (await service.calls()).length;
      await until(async () => (await service.calls()).length >= calls + 3);
      expect(clock.isSynchronised()).to.equal(expected);
    });
  }
});

describe('SystemClock, the program that it serves', () => {
  it('keeps running for scheduled work, except for work that only serves others, and not for an open clock', async () => {
    await using service = await TimeService.create();
    const printed = await run(`
      import { SystemClock } from './src/index.ts';
      const clock = new SystemClock({ timedatectl: ${JSON.stringify(service.program)} });
      await clock.open();
      clock.schedule(1, () => console.log('held'));
      clock.schedule(2, () => console.log('held too'), {});
      clock.schedule(5_000, () => console.log('never'), { holdsProgram: false });
    `);
    expect(printed).to.equal('held\nheld too\n');
  });
});
