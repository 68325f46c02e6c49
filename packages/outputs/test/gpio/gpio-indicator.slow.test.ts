import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter, parseTallyId, type Signal } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { GpioIndicator, type GpioIndicatorOptions } from '../../src/gpio/gpio-indicator.js';
import { GpiosetStandIn } from './gpioset-stand-in.js';

const CHIP = '/dev/gpiochip0';
const VERSIONS = ['1.6.3', '2.2.1'];
const BUSY = 'gpioset: unable to request lines on chip /dev/gpiochip0: Device or resource busy';
const ALL = { green: 22, red: 23, buzzer: 24 };
/** Holds all lines until it is killed. */
const HOLDER = `
  import { ManualClock } from '@tallybook/testing';
  import { GpioIndicator } from './src/gpio/gpio-indicator.ts';
  const options = { chip: '${CHIP}', lines: ${JSON.stringify(ALL)} };
  await new GpioIndicator(options, new ManualClock()).open();
`;

/** An indicator, and a record of its actions. */
class Subject {
  readonly clock = new ManualClock();
  readonly attempts: Recorder<number>;
  readonly indicator: GpioIndicator;
  readonly faults: Recorder<string>;
  readonly done: Recorder<string>;
  #mark = 0;

  constructor(gpioset: GpiosetStandIn, options: Partial<GpioIndicatorOptions> = {}) {
    const attempts = new Emitter<number>();
    const retryDelayMs = (attempt: number): number => {
      attempts.emit(attempt);
      return 1;
    };
    this.attempts = new Recorder(attempts);
    this.indicator = new GpioIndicator({ chip: CHIP, lines: ALL, retryDelayMs, ...options }, this.clock);
    this.faults = new Recorder({
      subscribe: (next) =>
        this.indicator.faults.subscribe(({ code, details }) => next(`${code} ${String(details['reason'])}`)),
    });
    this.done = new Recorder(gpioset.done);
  }

  show(signal: Signal): void {
    this.indicator.show({ signal, id: parseTallyId('04A2B3C4D5'), reader: 'door' });
  }

