import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { Deliveries } from '../../src/answers/deliveries.js';
import { RunningService } from '../fixtures/running-service.js';
import { Shelf, ShelfServer } from '../fixtures/shelf.js';

const MIB = 1_048_576;

/** A response on a connection that leaves a number of bytes unsent. */
function respond(unsent = 0): ServerResponse {
  const socket = Object.defineProperty(new Socket(), 'writableLength', { value: unsent });
  return new ServerResponse(new IncomingMessage(socket));
}

/** Connection of a watched response. */
function watch(deliveries: Deliveries, unsent: number): Socket {
  const response = respond(unsent);
  deliveries.watch(response);
  return response.req.socket;
}

describe('An application with default options', () => {
  it('keeps an answer of 8 MiB in memory, and no larger one', async () => {
    const shelf = new Shelf();
    await using server = await ShelfServer.start([shelf]);
    const mebibyte = 'x'.repeat(MIB);
    for (const [content, reads] of [
      [Array.from({ length: 8 }, () => mebibyte), 1],
      [[...Array.from({ length: 8 }, () => mebibyte), 'y'], 2],
    ] as const) {
      shelf.content = content;
      shelf.opened = 0;
      for (let n = 0; n < 2; n++) await server.get();
      expect(shelf.opened).to.equal(reads);
    }
  });

  it('cuts off a client that takes nothing for 30 seconds', () => {
    using timers = new RecordedTimers();
    const socket = watch(new Deliveries(), 1);
    for (let looks = 1; looks < 4; looks++) timers.expire(7_500);
    expect(socket.destroyed).to.equal(false);
    timers.expire(7_500);
    expect(socket.destroyed).to.equal(true);
    expect(timers.pending).to.deep.equal([]);
  });

  it('cuts off a client that is not done after ten minutes', () => {
    using timers = new RecordedTimers();
    // The system takes all bytes, so the client is not stalled.
    const socket = watch(new Deliveries(), 0);
    for (let looks = 1; looks < 80; looks++) timers.expire(7_500);
    expect(socket.destroyed).to.equal(false);
    timers.expire(7_500);
    expect(socket.destroyed).to.equal(true);
    expect(timers.pending).to.deep.equal([]);
  });

  it('sets no timer for a small answer that its client takes at once', async () => {
    await using service = await RunningService.start();
    using timers = new RecordedTimers();
    for (let n = 0; n < 10; n++) await service.request('/api/mapping');
    expect(timers.delays.filter((delayMs) => delayMs === 7_500)).to.deep.equal([]);
  });

  it('gives an export the same time', async () => {
    await using service = await RunningService.start();
    using timers = new RecordedTimers();
    await service.request('/api/export');
    expect(timers.delays).to.include(7_500);
  });

  it('holds 128 MiB for answers on their way, and no byte more', () => {
    const deliveries = new Deliveries();
    expect(deliveries.take({}, 127 * MIB)).to.be.a('function');
    expect(deliveries.take({}, MIB + 1)).to.equal(undefined);
    expect(deliveries.take({}, MIB)).to.be.a('function');
  });

  it('prints nothing about connections that end early', async () => {
    const printed: unknown[] = [];
    const { error } = console;
    console.error = (...values: unknown[]) => void printed.push(values);
    await using service = await RunningService.start();
    const socket = service.connect();
    socket.write('POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 9\r\n\r\n{');
    await new Promise((resolve) => {
      service.app.on('error', resolve);
      socket.end();
    }).finally(() => (console.error = error));
    expect(printed).to.deep.equal([]);
  });
});
