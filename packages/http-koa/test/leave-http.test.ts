import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Emitter, parseTallyId, toDay, toTimestamp, type AttendanceEvent } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService } from './running-service.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ada = '04A2B3C4D5';
const ask = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
const askForEvents = ask('/api/idevent');

/** An event that takes 10 KB on the stream. */
const large: AttendanceEvent = {
  kind: 'attendance',
  scan: { id: parseTallyId(ada), reader: 'x'.repeat(10_000), at: toTimestamp(0), day: toDay(0) },
  outcome: 'counted',
  name: undefined,
};

/** What a server has made for its clients, as far as it still exists. */
class Watched {
  readonly responses: WeakRef<ServerResponse>[] = [];
  readonly sockets: WeakRef<Socket>[] = [];

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.sockets.push(new WeakRef(socket)));
    server.on('request', (_, response) => this.responses.push(new WeakRef(response)));
  }

  /** Resolves when so many of them have gone. */
  async collected(kind: 'responses' | 'sockets', count: number): Promise<void> {
    const gone = (): number => this[kind].filter((ref) => ref.deref() === undefined).length;
    while (gone() < count) {
      // A reference that was looked at keeps its object until the end of the turn.
      await new Promise(setImmediate);
      collectGarbage();
    }
  }
}

/** Another server of the application of a service, so that a test can see what it makes. */
async function listen(service: RunningService): Promise<{ server: Server; port: number; watched: Watched }> {
  const server = createServer(service.app.callback());
  const watched = new Watched(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, watched };
}

/** A client that takes note of all that it reads. */
class RawClient {
  readonly socket: Socket;
  text = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.socket.on('data', (chunk: string) => (this.text += chunk)).on('error', () => undefined);
  }

  /** Resolves when it has read what matches. */
  async reads(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) await once(this.socket, 'data');
  }
}

describe('a connection that has nothing but an event stream', () => {
  it('keeps neither request nor response, and gets the events', async () => {
    await using service = await RunningService.start();
    const { server, port, watched } = await listen(service);
    const clients = Array.from({ length: 20 }, () => new RawClient(port));
    for (const { socket } of clients) socket.write(askForEvents);
    await service.subscribers(20);
    await watched.collected('responses', 20);
    await service.tap(ada);
    await Promise.all(clients.map((client) => client.reads(/event: attendance/)));
    await service.events.close();
    server.close();
    await once(server, 'close');
  });

  it('leaves nothing behind, however often clients come and go', async () => {
    await using service = await RunningService.start();
    const { server, port, watched } = await listen(service);
    for (let round = 0; round < 10; round++) {
      const clients = Array.from({ length: 60 }, () => new RawClient(port));
      for (const { socket } of clients) socket.write(askForEvents);
      await service.subscribers(60);
      await Promise.all(clients.map((client) => client.reads(/retry/)));
      for (const [index, { socket }] of clients.entries()) {
        const leave = (['destroy', 'end', 'resetAndDestroy'] as const)[index % 3] ?? 'destroy';
        socket[leave]();
      }
      await service.subscribers(0);
    }
    server.close();
    await once(server, 'close');
    await watched.collected('responses', 600);
    await watched.collected('sockets', 600);
  });

  it('may have had other answers before, in the same packet too', async () => {
    await using service = await RunningService.start();
    const { server, port, watched } = await listen(service);
    const kept = new RawClient(port);
    kept.socket.write(ask('/api/mapping'));
    await kept.reads(/\r\n\r\n/);
    kept.socket.write(askForEvents);
    const together = new RawClient(port);
    together.socket.write(ask('/api/mapping') + askForEvents);
    await service.subscribers(2);
    await service.tap(ada);
    for (const client of [kept, together]) {
      await client.reads(/event: attendance/);
      expect(client.text.match(/HTTP\/1\.1 200/g)).to.have.length(2);
    }
    await watched.collected('responses', 3);
    await service.events.close();
    server.close();
    await once(server, 'close');
  });

  it('ends with the feed, also when the client keeps its side open', async () => {
    await using service = await RunningService.start();
    const { server, port } = await listen(service);
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).resume();
    socket.write(askForEvents);
    await service.subscribers(1);
    await service.events.close();
    server.close();
    await once(server, 'close');
    socket.destroy();
  });

  it('drops what the client sends later, and writes nothing but events', async () => {
    await using service = await RunningService.start();
    for (const bytes of [ask('/api/mapping'), 'HELO\r\n\r\n', 'x'.repeat(1_000_000)]) {
      const client = new RawClient(service.port);
      client.socket.write(askForEvents);
      await client.reads(/retry/);
      client.socket.write(bytes);
      await service.tap(ada);
      await client.reads(/event: attendance/);
      // It ends when the server has read all of it.
      const closed = once(client.socket, 'close');
      client.socket.end();
      await closed;
      expect(client.text.match(/HTTP\/1\.1/g)).to.have.length(1);
    }
  });
});

