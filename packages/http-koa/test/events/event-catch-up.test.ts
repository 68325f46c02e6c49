import {
  parseCarriedKey,
  parseTallyId,
  toDay,
  toTimestamp,
  type Change,
  type Cursor,
  type JournalPage,
} from '@tallybook/domain';
import { MemoryJournal } from '@tallybook/testing';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { EventFeed, type EventFeedOptions } from '../../src/index.js';
import { FakeSubscriber } from '../fixtures/fake-subscriber.js';
import { FeedParts } from '../fixtures/feed-parts.js';

const id = parseTallyId('04A2B3C4D5');
const scan: Change = {
  kind: 'scan',
  day: toDay(20_413),
  id,
  at: toTimestamp(1_763_700_000),
  reader: 'door',
  outcome: 'counted',
};

/** Counts reads, and fails or waits when the test says so. */
class ObservedJournal extends MemoryJournal {
  reads = 0;
  failure: Error | undefined;
  /** If set, new reads wait for it. */
  held: Promise<void> | undefined;

  override async read(after: Cursor, limit: number): Promise<JournalPage> {
    this.reads++;
    const { failure, held } = this;
    if (failure !== undefined) throw failure;
    const page = await super.read(after, limit);
    await held;
    return page;
  }
}

/** A feed of a journal with a number of changes. */
class Trial implements AsyncDisposable {
  readonly journal = new ObservedJournal();
  readonly parts = new FeedParts(this.journal);
  readonly feed: EventFeed;
  readonly subscribers: FakeSubscriber[] = [];
  #origin = '';

  private constructor(options: EventFeedOptions) {
    this.feed = new EventFeed(this.parts, options);
  }

  static async start(changes: number, options: EventFeedOptions = {}): Promise<Trial> {
    const trial = new Trial(options);
    trial.append(changes);
    await trial.parts.open();
    trial.#origin = await trial.journal.origin();
    await trial.feed.open();
    await trial.settled();
    trial.journal.reads = 0;
    return trial;
  }

  append(count: number): void {
    for (let n = 0; n < count; n++) this.journal.append(scan);
  }

  idOf(cursor: number): string {
    return `${this.#origin}-${cursor}`;
  }

  /** Ids of the events after one cursor, up to another. */
  idsBetween(after: number, last: number): string[] {
    return Array.from({ length: last - after }, (_, index) => this.idOf(after + 1 + index));
  }

  subscribe(lastEventId: string, options?: { readonly isReading?: boolean }): FakeSubscriber {
    const subscriber = new FakeSubscriber(this.feed, lastEventId, options);
    this.subscribers.push(subscriber);
    return subscriber;
  }

  /** A client that has got what it gets at once. */
  async subscribed(...options: Parameters<Trial['subscribe']>): Promise<FakeSubscriber> {
    const subscriber = this.subscribe(...options);
    await this.settled();
    return subscriber;
  }

