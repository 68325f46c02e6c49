import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { Deliveries } from '../../src/answers/deliveries.js';
import { LocalServer } from '../fixtures/local-server.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

/** More than the buffers of any connection hold. */
const LARGE = Buffer.alloc(33_554_432, 'x');

/** A server whose responses the test writes, and clients that read nothing. */
class Pairs extends LocalServer {
  async next(): Promise<{ response: ServerResponse; client: Socket }> {
    const client = this.connect();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await once(this.server, 'request')) as [unknown, ServerResponse];
    return { response, client };
  }
}

describe('Deliveries', () => {
  const pairs = useEach(() => new Pairs().listen());

  it('cut off a client that takes nothing', async () => {
    const { response } = await pairs.next();
    const deliveries = new Deliveries({ answerStallMs: 100 });
    deliveries.watch(response);
    response.end(LARGE);
    await once(response, 'close');
    expect(response.req.socket.destroyed).to.equal(true);
  });

  it('cut off a client that sends from time to time, but takes nothing', async () => {
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

  it('watch an ended answer only if the system has not taken it', async () => {
    using timers = new RecordedTimers();
    const deliveries = new Deliveries({ answerStallMs: 400 });
    const [small, large] = [await pairs.next(), await pairs.next()];
    small.response.end('small');
    deliveries.watchUnsent(small.response);
    expect(timers.pending).not.to.include(100);
    large.response.end(LARGE);
    deliveries.watchUnsent(large.response);
    expect(timers.pending).to.include(100);
    await once(large.response, 'close');
    expect(large.response.req.socket.destroyed).to.equal(true);
  });

  it('count a shared object once, until the last response gives it back', () => {
    const deliveries = new Deliveries({ maxAnswerBytes: 1_000 });
    const what = {};
    const [one, other] = [deliveries.take(what, 600), deliveries.take(what, 600)];
    expect(deliveries.take({}, 401)).to.equal(undefined);
    one?.();
    expect(deliveries.take({}, 401)).to.equal(undefined);
    other?.();
    expect(deliveries.take({}, 1_000)).to.be.a('function');
  });

  it('leave no timer of an answer that has ended or was cut off', async () => {
    using timers = new RecordedTimers();
    const deliveries = new Deliveries({ answerStallMs: 400 });
    const [ended, stalled] = [await pairs.next(), await pairs.next()];
    for (const { response } of [ended, stalled]) deliveries.watch(response);
    expect(timers.pending.filter((delayMs) => delayMs === 100)).to.have.length(2);
    ended.response.end();
    stalled.response.write(LARGE);
    await Promise.all([ended, stalled].map(({ response }) => once(response, 'close')));
    expect(timers.pending).not.to.include(100);
  });
});
