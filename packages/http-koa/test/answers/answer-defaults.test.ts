import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { Deliveries } from '../../src/answers/deliveries.js';
import { Renderings } from '../../src/answers/renderings.js';
import { RunningService } from '../fixtures/running-service.js';
import { ask, Shelf } from '../fixtures/shelf.js';

const MIB = 1_048_576;

/** Replaces methods until it is disposed of. */
class Replacements implements Disposable {
  readonly #restore: (() => void)[] = [];

  set<T extends object>(object: T, name: keyof T, value: unknown): void {
    const original = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
    this.#restore.push(() => {
      if (original === undefined) Reflect.deleteProperty(object, name);
      else Object.defineProperty(object, name, original);
    });
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }
}

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
  it('keeps an answer of 8 MiB in memory, and streams a larger one', async () => {
    const renderings = new Renderings();
    const shelf = new Shelf();
    const mebibyte = 'x'.repeat(MIB);
    shelf.content = Array.from({ length: 8 }, () => mebibyte);
    expect(await ask(renderings, shelf))
      .to.have.property('body')
      .with.length(8 * MIB);
    shelf.content = [...shelf.content, 'y'];
    expect(await ask(renderings, shelf)).to.have.property('rendering');
  });

  it('cuts off a client that takes nothing for 30 seconds', () => {
    using timers = new RecordedTimers();
    let now = 0;
    using replacements = new Replacements();
    replacements.set(performance, 'now', () => now);
    const socket = watch(new Deliveries(), 1);
    now = 29_999;
    timers.expire(500);
    expect(socket.destroyed).to.equal(false);
    now = 30_000;
    timers.expire(500);
    expect(socket.destroyed).to.equal(true);
    expect(timers.pending).to.deep.equal([]);
  });

  it('cuts off a client that is not done after ten minutes', () => {
    using timers = new RecordedTimers();
    let now = 0;
    using replacements = new Replacements();
    replacements.set(performance, 'now', () => now);
    // The system takes all bytes, so the client is not stalled.
    const socket = watch(new Deliveries(), 0);
    now = 599_999;
    timers.expire(500);
    expect(socket.destroyed).to.equal(false);
    now = 600_000;
    timers.expire(500);
    expect(socket.destroyed).to.equal(true);
    expect(timers.pending).to.deep.equal([]);
  });

  it('sets no timer for a small answer that its client takes at once', async () => {
    await using service = await RunningService.start();
    using timers = new RecordedTimers();
    for (let n = 0; n < 10; n++) await service.request('/api/mapping');
    expect(timers.delays.filter((delayMs) => delayMs === 500)).to.deep.equal([]);
  });

  it('gives an export the same time', async () => {
    const watched: unknown[] = [];
    const watch = (_: unknown, patience: unknown): void => void watched.push(patience);
    using replacements = new Replacements();
    replacements.set(Deliveries.prototype, 'watch', watch);
    await using service = await RunningService.start();
    await service.request('/api/export');
    expect(watched).to.deep.include({ stallMs: 30_000, deadlineMs: 600_000 });
  });

  it('holds 32 MiB for answers on their way, and no byte more', () => {
    using timers = new RecordedTimers();
    const deliveries = new Deliveries();
    const [one, other] = [respond(), respond()];
    for (const response of [one, other]) deliveries.watch(response);
    expect(deliveries.hold(one, {}, 31 * MIB)).to.equal(true);
    expect(deliveries.hold(other, {}, MIB + 1)).to.equal(false);
    expect(deliveries.hold(other, {}, MIB)).to.equal(true);
    for (const response of [one, other]) response.emit('close');
    expect(timers.pending).to.deep.equal([]);
  });

  it('prints nothing about connections that end early', async () => {
    const printed: unknown[] = [];
    using replacements = new Replacements();
    replacements.set(console, 'error', (...values: unknown[]) => void printed.push(values));
    await using service = await RunningService.start();
    const socket = service.connect();
    socket.write('POST /api/mapping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 9\r\n\r\n{');
    await new Promise((resolve) => {
      service.app.on('error', resolve);
      socket.end();
    });
    expect(printed).to.deep.equal([]);
  });
});
