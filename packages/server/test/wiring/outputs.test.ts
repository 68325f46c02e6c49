import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Container } from 'inversify';
import {
  Emitter,
  ManagedResource,
  TallybookError,
  Timekeeper,
  type AttendanceEvent,
  type AttendanceService,
  type Indication,
  type Subscribable,
} from '@tallybook/domain';
import type { DeviceConnection, Publisher } from '@tallybook/devices';
import type { DeviceIndicator } from '@tallybook/outputs';
import { serviceId } from '@tallybook/server';
import { ManualClock, MemoryDayStore, ScriptedIdSource } from '@tallybook/testing';
import { unhandledRejectionsOf } from '../../../domain/test/fixtures/unhandled-rejections.js';
import { recordedLog } from '../fixtures/logged.js';
import { rebindParts } from '../fixtures/stores/rebind-parts.js';
import { containerOf } from '../fixtures/container-of.js';

const ada = '04A2B3C4D5';
/** Number of the level in pino. */
const ERROR = 50;

/** A lamp that records the order in which it was opened, shown to and closed. */
class Lamp extends ManagedResource implements DeviceIndicator {
  readonly reader = undefined;
  readonly faults = new Emitter<TallybookError>();
  readonly connections = new Emitter<DeviceConnection>();
  readonly shown: string[] = [];
  readonly name: string;
  readonly history: string[];
  isMissing = false;

  constructor(name: string, history: string[]) {
    super();
    this.name = name;
    this.history = history;
  }

  show({ signal }: Indication): void {
    this.shown.push(signal);
    this.history.push(`${this.name} shows`);
  }

  protected override async onOpen(): Promise<void> {
    if (this.isMissing) throw new TallybookError('INVALID_OPTION', 'gpioset is not installed');
    this.history.push(`${this.name} opens`);
  }

  protected override async onClose(): Promise<void> {
    this.history.push(`${this.name} closes`);
  }
}

/** A publisher that records the changes while it is open. */
class Bell extends ManagedResource implements Publisher {
  readonly name = 'bell';
  readonly connection = 'connected';
  readonly stopped = undefined;
  readonly setAside = 0;
  readonly faults = new Emitter<TallybookError>();
  readonly connections = new Emitter<DeviceConnection>();
  readonly events: Subscribable<AttendanceEvent>;
  readonly history: string[];

  constructor(events: Subscribable<AttendanceEvent>, history: string[]) {
    super();
    this.events = events;
    this.history = history;
  }

  countWaiting(): Promise<number> {
    return Promise.resolve(0);
  }

  sendAgain(): void {
    this.history.push('bell sends again');
  }

  protected override async onOpen(): Promise<void> {
    this.history.push('bell opens');
    this.events.subscribe(({ kind }) => {
      if (this.status === 'open') this.history.push(`bell hears ${kind}`);
    });
  }

  protected override async onClose(): Promise<void> {
    this.history.push('bell closes');
  }
}

/** A store whose writes end when the test says so. */
class SlowDayStore extends MemoryDayStore {
  release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  override async record(...scan: Parameters<MemoryDayStore['record']>): ReturnType<MemoryDayStore['record']> {
    await this.#released;
    return super.record(...scan);
  }
}

