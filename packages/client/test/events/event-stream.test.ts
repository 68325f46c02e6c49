import type { ServerResponse } from 'node:http';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService } from '../../../http-koa/test/fixtures/running-service.js';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';
import { TallybookClient } from '../../src/index.js';
import { clientOf } from '../fixtures/connected.js';
import { Received } from '../fixtures/received.js';
import { StandIn } from '../fixtures/stand-in.js';

const ADA = '04A2B3C4D5';
const BOB = '0011223344';

/** Begins an event stream that names no waiting time. */
function begin(response: ServerResponse, text = ''): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`retry: 0\n\n${text}`);
}

describe('the event stream', () => {
  it('delivers each scan and its outcome', async () => {
    await using service = await RunningService.start();
    const client = clientOf(service);
    await client.post('/api/mapping', {
      body: { id: ADA, format: 'hex', name: { first: 'Ada', last: 'Lovelace' } },
    });
    await using received = new Received(client.events());
    await received.until('opened');
    await service.tap(ADA);
    const counted = await received.until(`counted ${ADA}`);
    expect(counted.kind === 'attendance' && counted.attendance).to.include({
      reader: 'door',
      outcome: 'counted',
    });
    service.clock.advance(1_000);
    await service.tap(ADA);
    await received.until(`already-counted ${ADA}`);
    service.clock.setSynchronised(false);
    await service.tap(BOB);
    await received.until(`provisional ${BOB}`);
    service.days.failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
    service.clock.setSynchronised(true);
    await service.tap(BOB);
    const failed = await received.until(`failed ${BOB}`);
    expect(failed.kind === 'failed' && failed.failed).to.deep.equal({
      id: BOB,
      reader: 'door',
      isKept: true,
    });
    service.days.failure = undefined;
    expect(received.words.slice(0, 5)).to.deep.equal([
      'connecting',
      'open',
      'opened',
      `scan ${ADA}`,
      `counted ${ADA}`,
    ]);
  });

  it('continues after a lost connection with exactly the missed events', async () => {
    await using service = await RunningService.start({ events: { retryMs: 0 } });
    let cut = new AbortController();
    const client = clientOf(service, {
      fetch: (url, { signal, ...init } = {}) =>
        fetch(url, { ...init, signal: AbortSignal.any([...(signal ? [signal] : []), cut.signal]) }),
    });
    await using received = new Received(client.events());
    await received.until('opened');
    await service.tap(ADA);
    await received.until(`counted ${ADA}`);
    cut.abort();
    cut = new AbortController();
    await service.tap(BOB);
    await received.until(`counted ${BOB}`);
    expect(received.words.slice(5)).to.deep.equal([
      'waiting',
      'connecting',
      'open',
      'reopened',
      `scan ${BOB}`,
      `counted ${BOB}`,
    ]);
  });

  it('gives the reason of the service why changes may be missing, and continues after it', async () => {
    await using service = await StandIn.stream('id: b-7\nevent: reset\ndata: {"reason":"too-old"}\n\n', '');
    await using received = new Received(new TallybookClient(service.url).events({ lastEventId: 'a-1' }));
    expect(await received.until('too-old')).to.deep.equal({
      kind: 'reset',
      reason: 'too-old',
      cursor: 'b-7',
    });
    await received.until('waiting');
    await received.until('reopened');
    expect(service.requests.map(({ headers }) => headers['last-event-id'])).to.deep.equal(['a-1', 'b-7']);
  });

  it('reports a removed day', async () => {
    await using service = await RunningService.start();
    await service.tap(ADA);
    const client = clientOf(service);
    await using received = new Received(client.events());
    await received.until('opened');
    await client.delete('/api/day', { query: { day: 20_413 } });
    await received.until('removed 20413');
  });

  it('misses nothing if the connection is lost before the first change', async () => {
    await using service = await RunningService.start({ events: { retryMs: 0 } });
    const stream = clientOf(service).events();
    await using received = new Received(stream);
    await received.until('opened');
    const next = received.next();
    await service.subscribers(1);
    await service.events.close();
    await service.tap(ADA);
    await service.events.open();
    expect(await next).to.include({ state: 'waiting' });
    await received.until(`counted ${ADA}`);
  });

  it('begins after a given event', async () => {
    await using service = await RunningService.start();
    const client = clientOf(service);
    await using before = new Received(client.events());
    await before.until('opened');
    await service.tap(ADA);
    const counted = await before.until(`counted ${ADA}`);
    const lastEventId = 'cursor' in counted ? (counted.cursor ?? '') : '';
    await service.tap(BOB);
    await using received = new Received(client.events({ lastEventId }));
    await received.until(`counted ${BOB}`);
    expect(received.words).to.deep.equal(['connecting', 'open', 'reopened', `scan ${BOB}`, `counted ${BOB}`]);
  });

  it('continues in a second loop where the first one ended', async () => {
    await using service = await RunningService.start();
    const stream = clientOf(service).events();
    {
      await using first = new Received(stream);
      await first.until('opened');
      await service.tap(ADA);
      await first.until(`counted ${ADA}`);
    }
    await service.subscribers(0);
    await service.tap(BOB);
    await using second = new Received(stream);
    await second.until(`counted ${BOB}`);
    expect(second.words).to.deep.equal(['connecting', 'open', 'reopened', `scan ${BOB}`, `counted ${BOB}`]);
  });

  it('waits for a missing service, and says why, since when and until when', async () => {
    await using held = await HeldPort.take();
    const stream = new TallybookClient(`http://127.0.0.1:${held.port}/`).events();
    await using received = new Received(stream);
    const connecting = await received.until('connecting');
    const waiting = await received.until('waiting');
    if (waiting.kind !== 'connection' || waiting.state !== 'waiting') throw new Error('not waiting');
    expect(waiting.error).to.include({ kind: 'network' });
    expect(waiting.since).to.equal(connecting.kind === 'connection' && connecting.since);
    expect(waiting.until).to.be.greaterThan(waiting.since);
    await using back = await StandIn.start((_request, response) => begin(response), held.port);
    stream.reconnect();
    await received.until('opened');
    expect(back.requests).to.have.length(1);
    expect(received.words).to.deep.equal(['connecting', 'waiting', 'connecting', 'open', 'opened']);
  });

  it('waits as long as the service asks, also after a refusal', async () => {
    await using service = await StandIn.answer(503, { 'Retry-After': '3600' });
    const controller = new AbortController();
    await using received = new Received(
      new TallybookClient(service.url).events({ signal: controller.signal }),
    );
    const waiting = await received.until('waiting');
    if (waiting.kind !== 'connection' || waiting.state !== 'waiting') throw new Error('not waiting');
    expect(waiting.error).to.include({ kind: 'http', status: 503 });
    expect(waiting.until - waiting.since).to.be.at.least(3_600_000);
    const end = received.next();
    controller.abort();
    expect(await end).to.equal(undefined);
  });

  it('does not read a page as events', async () => {
    await using login = await StandIn.page();
    await using received = new Received(new TallybookClient(login.url).events());
    const waiting = await received.until('waiting');
    expect('error' in waiting && waiting.error).to.include({ kind: 'invalid-answer' });
  });

  it('treats a silent connection as lost', async () => {
    let answers = 0;
    await using service = await StandIn.start((_request, response) => {
      if (++answers > 1) begin(response);
    });
    const stream = new TallybookClient(service.url).events({ silenceMs: 100 });
    await using received = new Received(stream);
    // The answer did not even begin.
    const waiting = await received.until('waiting');
    expect('error' in waiting && waiting.error).to.include({
      kind: 'network',
      message: 'nothing came for 0.1 seconds',
    });
    stream.reconnect();
    await received.until('open');
    await received.until('waiting');
    expect(received.words.slice(-3)).to.deep.equal(['open', 'opened', 'waiting']);
  });

  it('opens a new connection on request, without a wait', async () => {
    await using service = await StandIn.start((_request, response) => {
      begin(response, 'id: a-1\nevent: msg\ndata: 01\n\n');
    });
    const stream = new TallybookClient(service.url).events();
    await using received = new Received(stream);
    await received.until('scan 01');
    const next = received.next();
    stream.reconnect();
    expect(await next).to.include({ state: 'connecting' });
    await received.until('reopened');
    expect(received.words).to.not.include('waiting');
  });

  it('leaves out events of unknown types, and continues after them', async () => {
    const texts = ['id: a-1\nevent: later\ndata: {}\n\n', 'id: a-2\nevent: msg\ndata: 02\n\n'];
    await using service = await StandIn.stream(...texts);
    await using received = new Received(new TallybookClient(service.url).events());
    await received.until('scan 02');
    expect(service.requests[1]?.headers['last-event-id']).to.equal('a-1');
  });

  it('does not request an unreadable event again', async () => {
    const answers = ['id: a-1\nevent: attendance\ndata: {\n\n', 'id: a-2\nevent: msg\ndata: 02\n\n'];
    await using service = await StandIn.stream(...answers);
    await using received = new Received(new TallybookClient(service.url).events());
    const waiting = await received.until('waiting');
    expect('error' in waiting && waiting.error).to.include({ kind: 'invalid-answer' });
    await received.until('scan 02');
    expect(service.requests[1]?.headers['last-event-id']).to.equal('a-1');
  });

  it('sends the token', async () => {
    await using service = await StandIn.stream();
    await using received = new Received(new TallybookClient(service.url, { token: 'secret' }).events());
    await received.until('open');
    expect(service.requests[0]?.headers.authorization).to.equal('Bearer secret');
  });

  describe('when its signal is aborted', () => {
    it('says nothing if that was before', async () => {
      const client = new TallybookClient('http://127.0.0.1:9/');
      await using received = new Received(client.events({ signal: AbortSignal.abort() }));
      expect(await received.next()).to.equal(undefined);
    });

    it('ends without an error, in every state', async () => {
      await using service = await RunningService.start();
      for (const word of ['connecting', 'open', 'opened']) {
        const controller = new AbortController();
        await using received = new Received(clientOf(service).events({ signal: controller.signal }));
        await received.until(word);
        controller.abort();
        while ((await received.next()) !== undefined);
        expect(received.words).to.not.include('waiting');
      }
      await service.subscribers(0);
    });

    it('ends while nothing comes', async () => {
      await using service = await RunningService.start();
      const controller = new AbortController();
      await using received = new Received(clientOf(service).events({ signal: controller.signal }));
      await received.until('opened');
      const end = received.next();
      controller.abort();
      expect(await end).to.equal(undefined);
      await service.subscribers(0);
    });
  });

  it('closes its connection when nobody loops over it any more', async () => {
    await using service = await RunningService.start();
    for await (const message of clientOf(service).events()) {
      if (message.kind === 'reset') break;
    }
    await service.subscribers(0);
  });
});