describe('a connection that is needed for more than an event stream', () => {
  it('stays with HTTP, so that nothing is written into the stream', async () => {
    await using service = await RunningService.start();
    const client = new RawClient(service.port);
    client.socket.write(askForEvents + ask('/api/mapping'));
    await service.subscribers(1);
    await service.tap(ada);
    await client.reads(/event: attendance/);
    const ended = once(client.socket, 'end');
    await service.events.close();
    await ended;
    expect(client.text.match(/HTTP\/1\.1/g)).to.have.length(1);
  });

  it('stays with HTTP while a body is still to come', async () => {
    await using service = await RunningService.start();
    const client = new RawClient(service.port);
    client.socket.write(ask('/api/idevent', 'Content-Length: 2\r\n'));
    await service.subscribers(1);
    client.socket.write(`ab${ask('/api/mapping')}`);
    // When the client has read the first, the server has read the rest of the request, or does so in the same turn.
    for (const pattern of [1, 2, 3].map((count) => new RegExp(`(event: attendance.*){${count}}`, 's'))) {
      await service.tap(ada);
      await client.reads(pattern);
    }
    client.socket.destroy();
    await service.subscribers(0);
  });

  it('stays with HTTP when its response has ended by then', async () => {
    await using service = await RunningService.start();
    const { server, port } = await listen(service);
    server.on('request', (request, response) => request.once('end', () => response.end()));
    const client = new RawClient(port);
    client.socket.write(askForEvents);
    await once(client.socket, 'end');
    await service.subscribers(0);
    server.close();
    await once(server, 'close');
  });

  it('stays with HTTP when it is encrypted, as closing means more there', async () => {
    await using service = await RunningService.start();
    const { server, port, watched } = await listen(service);
    server.prependListener('connection', (socket: Socket) => Object.assign(socket, { encrypted: true }));
    const client = new RawClient(port);
    client.socket.write(askForEvents);
    await service.subscribers(1);
    await service.tap(ada);
    await client.reads(/event: attendance/);
    expect(watched.responses[0]?.deref()?.socket).to.be.instanceOf(Socket);
    await service.events.close();
    server.close();
    await once(server, 'close');
  });
});

describe('what waits for a subscriber', () => {
  it('does not hold events that its history has brought', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await RunningService.start({ source: events });
    events.emit(large);
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    service.events.subscribe(response, '');
    const waiting = response.writableLength;
    await new Promise(setImmediate);
    expect(response.writableLength).to.equal(waiting);
  });

  it('is sent when the feed closes, to who reads it', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await RunningService.start({
      source: events,
      events: { maxBufferedBytes: 1_073_741_824 },
    });
    const client = new RawClient(service.port);
    client.socket.write(askForEvents);
    await client.reads(/retry/);
    client.socket.pause();
    for (let n = 0; n < 2_000; n++) events.emit(large);
    const ended = once(client.socket, 'end');
    await service.events.close();
    client.socket.resume();
    await ended;
    expect(client.text.match(/event: attendance/g)).to.have.length(2_000);
  });

  it('is dropped a while after the feed was closed, so that the server can close', async () => {
    const events = new Emitter<AttendanceEvent>();
    await using service = await RunningService.start({
      source: events,
      events: { maxBufferedBytes: 1_073_741_824 },
    });
    const { server, port } = await listen(service);
    const client = new RawClient(port);
    client.socket.write(askForEvents);
    await client.reads(/retry/);
    client.socket.pause();
    for (let n = 0; n < 2_000; n++) events.emit(large);
    await service.events.close();
    server.close();
    await once(server, 'close');
    client.socket.destroy();
  });
});
