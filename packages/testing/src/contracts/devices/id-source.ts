import assert from 'node:assert/strict';
import { parseTallyId, type Clock, type IdSource, type Subscribable } from '@tallybook/domain';
import { PATIENCE_MS, Recorder } from '../../recorder.js';
import {
  casesOf,
  runCases,
  type ContractCase,
  type ContractOptions,
  type MakeSubject,
  type TestRunner,
} from '../../runner.js';
import { ada, bob } from '../fixtures.js';
import { lifecycleContract } from '../lifecycle.js';

/** A reader under test, and control of its device. */
export interface IdSourceSubject {
  /** The reader: not opened yet, with its device connected. */
  readonly source: IdSource;
  /** Makes the device send one valid id of 5 bytes, in the spelling of the device. */
  readonly present: (id: string) => Promise<void> | void;
  /** Makes the device send something that is no id. */
  readonly garble: () => Promise<void> | void;
  /** Disconnects the device, as when a cable is pulled. Leave it out if that cannot happen. */
  readonly unplug?: () => Promise<void> | void;
  /** Connects the device again. */
  readonly plug?: () => Promise<void> | void;
  readonly cleanup: () => Promise<void>;
}

export interface IdSourceContractOptions extends ContractOptions<MakeSubject<IdSourceSubject>> {
  /** The clock of the readers. */
  readonly clock: Clock;
  /** Whether the device can be disconnected; then subjects have `unplug` and `plug`. */
  readonly pluggable: boolean;
  /** Maximum time to wait for an expected event, in milliseconds, default {@link PATIENCE_MS}. */
  readonly patienceMs?: number;
}

const cyd = parseTallyId('7F00000001');

/** Checks the promises of {@link IdSource}. */
export function idSourceContract(runner: TestRunner, options: IdSourceContractOptions): void {
  const { name, make, pluggable } = options;
  lifecycleContract(runner, {
    name,
    make: async () => {
      const { source, cleanup } = await make();
      return { resource: source, cleanup };
    },
  });
  const all = pluggable ? [...cases, ...pluggableCases] : cases;
  runCases(runner, 'an IdSource', all, { ...options, make: options });
}

/** Records the readings, faults and connections of a subject while a case runs. */
class Watch {
  readonly clock: Clock;
  readonly readings: Recorder<string>;
  readonly faults: Recorder<string>;
  readonly connections: Recorder<string>;
  readonly #patienceMs: number;
  readonly #recorders: { stop(): void }[] = [];

  constructor(source: IdSource, { clock, patienceMs = PATIENCE_MS }: IdSourceContractOptions) {
    this.clock = clock;
    this.#patienceMs = patienceMs;
    this.readings = this.record({ subscribe: (next) => source.readings.subscribe(({ id }) => next(id)) });
    this.faults = this.record({
      subscribe: (next) => source.faults.subscribe(({ error }) => next(error.code)),
    });
    this.connections = this.record(source.connections);
  }

  record<T>(stream: Subscribable<T>): Recorder<T> {
    const recorder = new Recorder(stream, this.#patienceMs);
    this.#recorders.push(recorder);
    return recorder;
  }

