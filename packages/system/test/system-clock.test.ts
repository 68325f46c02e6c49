import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Timekeeper } from '@tallybook/domain';
import { expect } from 'chai';
import { SystemClock, type SystemClockOptions } from '../src/index.js';
import { TimeService, until } from './time-service.js';

const synchronised = { NTP: 'yes', NTPSynchronized: 'yes' };
const waiting = { NTP: 'yes', NTPSynchronized: 'no' };
const switchedOff = { NTP: 'no', NTPSynchronized: 'no' };
const elsewhere = { NTP: 'no', CanNTP: 'no' };

/** Milliseconds between two calls of real processes. Tests wait for the answers, so they are short. */
const OFTEN = { retryMs: 1, recheckMs: 1 };

/** A system that was started a given time ago. */
class StartedClock extends SystemClock {
  readonly #uptimeMs: number;

  constructor(uptimeMs: number, options: SystemClockOptions) {
    super(options);
    this.#uptimeMs = uptimeMs;
  }

  override monotonicMs(): number {
    return this.#uptimeMs;
  }
}

/** A clock that a test moves ahead, in milliseconds. */
class MovedClock extends SystemClock {
  aheadMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() - this.aheadMs;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('SystemClock, the time', () => {
  it('is that of the system, in whole seconds, also while it is closed', () => {
    const before = Math.floor(Date.now() / 1000);
    const now = new SystemClock().now();
    expect(now).to.be.within(before, Math.floor(Date.now() / 1000));
    expect(Number.isInteger(now)).to.equal(true);
  });

  it('is 1970 for a system with an earlier time', () => {
    const { now } = Date;
    Date.now = () => -86_400_000;
    try {
      expect(new SystemClock().now()).to.equal(0);
    } finally {
      Date.now = now;
    }
  });

  it('is monotonic in milliseconds, and the same for all processes of one start of the system', () => {
    const clock = new SystemClock();
    const script = 'process.stdout.write(String(process.hrtime.bigint() / 1000000n))';
    const before = clock.monotonicMs();
    const other = Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
    const after = clock.monotonicMs();
    expect(other).to.be.within(Math.floor(before), after);
  });

  it('names the start of the system by the boot id of Linux, elsewhere each clock its own', async () => {
    const [one, other] = [new SystemClock(), new SystemClock()];
    expect(one.bootId).to.equal(one.bootId);
    if (process.platform === 'linux') {
      const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
      expect([one.bootId, other.bootId]).to.deep.equal([bootId.trim(), bootId.trim()]);
    } else {
      expect(one.bootId).to.not.equal(other.bootId);
    }
  });

  it('runs scheduled work later, unless it is cancelled', async () => {
    const clock = new SystemClock();
    const done: string[] = [];
    clock.schedule(0, () => done.push('never')).unsubscribe();
    await new Promise<void>((resolve) => {
      clock.schedule(1, () => {
        done.push('later');
        resolve();
      });
      done.push('at once');
    });
    expect(done).to.deep.equal(['at once', 'later']);
  });
});

describe('SystemClock, whether the system follows a time server', () => {
  let service: TimeService;
  beforeEach(async () => {
    service = await TimeService.create();
  });
  afterEach(() => service[Symbol.asyncDispose]());

  const answers: [what: string, properties: Readonly<Record<string, string>>, expected?: boolean][] = [
    ['is true when the time was set by a server', synchronised, true],
    [
      'is true when it was set by a service that systemd does not know',
      { ...elsewhere, NTPSynchronized: 'yes' },
      true,
    ],
    ['is false while a time service tries', waiting, false],
    ['is not known when the time service is switched off', switchedOff],
    ['is not known when there is no time service', { ...elsewhere, NTPSynchronized: 'no' }],
    ['is not known when systemd says something else', { Timezone: 'Etc/UTC' }],
  ];
  for (const [title, properties, expected] of answers) {
    it(title, async () => {
      await service.answer(properties);
      await using clock = new StartedClock(86_400_000, { timedatectl: service.program });
      expect(clock.isSynchronised()).to.equal(undefined);
      await clock.open();
      expect(clock.isSynchronised()).to.equal(expected);
      const [call] = await service.calls();
      expect(call).to.match(/^\d+ show --property=NTPSynchronized --property=NTP --property=CanNTP$/);
    });
  }

  it('is false in the first two minutes of the system, when a time service may be about to start', async () => {
    for (const [uptimeMs, expected] of [
      [119_999, false],
      [120_000, undefined],
    ] as const) {
      await service.answer(switchedOff);
      await using clock = new StartedClock(uptimeMs, { timedatectl: service.program });
      await clock.open();
      expect(clock.isSynchronised(), String(uptimeMs)).to.equal(expected);
      await service.answer({ ...elsewhere, NTPSynchronized: 'no' });
      await using other = new StartedClock(uptimeMs, { timedatectl: service.program });
      await other.open();
      expect(other.isSynchronised(), String(uptimeMs)).to.equal(undefined);
    }
  });

  it('is true when the operator vouches for the clock, and then no program is asked', async () => {
    await using clock = new SystemClock({ isTrusted: true, timedatectl: service.program });
    await clock.open();
    expect(clock.isSynchronised()).to.equal(true);
    expect(new Timekeeper(clock).trust()).to.deep.equal({ isTrusted: true, basis: 'synchronised' });
    expect(await service.calls()).to.deep.equal([]);
  });

  it('changes when the time server is reached', async () => {
    await using clock = new SystemClock({ timedatectl: service.program, retryMs: 1 });
    await clock.open();
    expect(clock.isSynchronised()).to.equal(false);
    await service.answer(synchronised);
    await until(() => clock.isSynchronised() === true);
  });

  it('is asked for often only while the system waits', async () => {
    await using clock = new SystemClock({ timedatectl: service.program, retryMs: 1 });
    await clock.open();
    await until(async () => (await service.calls()).length >= 4);
    await service.answer(synchronised);
    await until(() => clock.isSynchronised() === true);
    const calls = (await service.calls()).length;

    await using pace = await TimeService.create();
    await using other = new SystemClock({ timedatectl: pace.program, retryMs: 1 });
    await other.open();
    await until(async () => (await pace.calls()).length >= 5);
    expect(await service.calls()).to.have.length(calls);
  });

  it('stays true when the server itself sets the clock', async () => {
    await service.answer(synchronised);
    await using clock = new MovedClock({ timedatectl: service.program, ...OFTEN });
    await clock.open();
    clock.aheadMs = 3_600_000;
    const calls = (await service.calls()).length;
    await until(async () => (await service.calls()).length >= calls + 3);
    await service.answer(waiting);
    const later = (await service.calls()).length;
    await until(async () => (await service.calls()).length >= later + 3);
    expect(clock.isSynchronised()).to.equal(true);
  });

  it('is false when systemd does not answer in time, and its program is killed', async () => {
    await service.run('exec sleep 60');
    await using clock = new SystemClock({ timedatectl: service.program, timeoutMs: 200 });
    await clock.open();
    expect(clock.isSynchronised()).to.equal(false);
    const [pid] = (await service.calls()).map((call) => parseInt(call));
    await until(() => pid !== undefined && !isRunning(pid));
  });

  it('is unknown after close, which kills the asked program', async () => {
    await service.answer(synchronised);
    await using clock = new SystemClock({ timedatectl: service.program, ...OFTEN, timeoutMs: 60_000 });
    await clock.open();
    await service.run(`echo "$$ hangs" >> "$0.hangs"; exec sleep 60`);
    const hanging = async (): Promise<string> => readFile(`${service.program}.hangs`, 'utf8').catch(() => '');
    await until(async () => (await hanging()) !== '');
    const pid = parseInt(await hanging());
    expect(isRunning(pid)).to.equal(true);
    await clock.close();
    expect(clock.isSynchronised()).to.equal(undefined);
    await until(() => !isRunning(pid));
  });

  it('is asked for again when the clock is opened again', async () => {
    await service.answer(synchronised);
    await using clock = new SystemClock({ timedatectl: service.program });
    await clock.open();
    await clock.close();
    await service.answer(waiting);
    await clock.open();
    expect(clock.isSynchronised()).to.equal(false);
    expect(await service.calls()).to.have.length(2);
  });
});

describe('SystemClock, its options', () => {
  it('are refused outside their ranges', () => {
    const wrong: [SystemClockOptions, RegExp][] = [
      [{ retryMs: 0 }, /^retryMs is 1 to 3600000; got 0$/],
      [{ recheckMs: 3_600_001 }, /^recheckMs is 1 to 3600000; got 3600001$/],
      [{ timeoutMs: 60_001 }, /^timeoutMs is 1 to 60000; got 60001$/],
      [{ timeoutMs: 0.5 }, /got 0.5$/],
      [{ retryMs: NaN }, /got NaN$/],
    ];
    for (const [options, message] of wrong) {
      expect(() => new SystemClock(options))
        .to.throw(message)
        .with.property('code', 'INVALID_OPTION');
    }
    expect(() => new SystemClock({ retryMs: 1, recheckMs: 3_600_000, timeoutMs: 60_000 })).to.not.throw();
  });
});