  /** Actions since the mark. */
  get doneSince(): readonly string[] {
    return this.done.values.slice(this.#mark);
  }

  mark(): void {
    this.#mark = this.done.values.length;
  }

  /** Waits until all of these actions were done since the mark. */
  async did(...all: readonly string[]): Promise<void> {
    for (const each of all) await this.done.find(each, () => this.doneSince.includes(each));
  }

  /** Opens the indicator, and waits until it has shown the start. */
  async start(): Promise<void> {
    await this.indicator.open();
    await this.did('hold 22=1', 'hold 23=1', 'hold 24=1');
    this.mark();
    this.clock.advance(10_000);
    await this.did('hold 22=0', 'hold 23=0', 'hold 24=0');
    this.mark();
  }
}

for (const version of VERSIONS) {
  describe(`GpioIndicator with libgpiod ${version}`, () => {
    let gpioset: GpiosetStandIn;
    let subject: Subject;

    beforeEach(() => {
      gpioset = new GpiosetStandIn(version);
      subject = new Subject(gpioset);
    });

    afterEach(async () => {
      await subject.indicator.close();
      gpioset.dispose();
    });

    it('takes its lines, all off, and shows its start', async () => {
      await subject.start();
      expect(subject.done.values[0]).to.equal('off 22=0 23=0 24=0');
    });

    it('reports that it has its lines, at each opening', async () => {
      const connections = new Recorder(subject.indicator.connections);
      await subject.indicator.open();
      await subject.indicator.close();
      await subject.indicator.open();
      expect(connections.values).to.deep.equal(['connected', 'connected']);
    });

    it('shows an outcome, and holds its lines before and after', async () => {
      await subject.start();
      subject.show('counted');
      await subject.did('hold 22=1', 'hold 24=1');
      subject.clock.advance(100);
      await subject.did('hold 24=0');
      expect(subject.doneSince).not.to.include('hold 22=0');
      subject.clock.advance(900);
      await subject.did('hold 22=0');
      expect(subject.doneSince).to.have.lengthOf(4);
      expect([22, 23, 24].map((line) => gpioset.isHeld(line))).to.deep.equal([true, true, true]);
      expect(subject.faults.values).to.deep.equal([]);
    });

    it('turns all lamps off and releases its lines when it is closed, and can be opened again', async () => {
      await subject.start();
      subject.show('failed');
      await subject.did('hold 23=1', 'hold 24=1');
      await subject.indicator.close();
      expect([22, 23, 24].map((line) => gpioset.isHeld(line))).to.deep.equal([false, false, false]);
      await subject.did('off 22=0 23=0 24=0');
      subject.mark();
      subject.clock.advance(10_000);
      subject.show('counted');
      await subject.indicator.open();
      await subject.did('hold 22=1', 'hold 23=1', 'hold 24=1');
      expect(subject.doneSince[0]).to.equal('off 22=0 23=0 24=0');
    });

    it('drives a line low to turn an active-low lamp on', async () => {
      await subject.indicator.close();
      subject = new Subject(gpioset, { activeLow: ['red', 'buzzer'] });
      await subject.indicator.open();
      await subject.did('off 22=0 23=1 24=1', 'hold 22=1', 'hold 23=0', 'hold 24=0');
    });

    it('works without lamps that are not connected', async () => {
      await subject.indicator.close();
      subject = new Subject(gpioset, { lines: { buzzer: 5 } });
      await subject.indicator.open();
      await subject.did('off 5=0', 'hold 5=1');
      subject.clock.advance(10_000);
      await subject.did('hold 5=0');
      expect(subject.done.values.filter((each) => !/ 5=[01]$/.test(each))).to.deep.equal([]);
    });

    it('waits for used lines, reports that once, and drops signals meanwhile', async () => {
      gpioset.refuse(BUSY);
      await subject.indicator.open();
      await subject.attempts.find('a third attempt', (attempt) => attempt === 3);
      subject.show('counted');
      gpioset.accept();
      // It shows the start, and not the counted scan, which lights no red.
      await subject.did('off 22=0 23=0 24=0', 'hold 22=1', 'hold 23=1', 'hold 24=1');
      expect(subject.faults.values).to.deep.equal(['OUTPUT_FAILED busy']);
      subject.clock.advance(10_000);
      await subject.did('hold 22=0', 'hold 23=0', 'hold 24=0');
      subject.mark();
      subject.show('counted');
      await subject.did('hold 22=1', 'hold 24=1');
    });

    it('takes its lines when its chip is there, long before the next attempt is due', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tallybook-chip-'));
      const chip = join(folder, 'gpiochip0');
      gpioset.refuse('gpioset: unable to open chip: No such file or directory');
      const late = new Subject(gpioset, { chip, retryDelayMs: () => 3_600_000 });
      await late.indicator.open();
      gpioset.accept();
      await writeFile(chip, '');
      await late.did('hold 22=1', 'hold 23=1', 'hold 24=1');
      await late.indicator.close();
      await rm(folder, { recursive: true });
    });

    it('takes all lines again after losing a line, and reports repeated losses once', async () => {
      await subject.start();
      for (let time = 0; time < 2; time++) {
        subject.show('failed');
        await subject.did('hold 23=1', 'hold 24=1');
        subject.mark();
        gpioset.kill(23);
        await subject.did('off 22=0 23=0 24=0', 'hold 22=0', 'hold 23=0', 'hold 24=0');
        subject.mark();
      }
      expect(subject.faults.values).to.deep.equal(['OUTPUT_FAILED lost']);
      // The signal of the lost line is over.
      subject.clock.advance(400);
      subject.show('counted');
      await subject.did('hold 22=1', 'hold 24=1');
      expect(subject.doneSince).not.to.include('hold 23=1');
    });

    it('drops signals while a line is lost', async () => {
      const holds = (): readonly string[] => gpioset.calls.filter((each) => !/exit|toggle/.test(each));
      await subject.start();
      gpioset.refuse(BUSY);
      gpioset.kill(23);
      await subject.attempts.find('a second attempt', (attempt) => attempt === 2);
      const before = holds();
      subject.show('counted');
      await subject.attempts.find('a fifth attempt', (attempt) => attempt === 5);
      expect(holds()).to.deep.equal(before);
      expect(subject.faults.values).to.deep.equal(['OUTPUT_FAILED lost', 'OUTPUT_FAILED busy']);
    });

    it('leaves no program that holds a line when this process is killed', async () => {
      await subject.indicator.close();
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', '--conditions', '@tallybook/source', '--input-type', 'module', '--eval', HOLDER],
        {
          cwd: new URL('../..', import.meta.url),
          env: { ...process.env, NODE_V8_COVERAGE: '' },
          stdio: ['ignore', 'inherit', 'inherit'],
        },
      );
      const exited = once(child, 'exit');
      try {
        await subject.did('hold 22=1', 'hold 23=1', 'hold 24=1');
      } finally {
        child.kill('SIGKILL');
        await exited;
      }
      await gpioset.released(22, 23, 24);
    });
  });

  testLifecycle(`GpioIndicator with libgpiod ${version}`, (afterwards) => {
    const gpioset = new GpiosetStandIn(version);
    afterwards(() => gpioset.dispose());
    return new GpioIndicator({ chip: CHIP, lines: ALL }, new ManualClock());
  });
}
