import { expect } from 'chai';
import { TallybookClient, type StreamMessage } from '../../src/index.js';
import { unlessSilent } from '../../src/events/event-connection.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { Received } from '../fixtures/received.js';
import { StandIn } from '../fixtures/stand-in.js';

/** Time of day and random numbers that a test controls. */
class Controlled implements Disposable {
  now = 1_000_000;
  readonly #dateNow = Date.now;
  readonly #random = Math.random;
  readonly #setInterval = globalThis.setInterval;
  readonly ticks: (() => void)[] = [];

  constructor() {
    Date.now = () => this.now;
    Math.random = () => 0;
  }

  /** From now on, intervals run only when the test runs them. */
  holdIntervals(): void {
    globalThis.setInterval = ((tick: () => void) =>
      void this.ticks.push(tick)) as unknown as typeof setInterval;
  }

  [Symbol.dispose](): void {
    Date.now = this.#dateNow;
    Math.random = this.#random;
    globalThis.setInterval = this.#setInterval;
  }
}

function delayOf(message: StreamMessage, { now }: Controlled): number {
  if (message.kind !== 'connection' || message.state !== 'waiting') throw new Error('it does not wait');
  return message.until - now;
}

describe('the waits of an event stream', () => {
  it('grow with each failure, and after an open stream begin again with the wait that the service asks for', async () => {
    using controlled = new Controlled();
    let isThere = false;
    await using service = await StandIn.start((_request, response) => {
      if (!isThere) response.destroy();
      else response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('retry: 700\n\n');
    });
    const stream = new TallybookClient(service.url).events();
    await using received = new Received(stream);
    for (const delayMs of [2_000, 4_000, 8_000]) {
      expect(delayOf(await received.until('waiting'), controlled)).to.equal(delayMs);
      stream.reconnect();
    }
    isThere = true;
    for (const delayMs of [700, 700]) {
      expect(delayOf(await received.until('waiting'), controlled)).to.equal(delayMs);
      stream.reconnect();
    }
  });

  it('end after 45 seconds of silence, with four checks meanwhile', async () => {
    using timers = new RecordedTimers();
    await using service = await StandIn.stream();
    await using received = new Received(new TallybookClient(service.url).events());
    await received.until('open');
    expect(timers.delays).to.include(45_000 / 4);
  });

  it('last until they are over', async () => {
    using timers = new RecordedTimers();
    using controlled = new Controlled();
    await using service = await StandIn.start((_request, response) => void response.destroy());
    await using received = new Received(new TallybookClient(service.url).events());
    for (const delayMs of [2_000, 4_000]) {
      expect(delayOf(await received.until('waiting'), controlled)).to.equal(delayMs);
      const { length } = service.requests;
      const connecting = received.until('connecting');
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      expect(service.requests).to.have.length(length);
      timers.expire(delayMs);
      await connecting;
    }
  });

  it('begin when the connection is lost', async () => {
    using controlled = new Controlled();
    await using service = await StandIn.stream('', '');
    await using received = new Received(new TallybookClient(service.url).events());
    expect(await received.until('open')).to.include({ since: 1_000_000 });
    controlled.now = 5_000_000;
    expect(await received.until('waiting')).to.include({ since: 5_000_000 });
    controlled.now = 6_000_000;
    expect(await received.until('connecting')).to.include({ since: 5_000_000 });
  });

  it('count from the last sign of the service if it is silent, or if a new connection is requested', async () => {
    using controlled = new Controlled();
    controlled.holdIntervals();
    await using service = await StandIn.start((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('event: msg\ndata: 01\n\n');
    });
    const stream = new TallybookClient(service.url).events({ silenceMs: 20_000 });
    await using received = new Received(stream);
    await received.until('scan 01');
    controlled.now += 20_000;
    for (const tick of controlled.ticks) tick();
    expect(await received.until('waiting')).to.include({ since: 1_000_000 });
    stream.reconnect();
    await received.until('scan 01');
    controlled.now += 60_000;
    stream.reconnect();
    expect(await received.until('connecting')).to.include({ since: 1_020_000 });
  });

  it('end at once, at any length, if a new connection is requested while the loop is busy', async () => {
    await using service = await StandIn.answer(503, { 'Retry-After': '3600' });
    const stream = new TallybookClient(service.url).events();
    await using received = new Received(stream);
    await received.until('waiting');
    stream.reconnect();
    await received.until('connecting');
  });
});

describe('an event stream', () => {
  it('still knows the last event when a connection had none', async () => {
    const texts = ['id: a-1\nevent: msg\ndata: 01\n\n', '', 'id: a-2\nevent: msg\ndata: 02\n\n'];
    await using service = await StandIn.stream(...texts);
    await using received = new Received(new TallybookClient(service.url).events());
    await received.until('scan 02');
    expect(service.requests.slice(0, 3).map(({ headers }) => headers['last-event-id'])).to.deep.equal([
      undefined,
      'a-1',
      'a-1',
    ]);
    expect(received.words).to.not.include('missed');
  });

  it('reports that names have changed', async () => {
    const text = 'id: a-1\nevent: names\ndata: {"added":1,"changed":0,"removed":0}\n\n';
    await using service = await StandIn.stream(text);
    await using received = new Received(new TallybookClient(service.url).events());
    expect(await received.until('names')).to.deep.equal({
      kind: 'names',
      cursor: 'a-1',
      counts: { added: 1, changed: 0, removed: 0 },
    });
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const heard: string[] = [];
    signal.addEventListener = () => void heard.push('added');
    signal.removeEventListener = () => void heard.push('removed');
    {
      await using received = new Received(new TallybookClient('http://127.0.0.1:9/').events({ signal }));
      await received.until('connecting');
    }
    expect(heard).to.deep.equal(['added', 'removed']);
  });
});

describe('unlessSilent', () => {
  it('counts the time that the machine runs', async () => {
    using controlled = new Controlled();
    controlled.holdIntervals();
    const { wait, silences, end } = begin();
    for (let tick = 1; tick <= 3; tick++) controlled.ticks[0]?.();
    expect(silences).to.deep.equal([]);
    controlled.ticks[0]?.();
    expect(silences).to.deep.equal(['silent']);
    end();
    await wait;
  });

  it('knows how long the machine slept as soon as it wakes', async () => {
    using controlled = new Controlled();
    controlled.holdIntervals();
    const { wait, silences, end } = begin();
    controlled.now += 45_000;
    controlled.ticks[0]?.();
    expect(silences).to.deep.equal(['silent']);
    end();
    await wait;
  });
});

/** A wait for at most 45 seconds of silence, and its calls of `onSilence`. */
function begin(): { readonly wait: Promise<void>; readonly silences: string[]; readonly end: () => void } {
  const silences: string[] = [];
  let end = (): void => undefined;
  const waited = new Promise<void>((resolve) => (end = resolve));
  const wait = unlessSilent(waited, 45_000, () => silences.push('silent'));
  return { wait, silences, end: () => end() };
}
