import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { Emitter, TallybookError, type Subscribable } from '@tallybook/domain';
import { serviceId, type TallybookServer } from '@tallybook/server';
import { ManualClock, MemoryMappingStore, ScriptedIdSource } from '@tallybook/testing';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { ProgressLine } from '../../src/command-line/terminal-output.js';
import { tryReader } from '../../src/doctor/try-reader.js';
import { failureOf } from '../fixtures/failure-of.js';
import { rebindParts } from '../fixtures/stores/rebind-parts.js';
import { containerOf } from '../fixtures/container-of.js';

/** Counts listeners of streams. */
class Listeners {
  count = 0;

  /** Replaces streams of an object by counted ones. */
  watch<T extends object>(subject: T, ...streams: readonly (keyof T)[]): T {
    for (const stream of streams) {
      const watched = this.#watched(subject[stream] as Subscribable<unknown>);
      Object.defineProperty(subject, stream, { value: watched });
    }
    return subject;
  }

  #watched(stream: Subscribable<unknown>): Subscribable<unknown> {
    return {
      subscribe: (next) => {
        this.count++;
        const subscription = stream.subscribe(next);
        return {
          unsubscribe: () => {
            this.count--;
            subscription.unsubscribe();
          },
        };
      },
    };
  }
}

describe('The server', () => {
  let listeners: Listeners;
  let server: TallybookServer;

  /** A server with a reader whose listeners are counted. */
  function make(mapping = new MemoryMappingStore()): void {
    listeners = new Listeners();
    const reader = listeners.watch(
      new ScriptedIdSource(new ManualClock(), 'door'),
      'readings',
      'faults',
      'connections',
    );
    const container = containerOf({ reader: [] }, { idSources: [reader] });
    rebindParts(container, { mapping: mapping });
    server = container.get(serviceId('server'));
  }

  it('has no listeners on readers when it is closed', async () => {
    make();
    for (let round = 0; round < 2; round++) {
      await server.open();
      expect(listeners.count).to.be.greaterThan(2);
      await server.close();
      expect(listeners.count).to.equal(0);
    }
  });

  it('has no listeners on readers when it could not be opened', async () => {
    class MissingMappingStore extends MemoryMappingStore {
      override open(): Promise<void> {
        return Promise.reject(new TallybookError('STORE_UNAVAILABLE', 'no disk'));
      }
    }
    make(new MissingMappingStore());
    await failureOf(server.open(), 'STORE_UNAVAILABLE');
    expect(listeners.count).to.equal(0);
  });
});

describe('The trial of a reader', () => {
  it('closes the reader, and leaves no listener on it or on the signal', async () => {
    const listeners = new Listeners();
    const scripted = new ScriptedIdSource(new ManualClock(), 'door');
    const reader = Object.assign(scripted, { raws: new Emitter<string>(), receivedBytes: new Emitter() });
    listeners.watch(reader, 'readings', 'faults', 'connections', 'raws');
    const { signal } = new AbortController();
    const trial = tryReader(reader as never, () => undefined, signal);
    while (scripted.connection !== 'connected') await new Promise(setImmediate);
    expect(listeners.count).to.be.greaterThan(3);
    expect(getEventListeners(signal, 'abort')).to.have.length(1);
    scripted.present('04A2B3C4D5');
    expect(await trial).to.include({ id: '04A2B3C4D5' });
    expect(scripted.status).to.equal('closed');
    expect(listeners.count).to.equal(0);
    expect(getEventListeners(signal, 'abort')).to.have.length(0);
  });
});

describe('The progress of a command', () => {
  it('is shown every second until the work is done', async () => {
    using timers = new RecordedTimers();
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
    const progress = new ProgressLine(stream as unknown as NodeJS.WriteStream);
    for (const settle of [() => 'done', () => Promise.reject(new Error('failed'))]) {
      let finish: (value: unknown) => void = () => undefined;
      const work = new Promise((resolve) => (finish = resolve)).then(settle);
      const shown = progress.during('reading', work).catch((error: unknown) => error);
      expect(timers.pending).to.deep.equal([1_000]);
      finish(undefined);
      await shown;
      expect(timers.pending).to.deep.equal([]);
    }
    expect(written.join('')).to.match(/reading \(0 s\)/);
  });
});
