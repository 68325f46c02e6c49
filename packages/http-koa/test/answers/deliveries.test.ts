import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { turns } from '../fixtures/shelf.js';
import { Deliveries } from '../../src/answers/deliveries.js';

/** More than the buffers of any connection hold. */
const LARGE = Buffer.alloc(33_554_432, 'x');

/** A server whose responses the test writes, and clients that read nothing. */
class Pairs implements AsyncDisposable {
  readonly #server = createServer();
  readonly #clients: Socket[] = [];

  static async open(): Promise<Pairs> {
    const pairs = new Pairs();
    pairs.#server.listen(0, '127.0.0.1');
    await once(pairs.#server, 'listening');
    return pairs;
  }

  async next(): Promise<{ response: ServerResponse; client: Socket }> {
    const client = connect((this.#server.address() as AddressInfo).port, '127.0.0.1');
    this.#clients.push(client);
    client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await once(this.#server, 'request')) as [unknown, ServerResponse];
    return { response, client };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Waits until the system takes no more bytes for a connection. */
async function untilFull(socket: Socket): Promise<void> {
  const taken = (): number => socket.bytesWritten - socket.writableLength;
  for (let before = -1; taken() !== before;) {
    before = taken();
    await turns();
  }
}

describe('Deliveries', () => {
  it('cut off a client that takes nothing', async () => {
    await using pairs = await Pairs.open();
    const { response } = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 100 });
    deliveries.watch(response);
    response.end(LARGE);
    await once(response, 'close');
    expect(response.req.socket.destroyed).to.equal(true);
  });

  it('cut off a client that sends from time to time, but takes nothing', async () => {
    await using pairs = await Pairs.open();
    const { response, client } = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 200 });
    const sending = setInterval(() => client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 20);
    deliveries.watch(response);
    response.end(LARGE);
    await once(response, 'close');
    clearInterval(sending);
    expect(response.req.socket.destroyed).to.equal(true);
  });

  it('cut off a client that does not finish in time, even if it reads steadily', async () => {
    await using pairs = await Pairs.open();
    const { response, client } = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 60_000, answerDeadlineMs: 300 });
    deliveries.watch(response);
    response.write(LARGE);
    const reading = setInterval(() => void client.read(1_000), 5);
    await once(response, 'close');
    clearInterval(reading);
    expect(response.req.socket.destroyed).to.equal(true);
  });

  it('do not cut off a client that waits for this server', async () => {
    await using pairs = await Pairs.open();
    const { response, client } = await pairs.next();
    const other = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 100 });
    deliveries.watch(response);
    deliveries.watch(other.response);
    response.writeHead(200, { Connection: 'close' }).write('begin, ');
    // The stalled client is cut off. Meanwhile this one has waited for the same time.
    other.response.write(LARGE);
    await once(other.response, 'close');
    response.end('end');
    let text = '';
    for await (const chunk of client) text += String(chunk);
    expect(text).to.match(/begin, [\s\S]*end/);
  });

  it('do not watch an answer that the system has taken', async () => {
    await using pairs = await Pairs.open();
    const { response } = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 100 });
    response.end('small');
    deliveries.watchUnsent(response);
    expect(deliveries.watched).to.equal(0);
  });

  it('watch an ended answer that is not taken', async () => {
    await using pairs = await Pairs.open();
    const { response } = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 100 });
    response.end(LARGE);
    deliveries.watchUnsent(response);
    expect(deliveries.watched).to.equal(1);
    await once(response, 'close');
    expect(deliveries.watched).to.equal(0);
  });

  it('count a shared object once, until the last client has it', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries();
    const what = {};
    const [one, other] = [await pairs.next(), await pairs.next()];
    for (const { response } of [one, other]) {
      deliveries.watch(response);
      expect(deliveries.hold(response, what, 1_000)).to.equal(true);
    }
    expect(deliveries.heldBytes).to.equal(1_000);
    one.response.end();
    await once(one.response, 'close');
    expect(deliveries.heldBytes).to.equal(1_000);
    other.client.destroy();
    await once(other.response, 'close');
    expect([deliveries.heldBytes, deliveries.watched]).to.deep.equal([0, 0]);
  });

  it('refuse an answer without room if no client can be cut off', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const [one, other] = [await pairs.next(), await pairs.next()];
    for (const { response } of [one, other]) deliveries.watch(response);
    expect(deliveries.hold(one.response, {}, 600)).to.equal(true);
    expect(deliveries.hold(other.response, {}, 401)).to.equal(false);
    expect(deliveries.hold(other.response, {}, 400)).to.equal(true);
    expect(deliveries.heldBytes).to.equal(1_000);
  });

  it('accept a single answer of any size', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const { response } = await pairs.next();
    deliveries.watch(response);
    expect(deliveries.hold(response, {}, 5_000)).to.equal(true);
  });

  it('cut off a client that takes nothing when others need the room, but not one that reads', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const [stalled, reading, newcomer] = [await pairs.next(), await pairs.next(), await pairs.next()];
    for (const { response } of [stalled, reading]) {
      deliveries.watch(response);
      deliveries.hold(response, {}, 500);
    }
    stalled.response.write(LARGE);
    reading.response.write('taken at once');
    deliveries.watch(newcomer.response);
    while (!deliveries.hold(newcomer.response, {}, 500)) await new Promise(setImmediate);
    expect(stalled.response.req.socket.destroyed).to.equal(true);
    expect(reading.response.req.socket.destroyed).to.equal(false);
    expect(deliveries.heldBytes).to.equal(1_000);
  });

  it('cut off a client for the room of others after it has taken nothing for a second, not before', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const [stalled, newcomer] = [await pairs.next(), await pairs.next()];
    let nowMs = 0;
    Object.defineProperty(performance, 'now', { value: () => nowMs, configurable: true });
    try {
      deliveries.watch(stalled.response);
      deliveries.watch(newcomer.response);
      deliveries.hold(stalled.response, {}, 1_000);
      stalled.response.write(LARGE);
      await untilFull(stalled.response.req.socket);
      const finds = async (): Promise<boolean> => {
        await turns();
        return deliveries.hold(newcomer.response, {}, 500);
      };
      expect(await finds()).to.equal(false);
      nowMs = 999;
      expect(await finds()).to.equal(false);
      nowMs = 1_000;
      expect(await finds()).to.equal(true);
    } finally {
      Reflect.deleteProperty(performance, 'now');
    }
    expect(stalled.response.req.socket.destroyed).to.equal(true);
  });

  it('leave no timer of an answer that has ended or was cut off', async () => {
    using timers = new RecordedTimers();
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ answerStallMs: 400 });
    const [ended, stalled] = [await pairs.next(), await pairs.next()];
    for (const { response } of [ended, stalled]) deliveries.watch(response);
    expect(timers.pending.filter((delayMs) => delayMs === 100)).to.have.length(2);
    ended.response.end();
    stalled.response.write(LARGE);
    await Promise.all([ended, stalled].map(({ response }) => once(response, 'close')));
    expect(timers.pending).not.to.include(100);
  });

  it('do not cut off a client without held memory, even if it takes little', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const [idle, stalled, newcomer] = [await pairs.next(), await pairs.next(), await pairs.next()];
    for (const { response } of [idle, stalled]) {
      deliveries.watch(response);
      response.write(LARGE);
    }
    deliveries.hold(stalled.response, {}, 1_000);
    deliveries.watch(newcomer.response);
    while (!deliveries.hold(newcomer.response, {}, 500)) await new Promise(setImmediate);
    expect(stalled.response.req.socket.destroyed).to.equal(true);
    expect(idle.response.req.socket.destroyed).to.equal(false);
  });

  it('do not cut off a client that has its answer or has left', async () => {
    await using pairs = await Pairs.open();
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const [stalled, done, gone, newcomer] = [
      await pairs.next(),
      await pairs.next(),
      await pairs.next(),
      await pairs.next(),
    ];
    deliveries.watch(stalled.response);
    deliveries.hold(stalled.response, {}, 1_000);
    stalled.response.write(LARGE);
    done.response.end('small');
    deliveries.watchUnsent(done.response);
    gone.client.destroy();
    await once(gone.response, 'close');
    deliveries.watch(gone.response);
    const { socket } = stalled.response.req;
    deliveries.watch(newcomer.response);
    do {
      for (const { response } of [done, gone]) expect(deliveries.hold(response, {}, 500)).to.equal(true);
      expect(socket.destroyed).to.equal(false);
      await new Promise(setImmediate);
      // A response that needs the room cuts it off.
    } while (!deliveries.hold(newcomer.response, {}, 500));
    expect(socket.destroyed).to.equal(true);
  });

  for (const options of [{ answerStallMs: 0 }, { answerDeadlineMs: 86_400_001 }, { maxAnswerBytes: 0.5 }]) {
    it(`refuse ${JSON.stringify(options)}`, () => {
      expect(() => new Deliveries(options))
        .to.throw()
        .that.satisfies((error: unknown) => isTallybookError(error, 'INVALID_OPTION'));
    });
  }
});
