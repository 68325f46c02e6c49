import { setImmediate as endOfTurn } from 'node:timers/promises';
import { JournalConsumer, parseTallyId, type Cursor, type JournalEntry } from '@tallybook/domain';
import type { JournalConsumerOptions } from '../../src/journal/journal-consumer.js';
import { ManualClock, MemoryJournal, noChanges } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { Deferred } from '../fixtures/deferred.js';

const change = { kind: 'name', id: parseTallyId('010203'), action: 'added' } as const;

describe('JournalConsumer', () => {
  let changes = noChanges();
  let journal = new MemoryJournal(changes);
  let clock = new ManualClock();
  /** The cursors of each call, in order. */
  let handled: (readonly Cursor[])[] = [];
  let resets: unknown[] = [];
  let faults: unknown[] = [];
  let consumer: JournalConsumer | undefined;

  beforeEach(async () => {
    changes = noChanges();
    journal = new MemoryJournal(changes, { limit: 1_000 });
    clock = new ManualClock();
    [handled, resets, faults] = [[], [], []];
    await journal.open();
  });

  afterEach(async () => {
    await consumer?.close();
    await journal.close();
  });

  const note = (entries: readonly JournalEntry[]): Promise<Cursor> => {
    handled.push(entries.map(({ cursor }) => cursor));
    return Promise.resolve(entries.at(-1)?.cursor ?? 0);
  };

  async function open(options: Partial<JournalConsumerOptions> = {}): Promise<JournalConsumer> {
    const made = new JournalConsumer({
      journal,
      clock,
      handle: note,
      onReset: (reason, latest) => {
        resets.push([reason, latest]);
        return Promise.resolve();
      },
      onFault: (error) => faults.push(error),
      ...options,
    });
    consumer = made;
    await made.open();
    await endOfTurn();
    return made;
  }

  async function append(count: number): Promise<void> {
    for (let n = 0; n < count; n++) journal.append(change);
    await endOfTurn();
  }

  /** Lets time pass, and waits for the work that was due. */
  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await endOfTurn();
  }

  it('checks every ten seconds without a hint, with a timer that holds no program and goes when it is closed', async () => {
    const appointments = watchAppointments(clock);
    const made = await open();
    expect(appointments.asked).to.deep.equal([[10_000, { holdsProgram: false }]]);
    await made.close();
    expect(appointments.waiting).to.deep.equal([]);
  });

  it('reads no change before its preparation is done, and tries that again like a failed change', async () => {
    let isReady = false;
    const asked: number[] = [];
    await open({
      prepare: () => Promise.resolve(isReady),
      retryDelayMs: (attempt) => {
        asked.push(attempt);
        return 7;
      },
    });
    await append(1);
    await pass(7);
    expect([handled, asked]).to.deep.equal([[], [1, 2]]);
    isReady = true;
    await pass(7);
    expect(handled).to.deep.equal([[1]]);
  });

  it('listens to the journal until it is closed', async () => {
    let listeners = 0;
    const subscribe = journal.appended.subscribe.bind(journal.appended);
    journal.appended.subscribe = (next) => {
      listeners++;
      const subscription = subscribe(next);
      return {
        unsubscribe: () => {
          listeners--;
          subscription.unsubscribe();
        },
      };
    };
    const made = await open();
    expect(listeners).to.equal(1);
    await made.close();
    expect(listeners).to.equal(0);
  });

  it('delivers changes that come after its opening', async () => {
    await append(3);
    const { position } = await open();
    expect(position).to.equal(3);
    await append(2);
    expect(handled.flat()).to.deep.equal([4, 5]);
    expect(consumer?.position).to.equal(5);
  });

  it('delivers a limited number at a time, one call after another', async () => {
    const { promise, resolve } = new Deferred<undefined>();
    await open({
      batchSize: 2,
      handle: async (entries) => {
        const last = await note(entries);
        await promise;
        return last;
      },
    });
    await append(5);
    expect(handled).to.deep.equal([[1]]);
    resolve(undefined);
    await endOfTurn();
    expect(handled).to.deep.equal([[1], [2, 3], [4, 5]]);
  });

  it('continues at the position of the former consumer of its name', async () => {
    await open({ name: 'mqtt' });
    await append(2);
    await consumer?.close();
    await append(2);
    await open({ name: 'mqtt' });
    await consumer?.close();
    await open({ name: 'other' });
    expect(handled.flat()).to.deep.equal([1, 2, 3, 4]);
  });

  it('begins with new changes at each opening if it has no name', async () => {
    const made = await open();
    await made.close();
    await append(2);
    await made.open();
    await append(1);
    expect(handled).to.deep.equal([[3]]);
  });

  it('has its position in the journal from its first opening on', async () => {
    await append(2);
    await open({ name: 'mqtt' });
    expect(await journal.position('mqtt')).to.equal(2);
  });

  it('notes changes as handled only afterwards', async () => {
    const { promise, resolve } = new Deferred<undefined>();
    await open({ name: 'mqtt', handle: (entries) => promise.then(() => note(entries)) });
    await append(1);
    expect(await journal.position('mqtt')).to.equal(0);
    resolve(undefined);
    await endOfTurn();
    expect(await journal.position('mqtt')).to.equal(1);
  });

  it('delivers unhandled changes again after a while', async () => {
    await open({
      name: 'mqtt',
      handle: async (entries) => {
        await note(entries);
        return entries[0]?.cursor ?? 0;
      },
    });
    journal.append(change, change, change);
    await endOfTurn();
    expect(handled).to.deep.equal([[1, 2, 3]]);
    expect(await journal.position('mqtt')).to.equal(1);
    await pass(999);
    expect(handled).to.have.lengthOf(1);
    await pass(1);
    expect(handled).to.deep.equal([
      [1, 2, 3],
      [2, 3],
    ]);
  });

  describe('when handling fails', () => {
    const failure = new Error('nobody answers');
    const fail = async (entries: readonly JournalEntry[]): Promise<Cursor> => {
      await note(entries);
      throw failure;
    };

    it('reports it, and tries again after 1, 2, 4 seconds, up to a minute', async () => {
      await open({ handle: fail });
      await append(1);
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
        const before = handled.length;
        await pass(seconds * 1_000 - 1);
        expect(handled).to.have.lengthOf(before);
        await pass(1);
        expect(handled).to.have.lengthOf(before + 1);
      }
      expect(faults).to.deep.equal(Array(handled.length).fill(failure));
      expect(handled.flat()).to.deep.equal(Array(handled.length).fill(1));
    });

    it('does not try earlier because of new changes', async () => {
      await open({ handle: fail });
      await append(5);
      expect(handled).to.deep.equal([[1]]);
      await pass(1_000);
      expect(handled).to.deep.equal([[1], [1, 2, 3, 4, 5]]);
    });

    it('tries at once when it is woken', async () => {
      await open({ handle: fail });
      await append(1);
      consumer?.wake();
      await endOfTurn();
      expect(handled).to.deep.equal([[1], [1]]);
    });

    it('waits for one second again after a success', async () => {
      let isWell = false;
      await open({ handle: (entries) => (isWell ? note(entries) : fail(entries)) });
      await append(1);
      await pass(1_000);
      isWell = true;
      await pass(2_000);
      isWell = false;
      await append(1);
      await pass(1_000);
      expect(handled).to.deep.equal([[1], [1], [1], [2], [2]]);
    });
  });

  it('checks by itself every ten seconds, because hints may be missing', async () => {
    await open();
    changes.entries.push({ cursor: ++changes.latest, change });
    await pass(9_999);
    expect(handled).to.be.empty;
    await pass(1);
    expect(handled).to.deep.equal([[1]]);
  });

  it('checks by itself at the given interval', async () => {
    await open({ pollMs: 5 });
    changes.entries.push({ cursor: ++changes.latest, change });
    await pass(5);
    expect(handled).to.deep.equal([[1]]);
  });

  it('reports an unreadable journal, and tries again', async () => {
    await open();
    await journal.close();
    consumer?.wake();
    await endOfTurn();
    expect(faults).to.have.lengthOf(1);
    await journal.open();
    await append(1);
    await pass(1_000);
    expect(handled).to.deep.equal([[1]]);
  });

  it('reads a journal that was away as soon as it has new changes, however long the wait is by then', async () => {
    await open();
    await journal.close();
    for (let attempt = 1; attempt <= 4; attempt++) {
      consumer?.wake();
      await endOfTurn();
    }
    expect(faults).to.have.lengthOf(4);
    await journal.open();
    await append(1);
    expect(handled).to.deep.equal([[1]]);
  });

  it('continues where the journal says, if it has seen changes that are lost', async () => {
    const lost = { isKnown: false, reason: 'ahead', next: 1 } as const;
    await journal.advance('mqtt', 0);
    await append(2);
    const read = journal.read.bind(journal);
    let isFirst = true;
    journal.read = (after, limit) => {
      const page = isFirst ? Promise.resolve(lost) : read(after, limit);
      isFirst = false;
      return page;
    };
    await open({ name: 'mqtt' });
    expect(resets).to.deep.equal([['ahead', 1]]);
    expect(handled).to.deep.equal([[2]]);
  });

  it('begins with the record when changes are missing, and continues after it', async () => {
    await open({ name: 'mqtt' });
    await consumer?.close();
    await append(3_000);
    await open({ name: 'mqtt' });
    expect(resets).to.deep.equal([['too-old', 3_000]]);
    expect(await journal.position('mqtt')).to.equal(3_000);
    await append(1);
    expect(handled).to.deep.equal([[3_001]]);
  });

  it('begins with the record when the journal ends before its position', async () => {
    await journal.advance('mqtt', 7);
    await append(1);
    await open({ name: 'mqtt' });
    expect(resets).to.deep.equal([['ahead', 1]]);
    expect(await journal.position('mqtt')).to.equal(1);
  });

  it('begins with the record again, after a while, if that failed', async () => {
    await journal.advance('mqtt', 7);
    await open({
      name: 'mqtt',
      onReset: (reason) => {
        resets.push(reason);
        return resets.length === 1 ? Promise.reject(new Error('not now')) : Promise.resolve();
      },
    });
    expect(resets).to.deep.equal(['ahead']);
    await pass(1_000);
    expect(resets).to.deep.equal(['ahead', 'ahead']);
    expect(consumer?.position).to.equal(0);
  });

  it('closes when its handler is done, and handles nothing afterwards', async () => {
    const { promise, resolve } = new Deferred<undefined>();
    await open({ name: 'mqtt', handle: (entries) => promise.then(() => note(entries)) });
    await append(1);
    let isClosed = false;
    const closing = consumer?.close().then(() => (isClosed = true));
    await append(2);
    expect(isClosed).to.equal(false);
    resolve(undefined);
    await closing;
    await pass(60_000);
    expect(handled).to.deep.equal([[1]]);
    expect(await journal.position('mqtt')).to.equal(1);
  });
});
