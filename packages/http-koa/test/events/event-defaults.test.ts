import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parseTallyId, toDay, toTimestamp, type AttendanceEvent, type Subscribable } from '@tallybook/domain';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { EventFeed } from '../../src/index.js';
import { FeedParts } from '../fixtures/feed-parts.js';
import { LocalServer } from '../fixtures/local-server.js';

const reference = readFileSync(new URL('../../../../docs/reference/http-api.md', import.meta.url), 'utf8');

/** A number in the reference. */
function documented(pattern: RegExp): number {
  const [, number = ''] = pattern.exec(reference.replaceAll('\n  ', ' ')) ?? [];
  if (number === '') throw new Error(`the reference does not say ${String(pattern)}`);
  return Number(number.replaceAll(',', ''));
}

const keepAliveMs = documented(/comment line comes every (\d+) seconds/) * 1_000;
const retryMs = documented(/asks clients to wait (\d+) seconds/) * 1_000;
const maxBufferedBytes = documented(/when more than (\d+) KiB wait for it/) * 1_024;
const stallMs = documented(/takes nothing for (\d+) seconds/) * 1_000;

const scan: AttendanceEvent = {
  kind: 'scan',
  scan: { id: parseTallyId('04A2B3C4D5'), reader: 'door', at: toTimestamp(0), day: toDay(0) },
};

/** A feed on its own server, without events. */
class ServedFeed implements AsyncDisposable {
  readonly parts = new FeedParts();
  readonly feed: EventFeed = new EventFeed(this.parts);
  readonly responses: ServerResponse[] = [];
  readonly #server = new LocalServer((_, response) => {
    this.responses.push(response);
    this.feed.subscribe(response, '');
  });

  static async start(): Promise<ServedFeed> {
    const served = new ServedFeed();
    await served.parts.open();
    await served.feed.open();
    await served.#server.listen();
    return served;
  }

  async connect(): Promise<IncomingMessage> {
    const asking = get(this.#server.url, { agent: false });
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return response.on('error', () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.feed.close();
  }
}

describe('EventFeed with default options', () => {
  it(`sends a comment every ${keepAliveMs} ms until it is closed`, async () => {
    using timers = new RecordedTimers();
    const feed = new EventFeed(await new FeedParts().open());
    await feed.open();
    expect(timers.delays).to.deep.equal([keepAliveMs]);
    expect(timers.pending).to.deep.equal([keepAliveMs]);
    await feed.close();
    expect(timers.pending).to.deep.equal([]);
  });

  it(`sends the comment when ${keepAliveMs} ms have passed, and asks for ${retryMs} ms before another try`, async () => {
    using timers = new RecordedTimers();
    await using served = await ServedFeed.start();
    const response = (await served.connect()).setEncoding('latin1');
    timers.expire(keepAliveMs);
    let received = '';
    while (!received.includes('keep-alive')) received += String(await once(response, 'data'));
    expect(received).to.match(new RegExp(`^retry: ${retryMs}\\nid: [0-9a-f]{16}-0\\n\\n: keep-alive\\n\\n$`));
  });

  it(`cuts a client that takes nothing for ${stallMs} ms`, async () => {
    await using served = await ServedFeed.start();
    await served.connect();
    expect(served.responses[0]?.socket?.timeout).to.equal(stallMs);
  });

  it(`cuts a client if more than ${maxBufferedBytes} bytes wait for it, but not if exactly as many wait`, async () => {
    const parts = await new FeedParts().open();
    const feed = new EventFeed(parts);
    await feed.open();
    // Without a connection all bytes wait.
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    feed.subscribe(response, '');
    let waiting = 0;
    for (let n = 0; n < maxBufferedBytes && feed.subscriberCount === 1; n++) {
      waiting = response.writableLength;
      parts.attendance.events.emit(scan);
      await new Promise<void>((resolve) => process.nextTick(resolve));
    }
    expect(feed.subscriberCount).to.equal(0);
    expect(waiting).to.be.within(maxBufferedBytes - 100, maxBufferedBytes);
    await feed.close();
  });
});

describe('EventFeed', () => {
  it('has no listeners when it is closed', async () => {
    let listeners = 0;
    const events: Subscribable<AttendanceEvent> = {
      subscribe: () => {
        listeners++;
        return { unsubscribe: () => void listeners-- };
      },
    };
    const { names, journal, clock } = await new FeedParts().open();
    const appointments = watchAppointments(clock);
    const feed = new EventFeed({ attendance: { events }, names, journal, clock });
    const read = journal.read.bind(journal);
    let reads = 0;
    journal.read = (...args) => {
      reads++;
      return read(...args);
    };
    for (let round = 0; round < 2; round++) {
      await feed.open();
      expect(listeners).to.equal(1);
      await feed.close();
      expect(listeners).to.equal(0);
      expect(appointments.waiting).to.deep.equal([]);
      reads = 0;
      journal.append({ kind: 'repaired' });
      await new Promise(setImmediate);
      expect(reads).to.equal(0);
    }
  });

  it('waits two seconds at its closing for clients that do not read, then cuts them', async () => {
    using timers = new RecordedTimers();
    const served = await ServedFeed.start();
    await served.connect();
    const [response] = served.responses;
    // Now the response does not end by itself.
    if (response !== undefined) response.end = () => response;
    const closed = served.feed.close();
    while (!timers.pending.includes(2_000)) await new Promise(setImmediate);
    expect(response?.destroyed).to.equal(false);
    timers.expire(2_000);
    await closed;
    expect(response?.destroyed).to.equal(true);
    await served[Symbol.asyncDispose]();
  });

  it('leaves no timer when it is closed and all have left', async () => {
    using timers = new RecordedTimers();
    const served = await ServedFeed.start();
    const client = await served.connect();
    client.resume();
    await served.feed.close();
    expect(timers.delays).to.include(2_000);
    expect(timers.pending).to.deep.equal([]);
    await served[Symbol.asyncDispose]();
  });
});
