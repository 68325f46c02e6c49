import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Emitter, isTallybookError, TallybookError, type AttendanceEvent } from '@tallybook/domain';
import { expect } from 'chai';
import { EventFeed } from '../../src/index.js';
import { FeedParts, large } from '../fixtures/feed-parts.js';
import { RunningService, useService } from '../fixtures/running-service.js';
import { StreamClient } from '../fixtures/stream-client.js';

const ada = '04A2B3C4D5';

describe('the number of subscribers', () => {
  it('is limited: one more gets 500, which is reported', async () => {
    await using service = await RunningService.start({ events: { maxSubscribers: 2 } });
    const clients = await Promise.all([StreamClient.connect(service), StreamClient.connect(service)]);
    const { status, text } = await service.request('/api/idevent?x=1');
    expect([status, text]).to.deep.equal([500, 'Internal server error']);
    const [report] = service.reports;
    expect(service.reports).to.have.length(1);
    expect(isTallybookError(report?.error, 'TOO_MANY_SUBSCRIBERS')).to.equal(true);
    expect(report?.request).to.deep.equal({ method: 'GET', path: '/api/idevent' });
    await service.tap(ada);
    for (const client of clients) await client.receive(2);
  });

  it('is 1,000 unless it is set', async () => {
    const feed = new EventFeed(await new FeedParts().open());
    await feed.open();
    const requests: IncomingMessage[] = [];
    const subscribe = (): void => {
      const request = new IncomingMessage(new Socket());
      requests.push(request);
      feed.subscribe(new ServerResponse(request), '');
    };
    for (let n = 0; n < 1_000; n++) subscribe();
    expect(subscribe).to.throw(TallybookError, 'all 1000 event streams are in use');
    expect(feed.subscriberCount).to.equal(1_000);
    const closed = feed.close();
    for (const request of requests) request.destroy();
    await closed;
    expect(feed.subscriberCount).to.equal(0);
  });

  it('decreases when a client leaves in any way, and its place is free', async () => {
    await using service = await RunningService.start({ events: { maxSubscribers: 1 } });
    const request = 'GET /api/idevent HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const leave of ['destroy', 'end', 'resetAndDestroy'] as const) {
      const socket = service.connect();
      socket.write(request);
      await once(socket, 'data');
      await service.subscribers(1);
      socket[leave]();
      await service.subscribers(0);
    }
    const client = await StreamClient.connect(service);
    await service.tap(ada);
    await client.receive(2);
    expect(service.reports).to.deep.equal([]);
  });

  it('decreases by all streams of a connection that ends, also those that wait for their turn', async () => {
    await using service = await RunningService.start();
    const socket = service.connect();
    socket.write('GET /api/idevent HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20));
    await service.subscribers(20);
    await service.tap(ada);
    socket.destroy();
    await service.subscribers(0);
  });

  it('does not count HEAD, or a client that has left', async () => {
    await using service = await RunningService.start();
    expect((await service.request('/api/idevent', { method: 'HEAD' })).status).to.equal(200);
    const request = new IncomingMessage(new Socket());
    request.destroy();
    service.events.subscribe(new ServerResponse(request), '');
    expect(service.events.subscriberCount).to.equal(0);
  });
});

describe('a subscriber that does not read', () => {
  it('is cut off, while the others get all events', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await RunningService.start({
      source: events,
      events: { maxBufferedBytes: 100_000 },
    });
    const reader = await StreamClient.connect(service);
    const sleeper = service.connect();
    sleeper.write('GET /api/idevent HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await service.subscribers(2);
    sleeper.pause();
    let sent = 0;
    while (service.events.subscriberCount === 2) {
      events.emit(large);
      sent++;
      await reader.receive(sent);
    }
    expect(service.events.subscriberCount).to.equal(1);
    for (let n = 0; n < 5; n++) events.emit(large);
    expect(await reader.receive(sent + 5)).to.have.length(sent + 5);
    sleeper.resume();
    await once(sleeper, 'close');
    expect(service.reports).to.deep.equal([]);
  });
});

describe('a subscriber that has taken nothing for two keep-alives', () => {
  /** A socket that takes all bytes at once. */
  class QuickSocket extends Socket {
    override _writev(_chunks: unknown, done: () => void): void {
      done();
    }
    override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
      done();
    }
  }

  for (const [what, waits] of [
    ['is cut off when something waits for it', true],
    ['stays when nothing waits for it: the service has stood still', false],
  ] as const) {
    it(what, async () => {
      const feed = new EventFeed(await new FeedParts().open());
      await feed.open();
      const socket = new QuickSocket();
      const response = new ServerResponse(new IncomingMessage(socket));
      if (!waits) response.assignSocket(socket);
      feed.subscribe(response, '');
      // The response hands its bytes over at the end of the turn.
      await new Promise(setImmediate);
      expect(response.writableLength > 0).to.equal(waits);
      // As the server does it. Without a listener the server would cut the connection.
      expect(response.emit('timeout', socket)).to.equal(true);
      expect(response.destroyed).to.equal(waits);
      const closed = feed.close();
      response.req.destroy();
      await closed;
    });
  }
});

describe('a feed that is not open', () => {
  const service = useService();

  it('refuses streams with 500, which is reported', async () => {
    await service.events.close();
    const { status, text } = await service.request('/api/idevent');
    expect([status, text]).to.deep.equal([500, 'Internal server error']);
    expect(isTallybookError(service.reports[0]?.error, 'NOT_OPEN')).to.equal(true);
  });

  it('has ended its streams cleanly', async () => {
    const client = await StreamClient.connect(service);
    await service.tap(ada);
    await client.receive(2);
    await service.events.close();
    await client.closed;
    expect(client.response.complete).to.equal(true);
    expect(service.events.subscriberCount).to.equal(0);
    await service.tap(ada);
  });

  it('accepts streams again when it is opened again', async () => {
    await service.events.close();
    await service.events.open();
    const client = await StreamClient.connect(service);
    await service.tap(ada);
    expect(await client.receive(2)).to.have.length(2);
  });
});