  /** Resolves when nothing happens any more. Everything is in memory here. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscriber of this.subscribers) subscriber.leave();
    await this.feed.close();
  }
}

describe('A client that catches up', () => {
  it('gets one page at a time, at its reading speed', async () => {
    await using trial = await Trial.start(5_000);
    const client = await trial.subscribed(trial.idOf(0), { isReading: false });
    expect(trial.journal.reads).to.equal(1);
    expect(client.response.writableLength).to.be.within(10_000, 100_000);
    client.read();
    await trial.settled();
    expect(client.changes).to.deep.equal(trial.idsBetween(0, 5_000));
  });

  it('is cut off because of new events meanwhile, not because of its page', async () => {
    await using trial = await Trial.start(1_000, { maxBufferedBytes: 1_000 });
    const client = await trial.subscribed(trial.idOf(0), { isReading: false });
    const tap = (): void =>
      trial.parts.attendance.events.emit({
        kind: 'scan',
        scan: { id, reader: 'door', at: toTimestamp(0), day: toDay(0) },
      });
    tap();
    await trial.settled();
    expect(trial.feed.subscriberCount).to.equal(1);
    for (let n = 0; n < 40; n++) tap();
    await trial.settled();
    expect(trial.feed.subscriberCount).to.equal(0);
    expect(client.response.destroyed).to.equal(true);
  });

  it('goes on after rows and changes that only a later version knows', async () => {
    await using trial = await Trial.start(1);
    const client = await trial.subscribed(trial.idOf(0));
    for (const row of [{ row: parseCarriedKey('occasion 1') }, {}])
      trial.journal.append({ kind: 'carried', ...row });
    await trial.settled();
    trial.append(1);
    await trial.settled();
    const late = await trial.subscribed(trial.idOf(0));
    for (const each of [client, late]) expect(each.changes).to.deep.equal([trial.idOf(1), trial.idOf(4)]);
  });

  it('shares the pages with all clients that come at the same time', async () => {
    await using trial = await Trial.start(600);
    const clients = Array.from({ length: 500 }, (_, n) => trial.subscribe(trial.idOf(n % 5)));
    await trial.settled();
    // The first page of each of the five, and two pages for all.
    expect(trial.journal.reads).to.equal(7);
    for (const [n, client] of clients.entries()) {
      expect(client.changes).to.deep.equal(trial.idsBetween(n % 5, 600));
    }
  });

  it('keeps no pages behind', async () => {
    await using trial = await Trial.start(100);
    for (const reads of [1, 2]) {
      await trial.subscribed(trial.idOf(0));
      expect(trial.journal.reads).to.equal(reads);
    }
  });

  it('waits for this server if it got more changes from another one, and then gets the next ones', async () => {
    await using trial = await Trial.start(3);
    trial.journal.failure = new Error('not now');
    trial.append(2);
    await trial.settled();
    trial.journal.failure = undefined;
    const ahead = trial.subscribe(trial.idOf(4));
    const beside = await trial.subscribed(trial.idOf(5));
    trial.append(1);
    await trial.settled();
    expect(ahead.changes).to.deep.equal([trial.idOf(5), trial.idOf(6)]);
    expect(beside.changes).to.deep.equal([trial.idOf(6)]);
  });

  for (const [what, last] of [
    ['as far as the other one', 5],
    ['further than the other one', 6],
  ] as const) {
    it(`gets the next changes if this server comes ${what} while its page is read`, async () => {
      await using trial = await Trial.start(3);
      trial.journal.failure = new Error('not now');
      trial.append(2);
      await trial.settled();
      trial.journal.failure = undefined;
      let release: () => void = () => undefined;
      trial.journal.held = new Promise((resolve) => (release = resolve));
      const client = trial.subscribe(trial.idOf(5));
      trial.journal.held = undefined;
      trial.append(last - 5);
      // A new subscriber makes this server read its journal.
      const other = await trial.subscribed(trial.idOf(last));
      release();
      await trial.settled();
      trial.append(1);
      await trial.settled();
      expect(client.changes).to.deep.equal(trial.idsBetween(5, last + 1));
      expect(other.changes).to.deep.equal(trial.idsBetween(last, last + 1));
    });
  }

  it('does not delay the end of a feed that waits for its journal', async () => {
    await using trial = await Trial.start(3);
    trial.journal.failure = new Error('not now');
    trial.append(1);
    await trial.settled();
    trial.journal.read = () => Promise.resolve({ isKnown: true, entries: [] });
    const ahead = await trial.subscribed(trial.idOf(4));
    const closing = trial.feed.close();
    await trial.settled();
    expect(ahead.response.writableEnded).to.equal(true);
    ahead.leave();
    await closing;
  });

  it('is cut off if the journal cannot be read, and this is reported', async () => {
    await using trial = await Trial.start(3);
    trial.journal.failure = new Error('the disk is gone');
    const client = await trial.subscribed(trial.idOf(0));
    expect(client.response.destroyed).to.equal(true);
    expect(trial.parts.faults).to.deep.equal([trial.journal.failure]);
    trial.journal.failure = undefined;
    const again = await trial.subscribed(trial.idOf(0));
    expect(again.changes).to.deep.equal(trial.idsBetween(0, 3));
  });

  it('gets the present names, also if they changed while others caught up', async () => {
    await using trial = await Trial.start(1);
    const slow = await trial.subscribed(trial.idOf(0), { isReading: false });
    await trial.parts.mapping.put(id, { first: 'Ada', last: '' });
    trial.journal.append({ kind: 'name', id, action: 'added' });
    await trial.settled();
    const client = await trial.subscribed(trial.idOf(0));
    expect(client.text).to.include('"first":"Ada"');
    expect(slow.text).to.not.include('"first":"Ada"');
  });
});

describe('A client that comes and goes', () => {
  interface Step {
    readonly kind: 'append' | 'come' | 'leave' | 'wait';
    readonly amount: number;
  }
  const [STEPS_MOST, AMOUNT_MOST] = [30, 300];
  const EVENTS_MOST = STEPS_MOST * AMOUNT_MOST;
  /** More than one event takes. */
  const EVENT_BYTES = 1_000;
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom('append', 'append', 'come', 'leave', 'wait'),
      amount: fc.integer({ min: 1, max: AMOUNT_MOST }),
    }),
    { maxLength: STEPS_MOST },
  );

  it('gets each change once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        // Clients cannot read within a turn of the event loop, so a low limit would cut them all.
        await using trial = await Trial.start(0, { maxBufferedBytes: EVENTS_MOST * EVENT_BYTES });
        let client: FakeSubscriber | undefined = trial.subscribe(trial.idOf(0));
        let lastEventId = trial.idOf(0);
        let appended = 0;
        const told: string[] = [];
        const leave = (): void => {
          if (client === undefined) return;
          told.push(...client.changes);
          lastEventId = client.changes.at(-1) ?? lastEventId;
          client.leave();
          client = undefined;
        };
        for (const { kind, amount } of all) {
          if (kind === 'append') {
            trial.append(amount);
            appended += amount;
          } else if (kind === 'wait') {
            for (let turn = 0; turn < amount % 7; turn++) await new Promise(setImmediate);
          } else {
            leave();
            if (kind === 'come') client = trial.subscribe(lastEventId);
          }
        }
        leave();
        client = await trial.subscribed(lastEventId);
        leave();
        expect(told).to.deep.equal(trial.idsBetween(0, appended));
      }),
    );
  });
});
