import {
  createTallybook,
  Emitter,
  ManagedResource,
  TallybookError,
  type Feature,
  type Indication,
  type Storage,
} from '@tallybook/domain';
import { ManualClock, MemoryStorage, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';
import type { TallybookOptions } from '../src/create-tallybook.js';
import type { Fault } from '../src/report.js';
import { ada, today } from '../../testing/test/fixtures/known-values.js';
import { failureOf } from '../../testing/test/fixtures/failure-of.js';

describe('createTallybook', () => {
  let history: string[];
  let faults: Fault[];
  let storage: NotedStorage;
  let clock: NotedClock;
  let door: NotedSource;

  /** A part that notes when it opens and closes. */
  class Noted extends ManagedResource {
    readonly name: string;
    readonly faults = new Emitter<TallybookError>();
    failure: Error | undefined;

    constructor(name: string) {
      super();
      this.name = name;
    }

    protected override async onOpen(): Promise<void> {
      if (this.failure !== undefined) throw this.failure;
      history.push(`${this.name} opens`);
    }

    protected override async onClose(): Promise<void> {
      history.push(`${this.name} closes`);
    }
  }

  class NotedStorage extends MemoryStorage {
    protected override async onOpen(): Promise<void> {
      await super.onOpen();
      history.push('storage opens');
    }

    protected override async onClose(): Promise<void> {
      await super.onClose();
      history.push('storage closes');
    }
  }

  class NotedSource extends ScriptedIdSource {
    failure: Error | undefined;

    protected override async onOpen(): Promise<void> {
      if (this.failure !== undefined) throw this.failure;
      await super.onOpen();
      history.push(`${this.name} opens`);
    }

    protected override async onClose(): Promise<void> {
      await super.onClose();
      history.push(`${this.name} closes`);
    }
  }

  class NotedClock extends ManualClock {
    readonly #noted = new Noted('clock');
    readonly status = 'closed';
    open = (): Promise<void> => this.#noted.open();
    close = (): Promise<void> => this.#noted.close();
    [Symbol.asyncDispose] = (): Promise<void> => this.#noted.close();
  }

  beforeEach(() => {
    history = [];
    faults = [];
    storage = new NotedStorage();
    clock = new NotedClock();
    door = new NotedSource(clock, 'door');
  });

  const options = (): TallybookOptions => ({
    storage,
    clock,
    calendar: {},
    readers: [door],
    report: (fault) => faults.push(fault),
  });

  it('records the taps at its readers, with the time and the name', async () => {
    const shown: Indication[] = [];
    const lamp = { show: (indication: Indication) => void shown.push(indication) };
    await using tallybook = createTallybook({ ...options(), outputs: [lamp] });
    await tallybook.open();
    await tallybook.names.put(ada, { first: 'Ada', last: '' });
    door.present(ada);
    await tallybook.attendance.settled();
    expect((await tallybook.attendance.loadDay(today))?.entries).to.have.length(1);
    expect(shown).to.deep.equal([
      { signal: 'counted', id: ada, name: { first: 'Ada', last: '' }, reader: 'door' },
    ]);
    expect(tallybook.readers.list()).to.have.length(1);
    expect(faults).to.deep.equal([]);
  });

  it('opens storage, clock, services, listeners, outputs and readers in this order, and closes in the reverse one', async () => {
    const feature: Feature = {
      name: 'noted',
      needs: [],
      begin: () => ({
        add: (tallybook) => {
          for (const phase of ['attendance', 'outputs', 'listeners', 'services'] as const) {
            tallybook.attach(phase, new Noted(phase));
          }
          return {};
        },
      }),
    };
    const lamp = Object.assign(new Noted('lamp'), { show: () => undefined });
    const tallybook = createTallybook({ ...options(), outputs: [lamp], with: [feature] });
    expect(history).to.deep.equal([]);
    await tallybook.open();
    const order = ['storage', 'clock', 'services', 'listeners', 'lamp', 'outputs', 'door', 'attendance'];
    expect(history).to.deep.equal(order.map((part) => `${part} opens`));
    history = [];
    await tallybook.close();
    expect(history).to.deep.equal(order.reverse().map((part) => `${part} closes`));
  });

  it('can be opened again', async () => {
    await using tallybook = createTallybook(options());
    for (const count of [1, 2]) {
      await tallybook.open();
      door.present(ada);
      await tallybook.attendance.settled();
      expect((await tallybook.attendance.loadDay(today))?.entries[0]?.count).to.equal(count);
      await tallybook.close();
      clock.advance(10_000);
    }
  });

  it('closes everything again if a part cannot be opened, and reports what could not be closed', async () => {
    const failure = new TallybookError('LISTEN_FAILED', 'the port is taken');
    const stuck = new TypeError('it does not close');
    const listener = new Noted('listener');
    const service = new Noted('service');
    listener.failure = failure;
    service.close = () => Promise.reject(stuck);
    const tallybook = createTallybook(options());
    tallybook.attach('services', service);
    tallybook.attach('listeners', listener);
    expect(await failureOf(tallybook.open())).to.equal(failure);
    expect(history).to.deep.equal([
      'storage opens',
      'clock opens',
      'service opens',
      'clock closes',
      'storage closes',
    ]);
    expect(faults).to.deep.equal([{ part: 'closing', error: stuck }]);
    expect(tallybook.status).to.equal('closed');
    listener.failure = undefined;
    await tallybook.open();
    await failureOf(tallybook.close());
  });

  it('makes parts by factories of the parts that they need', async () => {
    await using tallybook = createTallybook({
      ...options(),
      storage: ({ timekeeper, clock: given }) => {
        expect(timekeeper.clock).to.equal(given);
        return storage;
      },
      readers: [
        ({ clock: given, storage: stored }) => {
          expect(stored).to.equal(storage);
          return new NotedSource(given, 'gate');
        },
      ],
      outputs: [({ attendance }) => Object.assign(new Noted('bell'), { attendance })],
    });
    await tallybook.open();
    expect(tallybook.sources.map(({ name }) => name)).to.deep.equal(['gate']);
    expect(history).to.include.members(['bell opens', 'gate opens']);
  });

  it('names the options without which there is no tallybook', () => {
    for (const nothing of [{}, undefined]) {
      expect(() => createTallybook(nothing as unknown as TallybookOptions)).to.throw(
        TallybookError,
        'createTallybook needs storage, clock, calendar',
      );
    }
    const { clock: _, ...timeless } = options();
    expect(() => createTallybook(timeless as TallybookOptions)).to.throw(/^createTallybook needs clock$/);
  });

  it('names features in the wrong order, and those that are there twice', async () => {
    const feature = (name: string, after: readonly string[]): Feature => ({
      ...{ name, after, needs: [] },
      begin: () => ({}),
    });
    const [first, second] = [feature('first', []), feature('second', ['first', 'none'])];
    const wrong = createTallybook({ ...options(), with: [second, first, first] });
    expect(await failureOf(wrong.open())).to.include({
      code: 'INVALID_OPTION',
      message: 'second() must come after first(); first() is there twice',
    });
    await using right = createTallybook({ ...options(), with: [first, second] });
    await right.open();
  });

  it('names forgotten parts, facets that features lack, and readers of one name when it opens', async () => {
    const { mapping, snapshots } = storage;
    const poor = Object.assign(new Noted('poor'), { mapping, snapshots }) as object as Storage;
    const feature: Feature = { name: 'access', needs: ['access', 'audit'], begin: () => ({}) };
    const tallybook = createTallybook({
      ...options(),
      storage: poor,
      readers: [door, new ScriptedIdSource(clock, 'door')],
      with: [feature],
    });
    const error = await failureOf(tallybook.open());
    expect(error).to.have.property('code', 'INVALID_OPTION');
    expect(error).to.have.property(
      'message',
      'the storage lacks days, journal; access() needs access, audit, which the storage lacks; two readers have the name "door"',
    );
    expect(history).to.deep.equal([]);
  });

  it('says what is off because of the storage', () => {
    expect(createTallybook(options()).lacking).to.equal(undefined);
    const { mapping, days, journal, snapshots, corrections, erasures } = storage;
    const parts = { mapping, days, journal, snapshots, corrections, erasures, isJournalVolatile: true };
    const some = Object.assign(new Noted('some'), parts) as object as Storage;
    expect(createTallybook({ ...options(), storage: some }).lacking).to.equal(
      'off, as the storage has no provisional, stampedNames, stations, receipts: stations, scans without a trusted time, ' +
        'counting readings once that a device sends again; ' +
        'the journal begins anew at each start, so webhooks may miss what happened while the service was off',
    );
  });

  it('does not take a part that would not be opened', async () => {
    await using tallybook = createTallybook(options());
    await tallybook.open();
    expect(() => tallybook.attach('services', new Noted('late'))).to.throw(
      TypeError,
      'before the tallybook opens',
    );
  });

  it('gives features the recorded days, and reads those that they bring', async () => {
    await using other = new MemoryStorage();
    await other.open();
    const feature: Feature<{ readonly answer: number }> = {
      name: 'moved',
      needs: ['corrections'],
      begin: (base) => {
        expect(base.storage).to.equal(storage);
        return { days: other.days, add: (tallybook) => ({ answer: tallybook.sources.length }) };
      },
    };
    await using tallybook = createTallybook({ ...options(), with: [feature] });
    expect(tallybook.answer).to.equal(1);
    await tallybook.open();
    door.present(ada);
    await tallybook.attendance.settled();
    expect(await storage.days.load(today)).to.equal(undefined);
    expect((await other.days.load(today))?.entries).to.have.length(1);
  });

  it('hands the notes of all features to the one that keeps a trail', async () => {
    const noted: unknown[] = [];
    const audit = { note: (...note: unknown[]) => Promise.resolve(void noted.push(note)) };
    const first: Feature<{ act: () => Promise<void> }> = {
      name: 'first',
      needs: [],
      begin: (base) => ({ add: () => ({ act: () => base.audit.note('ada', 'time-set') }) }),
    };
    const second: Feature = { name: 'second', needs: [], begin: () => ({ audit }) };
    await createTallybook({ ...options(), with: [first, second] }).act();
    await createTallybook({ ...options(), with: [first] }).act();
    expect(noted).to.deep.equal([['ada', 'time-set']]);
  });

  it('leaves out a device whose package is missing, and reports it', async () => {
    const missing = new TallybookError('INVALID_OPTION', 'serialport is not installed');
    const gate = new NotedSource(clock, 'gate');
    gate.failure = missing;
    await using tallybook = createTallybook({ ...options(), readers: [gate, door] });
    await tallybook.open();
    expect(faults).to.deep.equal([{ part: 'reader', device: 'gate', isMissing: true, error: missing }]);
    expect(tallybook.readers.list()[0]?.lastFault?.message).to.equal('serialport is not installed');
    await tallybook.close();
    door.failure = missing;
    expect(await failureOf(tallybook.open())).to.have.property(
      'message',
      'serialport is not installed\nserialport is not installed',
    );
  });

  it('reports faults of readers, of outputs and of the recording while it is open', async () => {
    const lamp = new Noted('lamp');
    await using tallybook = createTallybook({ ...options(), outputs: [lamp] });
    await tallybook.open();
    door.unplug();
    lamp.faults.emit(new TallybookError('OUTPUT_FAILED', 'the pins are taken'));
    storage.people.holderAt = () => Promise.reject(new TallybookError('STORE_READ_FAILED', 'no disk'));
    door.plug();
    door.present(ada);
    await tallybook.attendance.settled();
    const seen = faults.map(({ part, device, error }) => [part, device, (error as TallybookError).code]);
    expect(seen).to.deep.equal([
      ['reader', 'door', 'READER_DISCONNECTED'],
      ['output', 'lamp', 'OUTPUT_FAILED'],
      ['attendance', undefined, 'STORE_READ_FAILED'],
    ]);
    await tallybook.close();
    lamp.faults.emit(new TallybookError('OUTPUT_FAILED', 'nobody listens'));
    expect(faults).to.have.length(3);
  });

  it('reports what is wrong with the storage', () => {
    let tell: (error: unknown) => void = () => undefined;
    Object.assign(storage, { reportTo: (report: typeof tell) => (tell = report) });
    createTallybook(options());
    const damage = new TallybookError('STORE_CORRUPT', 'a row is damaged');
    tell(damage);
    expect(faults).to.deep.equal([{ part: 'storage', error: damage }]);
  });

  it('writes each fault to standard error once a minute unless it is told otherwise', async () => {
    const lines: unknown[][] = [];
    const { error: write } = console;
    console.error = (...line: unknown[]) => void lines.push(line);
    try {
      const { report: _, ...quiet } = options();
      await using tallybook = createTallybook(quiet);
      await tallybook.open();
      for (const waitMs of [0, 59_999, 1]) {
        clock.advance(waitMs);
        door.unplug();
        door.plug();
      }
      const mistake = new Error('a bug');
      tallybook.report({ part: 'access', error: mistake });
      tallybook.report({ part: 'output', device: 'lamp', isMissing: true, error: 'no text' });
      const lost = 'tallybook: reader door: READER_DISCONNECTED door is not plugged in';
      expect(lines).to.deep.equal([
        [lost],
        [lost],
        ['tallybook: access: a bug', mistake],
        ['tallybook: output lamp: unknown error; it is left out until the next start', 'no text'],
      ]);
    } finally {
      console.error = write;
    }
  });
});
