import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findGpioTool } from '@tallybook/devices';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { WiegandIdSource, type WiegandOptions } from '../../src/index.js';
import { gpiomonArguments } from '../../src/wiegand/gpiomon.js';
import { findNoGpioSim, SimulatedChip } from './gpio-sim.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { bitsOf, encodeBits } from './wiegand-frames.js';

const LABEL = 'tallybook-wiegand';
/** The simulated wires are slow: the kernel notices an edge at its next tick, up to a hundredth of a second later. */
const PATIENCE_MS = 20_000;

/** A source on the simulated chip, with its readings and faults. */
class Subject {
  readonly source: WiegandIdSource;
  readonly ids: Recorder<string>;
  readonly faults: Recorder<string>;
  readonly connections: Recorder<string>;

  constructor(options: Partial<WiegandOptions> = {}) {
    const usual = { chip: LABEL, d0: 17, d1: 18, silenceMs: 500, retryDelayMs: () => 100 };
    this.source = new WiegandIdSource({ ...usual, ...options }, new RunningClock());
    this.ids = new Recorder(
      { subscribe: (next) => this.source.readings.subscribe(({ id }) => next(id)) },
      PATIENCE_MS,
    );
    this.faults = new Recorder({
      subscribe: (next) =>
        this.source.faults.subscribe(({ error }) =>
          next(String(error.details['problem'] ?? error.details['reason'])),
        ),
    });
    this.connections = new Recorder(this.source.connections, PATIENCE_MS);
  }

  connected(): Promise<string> {
    return this.connections.find('connected', () => this.source.connection === 'connected');
  }
}

const reason = findNoGpioSim();

describe('WiegandIdSource on a chip that the kernel simulates', () => {
  let chip: SimulatedChip;
  let subjects: Subject[];

  before(function () {
    if (reason !== undefined) this.skip(reason);
  });

  beforeEach(() => {
    subjects = [];
    chip = new SimulatedChip(LABEL);
    chip.setLive(true);
  });

  afterEach(async () => {
    for (const { source } of subjects) await source.close();
    chip.dispose();
  });

  async function open(options?: Partial<WiegandOptions>): Promise<Subject> {
    const subject = new Subject(options);
    subjects.push(subject);
    await subject.source.open();
    return subject;
  }

  it('reads frames of 26, 34 and 37 bits from the chip with a label', async () => {
    const { ids, faults } = await open();
    for (const [bits, id] of [
      [encodeBits(bitsOf('63E9AE')), '63E9AE'],
      [encodeBits(bitsOf('89D41B81')), '89D41B81'],
      [bitsOf('0584A2B940', 37), '02C2515CA0'],
    ] as const) {
      await chip.send(bits);
      await ids.find(id, (each) => each === id);
    }
    expect(ids.values).to.have.length(3);
    expect(faults.values).to.be.empty;
  });

  it('reports a frame with a wrong parity, and reads the next one', async () => {
    const { ids, faults } = await open({ chip: `/dev/${chip.name}` });
    const bits = encodeBits(bitsOf('63E9AE'));
    await chip.send(bits.replace(/.$/, (bit) => (bit === '0' ? '1' : '0')));
    await faults.count(1);
    await chip.send(bits);
    expect(await ids.count(1)).to.deep.equal(['63E9AE']);
    expect(faults.values).to.deep.equal(['a frame with a wrong parity']);
  });

  it('reports used lines, and reads when they are free', async () => {
    const first = await open({ chip: chip.name });
    const second = await open({ chip: chip.name });
    await second.faults.find('busy', (fault) => fault === 'busy');
    await first.source.close();
    await second.connected();
    await chip.send(encodeBits(bitsOf('63E9AE')));
    expect(await second.ids.count(1)).to.deep.equal(['63E9AE']);
  });

  it('replaces a gpiomon that survived its service', async () => {
    const tool = await findGpioTool('gpiomon', chip.name, 'READER_DISCONNECTED');
    const orphan = spawn('gpiomon', gpiomonArguments(tool, { d0: 17, d1: 18 }), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(orphan, 'close');
    await chip.send('0');
    await once(orphan.stdout, 'readable');
    const subject = await open();
    await subject.faults.find('busy', (fault) => fault === 'busy');
    orphan.stdout.destroy();
    await chip.send('0');
    await ended;
    await subject.connected();
    await chip.send(encodeBits(bitsOf('63E9AE')));
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
  });

  it('reports a missing chip, and reads when it comes', async () => {
    const path = `/dev/${chip.name}`;
    chip.setLive(false);
    const byLabel = await open();
    const byPath = await open({ chip: path, d0: 19, d1: 20 });
    expect(byLabel.faults.values).to.deep.equal(['missing']);
    await byPath.faults.find('missing', (fault) => fault === 'missing');
    chip.setLive(true);
    await byLabel.connected();
    await chip.send(encodeBits(bitsOf('63E9AE')));
    expect(await byLabel.ids.count(1)).to.deep.equal(['63E9AE']);
  });

  it('reports a line that the chip does not have', async () => {
    const { faults } = await open({ d1: 99 });
    await faults.find('line', (fault) => fault === 'line');
  });
});
