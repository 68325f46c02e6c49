import { Socket } from 'node:net';
import { expect } from 'chai';
import { tag } from '../../../devices/test/publishing/recorded-attendance.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { Endpoint, SilentEndpointError } from '../../src/webhook/endpoint.js';
import type { Receiver } from './fixtures/receiver.js';
import { useSender, type Sender } from './fixtures/sender.js';

const ANSWER_MS = 15_000;
const REST_MS = 1_000;
const IDLE_MS = 30_000;
const LAST_MS = 500;
const MOST_BYTES = 16_384;

const request = { headers: {}, body: '{}', ca: undefined };

describe('a webhook, how long it waits', () => {
  const directory = useTempDirectory();
  let sender: Sender;
  let receiver: Receiver;
  useSender(directory, (...made) => ([sender, receiver] = made));

  it('is 15 seconds for an answer', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked: number[] = [];
    AbortSignal.timeout = (delayMs) => {
      asked.push(delayMs);
      return timeout(delayMs);
    };
    try {
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      await receiver.tookTag(tag(1));
    } finally {
      AbortSignal.timeout = timeout;
    }
    expect(asked).to.deep.equal([ANSWER_MS]);
  });

  it('is one second for the rest of an answer after its status; then it continues', async () => {
    await sender.openPublisher(receiver.url);
    receiver.behaviour = (_request, response) => response.writeHead(200).write('begun');
    using timers = new RecordedTimers();
    await sender.attendance.tap(tag(1));
    await receiver.requests.count(1);
    while (!timers.pending.includes(REST_MS)) await new Promise(setImmediate);
    receiver.behaviour = undefined;
    timers.expire(REST_MS);
    await sender.attendance.tap(tag(2));
    await receiver.tookTag(tag(2));
    expect(receiver.requests.values).to.have.lengthOf(2);
    while (timers.pending.includes(REST_MS)) await new Promise(setImmediate);
  });

  it('ends with an answer, and leaves no timer', async () => {
    using timers = new RecordedTimers();
    const endpoint = new Endpoint(new URL(receiver.url), 5_000);
    await endpoint.post(request, new AbortController().signal);
    endpoint.close();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(timers.delays).to.include(REST_MS);
    expect(timers.pending).not.to.include(REST_MS);
  });

  it('is the set time, and a silent endpoint gives another error than an aborted request', async () => {
    receiver.behaviour = () => undefined;
    const endpoint = new Endpoint(new URL(receiver.url), 1);
    const silent: unknown = await endpoint
      .post(request, new AbortController().signal)
      .catch((error: unknown) => error);
    expect(silent).to.be.instanceOf(SilentEndpointError).and.to.have.nested.property('cause.name');
    const closing: unknown = await new Endpoint(new URL(receiver.url), 5_000)
      .post(request, AbortSignal.abort())
      .catch((error: unknown) => error);
    expect(closing).to.have.property('name', 'AbortError');
    endpoint.close();
  });

  it('is half a second for a request under way when it closes', async () => {
    const publisher = await sender.openPublisher(receiver.url);
    receiver.behaviour = () => undefined;
    await sender.attendance.tap(tag(1));
    await receiver.requests.count(1);
    using timers = new RecordedTimers();
    const closed = publisher.close();
    while (!timers.pending.includes(LAST_MS)) await new Promise(setImmediate);
    timers.expire(LAST_MS);
    await closed;
    expect(publisher.status).to.equal('closed');
  });

  it('is half a minute for the next request on its only connection, which closing ends', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- called with the socket
    const { setTimeout: original } = Socket.prototype;
    const waits = new Set<number>();
    Socket.prototype.setTimeout = function (timeoutMs, ...rest) {
      waits.add(timeoutMs);
      return original.call(this, timeoutMs, ...rest);
    };
    const ports = new Set<number>();
    const endpoint = new Endpoint(new URL(receiver.url), 5_000);
    try {
      for (let n = 0; n < 2; n++) await endpoint.post(request, new AbortController().signal);
    } finally {
      Socket.prototype.setTimeout = original;
    }
    expect([...waits]).to.include(IDLE_MS);
    for (const { port } of receiver.taken) ports.add(port);
    expect(ports.size).to.equal(1);
    endpoint.close();
    await endpoint.post(request, new AbortController().signal);
    endpoint.close();
    expect(receiver.taken.at(-1)?.port).not.to.be.oneOf([...ports]);
  });

  it('ends with the publisher: the next opening makes another connection', async () => {
    const publisher = await sender.openPublisher(receiver.url);
    await sender.attendance.tap(tag(1));
    const { port } = await receiver.tookTag(tag(1));
    await publisher.close();
    await publisher.open();
    await sender.attendance.tap(tag(2));
    expect((await receiver.tookTag(tag(2))).port).not.to.equal(port);
  });

  it('keeps the connection after an answer of 16 KiB, and not after a longer one', async () => {
    const endpoint = new Endpoint(new URL(receiver.url), 5_000);
    const lengths = [MOST_BYTES, 10 * MOST_BYTES, 1];
    receiver.behaviour = (_request, response) =>
      response.writeHead(200).end('x'.repeat(lengths.shift() ?? 0));
    for (let n = 0; n < 3; n++) await endpoint.post(request, new AbortController().signal);
    const [first, second, third] = receiver.requests.values.map(({ port }) => port);
    expect(second).to.equal(first);
    expect(third).not.to.equal(first);
    endpoint.close();
  });
});
