import { once } from 'node:events';
import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { Emitter, type AttendanceEvent } from '@tallybook/domain';
import { expect } from 'chai';
import type { EventFeedOptions } from '../../src/index.js';
import { large } from '../fixtures/feed-parts.js';
import { collectGarbage } from '../fixtures/measure-buffers.js';
import { LocalServer } from '../fixtures/local-server.js';
import { RunningService, useService } from '../fixtures/running-service.js';

const ada = '04A2B3C4D5';
const ask = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
const askForEvents = ask('/api/idevent');

/** Objects that a server has made for its clients, and that still exist. */
class Watched {
  readonly responses: WeakRef<ServerResponse>[] = [];
  readonly sockets: WeakRef<Socket>[] = [];

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.sockets.push(new WeakRef(socket)));
    server.on('request', (_, response) => this.responses.push(new WeakRef(response)));
  }

  /** Resolves when a number of them are collected. */
  async collected(kind: 'responses' | 'sockets', count: number): Promise<void> {
    const gone = (): number => this[kind].filter((ref) => ref.deref() === undefined).length;
    while (gone() < count) {
      // A dereferenced `WeakRef` keeps its object until the end of the turn.
      await new Promise(setImmediate);
      collectGarbage();
    }
  }
}

/** Another server with the application of a service, so that a test sees its objects. */
function listen(service: RunningService): Promise<LocalServer> {
  return new LocalServer(service.app.callback()).listen();
}

/** A service that cuts no client because of what waits for it. */
function patient(source: Emitter<AttendanceEvent>, options?: EventFeedOptions): Promise<RunningService> {
  return RunningService.start({ source, events: { maxBufferedBytes: 1_073_741_824, ...options } });
}

/** A client that records everything it reads. */
class RawClient {
  readonly socket: Socket;
  text = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.socket.on('data', (chunk: string) => (this.text += chunk)).on('error', () => undefined);
  }

  /** A client that takes nothing after the begin of its event stream. */
  static async asleep(port: number): Promise<RawClient> {
    const client = new RawClient(port);
    client.socket.write(askForEvents);
    await client.reads(/retry/);
    client.socket.pause();
    return client;
  }

  /** Resolves when the text so far matches. */
  async reads(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) await once(this.socket, 'data');
  }
}

describe('the connection of an event stream', () => {
  const service = useService();

  it('leaves nothing behind, for any number of clients that come and go', async () => {
    const server = await listen(service);
    const watched = new Watched(server.server);
    for (let round = 0; round < 10; round++) {
      const clients = Array.from({ length: 60 }, () => new RawClient(server.port));
      for (const { socket } of clients) socket.write(askForEvents);
      await service.subscribers(60);
      await Promise.all(clients.map((client) => client.reads(/retry/)));
      for (const [index, { socket }] of clients.entries()) {
        const leave = (['destroy', 'end', 'resetAndDestroy'] as const)[index % 3] ?? 'destroy';
        socket[leave]();
      }
      await service.subscribers(0);
    }
    await server.close();
    await watched.collected('responses', 600);
    await watched.collected('sockets', 600);
  });

  it('may have had other answers before, also in the same packet', async () => {
    const server = await listen(service);
    const kept = new RawClient(server.port);
    kept.socket.write(ask('/api/mapping'));
    await kept.reads(/\r\n\r\n/);
    kept.socket.write(askForEvents);
    const together = new RawClient(server.port);
    together.socket.write(ask('/api/mapping') + askForEvents);
    await service.subscribers(2);
    await service.tap(ada);
    for (const client of [kept, together]) {
      await client.reads(/event: attendance/);
      expect(client.text.match(/HTTP\/1\.1 200/g)).to.have.length(2);
    }
    await service.events.close();
    await server.close();
  });

  it('ends with the feed, also when the client keeps its side open', async () => {
    const server = await listen(service);
    const socket = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true }).resume();
    socket.write(askForEvents);
    await service.subscribers(1);
    await service.events.close();
    await server.close();
    socket.destroy();
  });

  it('carries only the stream, regardless of later data from the client', async () => {
    for (const bytes of [ask('/api/mapping'), `${ask('/api/mapping')}${askForEvents}`]) {
      for (const isTogether of [true, false]) {
        const client = new RawClient(service.port);
        client.socket.write(askForEvents + (isTogether ? bytes : ''));
        await client.reads(/retry/);
        if (!isTogether) client.socket.write(bytes);
        // A second scan in the same second changes nothing.
        service.clock.advance(1_000);
        await service.tap(ada);
        await client.reads(/event: attendance/);
        const ended = once(client.socket, 'close');
        await service.events.close();
        await ended;
        expect(client.text.match(/HTTP\/1\.1/g)).to.have.length(1);
        await service.events.open();
      }
    }
  });

  it('may bring a body after the stream has begun', async () => {
    const client = new RawClient(service.port);
    client.socket.write(ask('/api/idevent', 'Content-Length: 2\r\n'));
    await service.subscribers(1);
    client.socket.write(`ab${ask('/api/mapping')}`);
    await service.tap(ada);
    await client.reads(/event: attendance/);
    client.socket.destroy();
    await service.subscribers(0);
  });

  it('is cut when its client takes nothing for two keep-alives, even if little waits', async () => {
    const events = new Emitter<AttendanceEvent>();
    // One second, because on a busy machine a reading client may get the processor late.
    await using service = await patient(events, { keepAliveMs: 1_000 });
    const reading = new RawClient(service.port);
    reading.socket.write(askForEvents);
    const sleeping = await RawClient.asleep(service.port);
    // More than the buffers of the system hold.
    for (let n = 0; n < 2_000; n++) events.emit(large);
    await service.subscribers(1);
    // Searches each piece by itself: searching the whole text after each piece takes seconds.
    for (let keepAlives = 0; keepAlives < 2;) {
      const [piece] = (await once(reading.socket, 'data')) as [string];
      if (piece.includes(': keep-alive')) keepAlives++;
    }
    expect(service.events.subscriberCount).to.equal(1);
    sleeping.socket.destroy();
  });
});

describe('data that waits for a subscriber', () => {
  it('does not include earlier events', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await RunningService.start({ source: events });
    events.emit(large);
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    service.events.subscribe(response, '');
    const waiting = response.writableLength;
    await new Promise(setImmediate);
    expect(response.writableLength).to.equal(waiting);
  });

  it('is sent when the feed closes, to a client that reads it', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await patient(events);
    const client = await RawClient.asleep(service.port);
    for (let n = 0; n < 2_000; n++) events.emit(large);
    const ended = once(client.socket, 'end');
    const closed = service.events.close();
    client.socket.resume();
    await Promise.all([ended, closed]);
    expect(client.text.match(/event: failed/g)).to.have.length(2_000);
  });

  it('is dropped after two seconds when the feed closes, so that the server can close', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await patient(events);
    const server = await listen(service);
    const client = await RawClient.asleep(server.port);
    for (let n = 0; n < 2_000; n++) events.emit(large);
    const begin = performance.now();
    await service.events.close();
    expect(performance.now() - begin).to.be.greaterThan(1_990);
    await server.close();
    client.socket.destroy();
  });
});