describe('the outputs of the server', () => {
  const { log, lines } = recordedLog();
  let clock: ManualClock;
  let door: ScriptedIdSource;
  let days: SlowDayStore;
  let history: string[];
  let lamps: Lamp[];
  let bell: Bell;
  let container: Container;

  beforeEach(() => {
    clock = new ManualClock();
    door = new ScriptedIdSource(clock, 'door');
    days = new SlowDayStore();
    history = [];
    lamps = [new Lamp('lamp', history), new Lamp('buzzer', history)];
    const parts = { idSources: [door], indicators: lamps };
    container = containerOf({}, { log, clock, timekeeper: new Timekeeper(clock), ...parts });
    rebindParts(container, { days });
    container
      .rebind(serviceId('publishers'))
      .toDynamicValue(() => [
        (bell = new Bell({ subscribe: (next) => eventsOf().subscribe(next) }, history)),
      ]);
    const eventsOf = (): AttendanceService['events'] =>
      container.get(serviceId('tallybook')).attendance.events;
    door.connections.subscribe((connection) => history.push(`door ${connection}`));
  });

  it('are open before the first tap can come, and until the outcome of the last one is shown', async () => {
    const server = container.get(serviceId('server'));
    await server.open();
    expect(history).to.deep.equal(['bell opens', 'lamp opens', 'buzzer opens', 'door connected']);
    door.present(ada);
    const closed = server.close();
    // By then all parts that do not wait for the write are closed.
    while (door.status !== 'closed') await nextTurn();
    for (let n = 0; n < 10; n++) await nextTurn();
    days.release();
    await closed;
    expect(history.slice(4)).to.deep.equal([
      'bell hears scan',
      'bell hears attendance',
      'lamp shows',
      'buzzer shows',
      'bell closes',
      'lamp closes',
      'buzzer closes',
    ]);
  });

  it('show a scan on each indicator, also on one of a device app, and if one of them throws', async () => {
    const own = new Lamp('own', []);
    container.bind(serviceId('indicator')).toConstantValue(own);
    const [lamp, buzzer] = lamps as [Lamp, Lamp];
    lamp.show = () => {
      throw new Error('a mistake in an indicator');
    };
    days.release();
    const rejections = await unhandledRejectionsOf(async () => {
      await using server = container.get(serviceId('server'));
      await server.open();
      door.present(ada);
      await container.get(serviceId('tallybook')).attendance.settled();
    });
    expect(rejections.map(String)).to.deep.equal(['Error: a mistake in an indicator']);
    expect(buzzer.shown).to.deep.equal(['unknown']);
    expect(own.shown).to.deep.equal(['unknown']);
  });

  it('are logged when they fail, without filling the log', async () => {
    await using server = container.get(serviceId('server'));
    await server.open();
    for (let n = 0; n < 100; n++) {
      lamps[0]?.faults.emit(new TallybookError('OUTPUT_FAILED', 'the pins are taken'));
    }
    bell.faults.emit(new TallybookError('OUTPUT_FAILED', 'the broker is away'));
    const failures = lines.values.filter(({ code }) => code === 'OUTPUT_FAILED');
    expect(failures.map(({ output, msg }) => `${String(output)}: ${msg}`)).to.deep.equal([
      ...Array.from({ length: 5 }, () => 'lamp: the pins are taken'),
      'lamp: repeats are suppressed for the rest of this minute',
      'bell: the broker is away',
    ]);
    await server.close();
    bell.faults.emit(new TallybookError('OUTPUT_FAILED', 'nobody listens'));
    expect(lines.values.at(-1)?.msg).to.not.equal('nobody listens');
  });

  it('are logged when they work', async () => {
    await using server = container.get(serviceId('server'));
    await server.open();
    for (const connection of ['connected', 'waiting', 'connected'] as const)
      bell.connections.emit(connection);
    lamps[0]?.connections.emit('connected');
    const connected = lines.values.filter(({ msg }) => msg === 'output connected');
    expect(connected.map(({ output }) => output)).to.deep.equal(['bell', 'bell', 'lamp']);
  });

  it('are left out and logged if a needed package is missing, and the rest continues', async () => {
    const [lamp, buzzer] = lamps as [Lamp, Lamp];
    buzzer.isMissing = true;
    days.release();
    const server = container.get(serviceId('server'));
    await server.open();
    door.present(ada);
    await container.get(serviceId('tallybook')).attendance.settled();
    expect(lamp.shown).to.deep.equal(['unknown']);
    const [failure] = lines.values.filter(({ level }) => level === ERROR);
    expect(failure).to.include({
      output: 'buzzer',
      code: 'INVALID_OPTION',
      msg: 'gpioset is not installed; the service runs without it until the next start',
    });
    await server.close();
    expect(history.slice(-2)).to.have.members(['bell closes', 'lamp closes']);
  });

  it('keep the server from starting after a programming mistake in one, and nothing stays open', async () => {
    const [, buzzer] = lamps as [Lamp, Lamp];
    const mistake = new TypeError('a mistake in an indicator');
    buzzer.open = () => Promise.reject(mistake);
    const server = container.get(serviceId('server'));
    const error: unknown = await server.open().catch((cause: unknown) => cause);
    expect(error).to.equal(mistake);
    expect(history.slice(0, 2)).to.deep.equal(['bell opens', 'lamp opens']);
    expect(history.slice(2)).to.have.members(['lamp closes', 'bell closes']);
    expect(days.status).to.equal('closed');
  });
});