  stop(): void {
    for (const recorder of this.#recorders) recorder.stop();
  }
}

function onSource(
  title: string,
  body: (subject: IdSourceSubject, watch: Watch) => Promise<void>,
): ContractCase<IdSourceContractOptions> {
  return [
    title,
    async (options) => {
      const subject = await options.make();
      const watch = new Watch(subject.source, options);
      try {
        await body(subject, watch);
      } finally {
        watch.stop();
        await subject.cleanup();
      }
    },
  ];
}

async function openConnected({ source }: IdSourceSubject, watch: Watch): Promise<void> {
  await source.open();
  if (source.connection !== 'connected')
    await watch.connections.find('connected', (value) => value === 'connected');
}

const cases = casesOf(onSource, {
  'delivers ids in canonical form and in the order of the tags': async (subject, watch) => {
    await openConnected(subject, watch);
    for (const id of [ada, bob, cyd]) {
      await subject.present(id);
      await watch.readings.find(id, (value) => value === id);
    }
    assert.deepEqual(watch.readings.values, [ada, bob, cyd]);
  },
  'delivers a tag each time it is presented': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.present(ada);
    await subject.present(ada);
    assert.deepEqual(await watch.readings.count(2), [ada, ada]);
  },
  'stamps readings with its name and the time of both clocks': async (subject, watch) => {
    const { clock } = watch;
    const readings = watch.record(subject.source.readings);
    await openConnected(subject, watch);
    const before = { at: clock.now(), monotonicMs: clock.monotonicMs() };
    await subject.present(ada);
    const { reader, at, monotonicMs } = await readings.find('a reading', () => true);
    const after = { at: clock.now(), monotonicMs: clock.monotonicMs() };
    assert.equal(reader, subject.source.name);
    assert.ok(at >= before.at && at <= after.at, `stamped ${at} s`);
    assert.ok(
      monotonicMs >= before.monotonicMs && monotonicMs <= after.monotonicMs,
      `stamped ${monotonicMs} ms`,
    );
  },
  'delivers to every subscriber until it unsubscribes': async (subject, watch) => {
    const second = watch.record(subject.source.readings);
    await openConnected(subject, watch);
    await subject.present(ada);
    await watch.readings.find(ada, (value) => value === ada);
    await second.count(1);
    second.stop();
    await subject.present(bob);
    await watch.readings.find(bob, (value) => value === bob);
    assert.deepEqual(
      second.values.map(({ id }) => id),
      [ada],
    );
  },
  'reports what is not an id as a fault and continues': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.garble();
    await subject.present(ada);
    await watch.readings.find(ada, (value) => value === ada);
    const code = await watch.faults.find('a fault', () => true);
    assert.ok(['FRAME_INVALID', 'INVALID_TALLY_ID'].includes(code), `the fault has the code ${code}`);
    assert.deepEqual(watch.readings.values, [ada]);
  },
  'refuses ids of only 0 and only F digits as faults': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.present('0000000000');
    await subject.present('FFFFFFFFFF');
    await subject.present(ada);
    await watch.readings.find(ada, (value) => value === ada);
    assert.deepEqual(watch.readings.values, [ada]);
    assert.deepEqual(await watch.faults.count(2), ['BLANK_TALLY_ID', 'BLANK_TALLY_ID']);
  },
  'names itself in its faults': async (subject, watch) => {
    const faults = watch.record(subject.source.faults);
    await openConnected(subject, watch);
    await subject.garble();
    await subject.present(ada);
    await watch.readings.find(ada, (value) => value === ada);
    assert.equal((await faults.find('a fault', () => true)).reader, subject.source.name);
  },
  'delivers nothing while it is closed': async (subject, watch) => {
    await subject.present(ada);
    assert.deepEqual(watch.readings.values, []);
    await openConnected(subject, watch);
    await subject.source.close();
    const before = watch.readings.values.length;
    await subject.present(bob);
    assert.equal(watch.readings.values.length, before);
  },
  'delivers to the same subscribers after it was closed and opened again': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.source.close();
    await openConnected(subject, watch);
    await subject.present(cyd);
    await watch.readings.find(cyd, (value) => value === cyd);
  },
  'is connected while it is open and its device is there, else waiting': async (subject, watch) => {
    assert.equal(subject.source.connection, 'waiting');
    await openConnected(subject, watch);
    assert.equal(subject.source.connection, 'connected');
    await subject.source.close();
    assert.equal(subject.source.connection, 'waiting');
  },
});

const pluggableCases = casesOf(onSource, {
  'reports a lost device once and waits for it': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.unplug?.();
    await watch.connections.find('waiting', (value) => value === 'waiting');
    assert.equal(subject.source.connection, 'waiting');
    assert.equal(subject.source.status, 'open');
    await subject.plug?.();
    await watch.connections.find('connected', () => subject.source.connection === 'connected');
    assert.deepEqual(watch.faults.values, ['READER_DISCONNECTED']);
  },
  'delivers again when its device is back': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.present(ada);
    await watch.readings.find(ada, (value) => value === ada);
    await subject.unplug?.();
    await watch.connections.find('waiting', (value) => value === 'waiting');
    await subject.plug?.();
    await watch.connections.find('connected', () => subject.source.connection === 'connected');
    await subject.present(bob);
    await watch.readings.find(bob, (value) => value === bob);
    assert.deepEqual(watch.readings.values, [ada, bob]);
  },
  'opens without its device and connects when it comes': async (subject, watch) => {
    await subject.unplug?.();
    await subject.source.open();
    assert.equal(subject.source.status, 'open');
    assert.equal(subject.source.connection, 'waiting');
    await watch.faults.find('READER_DISCONNECTED', (code) => code === 'READER_DISCONNECTED');
    await subject.plug?.();
    await watch.connections.find('connected', (value) => value === 'connected');
    await subject.present(ada);
    await watch.readings.find(ada, (value) => value === ada);
    assert.deepEqual(watch.faults.values, ['READER_DISCONNECTED']);
  },
  'closes while it waits for its device': async (subject, watch) => {
    await openConnected(subject, watch);
    await subject.unplug?.();
    await watch.connections.find('waiting', (value) => value === 'waiting');
    await subject.source.close();
    assert.equal(subject.source.status, 'closed');
    const { length } = watch.connections.values;
    await subject.plug?.();
    assert.equal(watch.connections.values.length, length);
  },
});
