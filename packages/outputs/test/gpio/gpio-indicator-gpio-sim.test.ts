import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseTallyId, type Signal } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { createIndicator, type DeviceIndicator } from '../../src/index.js';
import { SimulatedChip } from './simulated-chip.js';

const GREEN = 2;
const RED = 3;
const BUZZER = 4;
/** User Mode Linux takes a second to start a program if this machine is busy. */
const LONG_MS = 20_000;

const reason = SimulatedChip.reasonAgainst;

describe('GpioIndicator on a chip that the kernel simulates', () => {
  let clock: ManualClock;
  let chip: SimulatedChip;
  let indicator: DeviceIndicator | undefined;

  before(function () {
    if (reason !== undefined) this.skip(reason);
  });

  beforeEach(() => {
    clock = new ManualClock();
    chip = new SimulatedChip();
  });

  afterEach(async () => {
    await indicator?.close();
    indicator = undefined;
    chip.dispose();
  });

  /** Levels of green, red and buzzer, such as `101`. */
  function levels(): string {
    return [GREEN, RED, BUZZER].map((line) => (chip.isHigh(line) ? '1' : '0')).join('');
  }

  /** Resolves with the milliseconds until the lines had these levels. Rejects when it takes too long. */
  async function until(wanted: string): Promise<number> {
    const beganMs = performance.now();
    while (levels() !== wanted) {
      if (performance.now() - beganMs > LONG_MS) expect(levels()).to.equal(wanted);
      await pause(1);
    }
    return performance.now() - beganMs;
  }

  async function open(more = ''): Promise<void> {
    indicator = createIndicator(`gpio:${chip.path}?green=${GREEN}&red=${RED}&buzzer=${BUZZER}${more}`, {
      clock,
    });
    await indicator.open();
  }

  /** Opens the indicator, and waits until it has shown the start. */
  async function start(): Promise<void> {
    await open();
    await until('111');
    clock.advance(10_000);
    await until('000');
  }

  function show(signal: Signal): void {
    indicator?.show({ signal, id: parseTallyId('04A2B3C4D5'), reader: 'door' });
  }

  it('lights both and sounds when it is opened', async () => {
    await open();
    await until('111');
    clock.advance(400);
    await until('110');
    clock.advance(150);
    await until('111');
    clock.advance(100);
    await until('000');
  });

  it('lights green and sounds for a scan that is counted', async function () {
    await start();
    show('counted');
    const ms = await until('101');
    if (this.test !== undefined) this.test.title += ` (${Math.round(ms)} ms until the light)`;
    clock.advance(100);
    await until('100');
    clock.advance(900);
    await until('000');
  });

  it('flashes and sounds in the rhythm of an unknown tag', async () => {
    await start();
    const beganMs = clock.monotonicMs();
    show('unknown');
    for (const [atMs, all] of [
      [0, '111'],
      [100, '110'],
      [200, '001'],
      [300, '000'],
      [350, '110'],
      [400, '111'],
      [500, '110'],
      [550, '000'],
      [700, '110'],
      [900, '000'],
    ] as const) {
      clock.advance(beganMs + atMs - clock.monotonicMs());
      await until(all);
    }
  });

  it('inverts the level of an active-low lamp', async () => {
    await open('&active-low=red');
    await until('101');
    clock.advance(10_000);
    await until('010');
  });

  it('is dark after it was closed in the middle of a pattern', async () => {
    await start();
    show('counted');
    await until('101');
    await indicator?.close();
    expect(levels()).to.equal('000');
  });

  it('waits for a line that another program holds, and reports that', async () => {
    const isFirst = execFileSync('gpioset', ['--version'], { encoding: 'utf8' }).includes(' v1.');
    const args = isFirst ? ['--mode=wait', chip.path, `${RED}=1`] : ['--chip', chip.path, `${RED}=1`];
    const other = spawn('gpioset', args, { stdio: ['pipe', 'ignore', 'inherit'] });
    const ended = once(other, 'exit');
    await until('010');
    indicator = createIndicator(`gpio:${chip.path}?green=${GREEN}&red=${RED}`, { clock });
    const faults = new Recorder(indicator.faults);
    await indicator.open();
    const fault = await faults.find('a fault', () => true);
    expect(fault.code).to.equal('OUTPUT_FAILED');
    expect(fault.details).to.deep.equal({ chip: chip.path, reason: 'busy' });
    other.kill('SIGKILL');
    await ended;
    // It takes the lines without help, and shows scans from then on.
    const asking = setInterval(() => {
      clock.advance(10_000);
      show('counted');
    }, 1_500);
    try {
      await until('100');
    } finally {
      clearInterval(asking);
    }
  });
});
