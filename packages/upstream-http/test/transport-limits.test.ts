import { expect } from 'chai';
import { Deferred } from '../../domain/test/fixtures/deferred.js';
import { rejectionOf } from '../../domain/test/fixtures/throws.js';
import { RecordedTimers } from '../../testing/test/fixtures/recorded-timers.js';
import { Deadline } from '../src/deadline.js';
import { HttpSyncTransport } from '../src/index.js';
import { answer, batch, FakeCentre, now, sends } from './fake-centre.js';

/** The default time for an answer. */
const USUAL_MS = 30_000;
const MOST_BYTES = 4_194_304;

const head = { kind: 'head', origin: 'c', cursor: 7, now } as const;

function transportTo(url: string): HttpSyncTransport {
  return new HttpSyncTransport({ url, readToken: () => Promise.resolve('tb_1') });
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return (await rejectionOf('UPSTREAM_UNAVAILABLE', work)).details['reason'];
}

describe('HttpSyncTransport that is not told otherwise', () => {
  let centre: FakeCentre;
  beforeEach(async () => {
    centre = await FakeCentre.start();
  });
  afterEach(() => centre[Symbol.asyncDispose]());

  it('gives an answer half a minute, beside what the centre is asked to wait, and leaves no timer', async () => {
    const transport = transportTo(centre.url);
    using timers = new RecordedTimers();
    centre.answer = sends(200, answer);
    await transport.push(batch);
    expect(timers.delays).to.include(USUAL_MS);
    expect(timers.pending).not.to.include(USUAL_MS);
    centre.answer = sends(200, { origin: 'c', cursor: 7, items: [], now });
    await transport.changes(undefined, 25_000);
    expect(timers.delays).to.include(USUAL_MS + 25_000);
    expect(timers.pending).not.to.include(USUAL_MS + 25_000);
  });

  it('gives up when that time is over', async () => {
    centre.answer = () => undefined;
    using timers = new RecordedTimers();
    const reason = reasonOf(transportTo(centre.url).push(batch));
    await centre.hasBeenAsked(1);
    timers.expire(USUAL_MS);
    expect(await reason).to.equal('time-out');
  });

  it('gives each piece of a snapshot that time, and whoever reads it any', async () => {
    centre.answer = (response) => response.write(`${JSON.stringify(head)}\n`);
    using timers = new RecordedTimers();
    const parts = transportTo(centre.url).snapshot();
    expect((await parts.next()).value).to.deep.equal(head);
    // The reader has a part now.
    expect(timers.pending).not.to.include(USUAL_MS);
    const reason = reasonOf(parts.next());
    await new Promise(setImmediate);
    timers.expire(USUAL_MS);
    expect(await reason).to.equal('time-out');
    expect(timers.pending).not.to.include(USUAL_MS);
  });

  it('asks a centre to end what nobody reads to its end', async () => {
    const ended = new Deferred<void>();
    centre.answer = (response) => {
      response.on('close', () => ended.resolve());
      response.write(`${JSON.stringify(head)}\n`);
    };
    using timers = new RecordedTimers();
    for await (const part of transportTo(centre.url).snapshot()) {
      expect(part).to.deep.equal(head);
      break;
    }
    await ended.promise;
    expect(timers.pending).not.to.include(USUAL_MS);
  });

  it('takes an answer of 4 MiB, and not of one byte more', async () => {
    const text = JSON.stringify(answer);
    const transport = transportTo(centre.url);
    centre.answer = (response) => response.end(text.padEnd(MOST_BYTES));
    expect(await transport.push(batch)).to.deep.equal(answer);
    centre.answer = (response) => response.end(text.padEnd(MOST_BYTES + 1));
    expect(await reasonOf(transport.push(batch))).to.equal('answer');
  });

  it('takes a line of 65,536 characters of a snapshot, and none that is longer', async () => {
    const first = async (length: number): Promise<unknown> => {
      // Separate pieces, which a network could join.
      const pieces = [JSON.stringify(head).padEnd(length), '\n'].map((text) =>
        new TextEncoder().encode(text),
      );
      const transport = new HttpSyncTransport({
        url: 'https://centre.example.org',
        readToken: () => Promise.resolve('tb_1'),
        fetch: () => Promise.resolve(new Response(ReadableStream.from(pieces))),
      });
      return (await transport.snapshot().next()).value;
    };
    expect(await first(65_536)).to.deep.equal(head);
    expect(await reasonOf(first(65_537))).to.equal('answer');
  });
});

describe('HttpSyncTransport', () => {
  let centre: FakeCentre;
  beforeEach(async () => {
    centre = await FakeCentre.start();
  });
  afterEach(() => centre[Symbol.asyncDispose]());

  it('does not abort a request that has ended already', async () => {
    centre.answer = sends(200, answer);
    const signals: (AbortSignal | null | undefined)[] = [];
    const transport = new HttpSyncTransport({
      url: centre.url,
      readToken: () => Promise.resolve('tb_1'),
      fetch: (input, init) => {
        signals.push(init?.signal);
        return fetch(input, init);
      },
    });
    await transport.push(batch);
    transport.abort();
    expect(signals.map((signal) => signal?.aborted)).to.deep.equal([false]);
  });

  it('says which media types it takes, and sends no Content-Type without a body', async () => {
    centre.answer = sends(200, { origin: 'c', cursor: 7, items: [], now });
    const transport = transportTo(centre.url);
    await transport.changes(undefined, 0);
    const [{ method, headers } = expect.fail()] = centre.asked;
    expect(method).to.equal('GET');
    expect(headers).to.include({ accept: 'application/json, application/jsonl', 'user-agent': 'tallybook' });
    expect(headers).not.to.have.property('content-type');
    expect(transport.host).to.equal(new URL(centre.url).host);
  });

  it('takes 1 to 3,600,000 ms for an answer', () => {
    for (const timeoutMs of [1, 3_600_000]) {
      const make = (): unknown =>
        new HttpSyncTransport({ url: 'https://a', readToken: () => Promise.resolve(''), timeoutMs });
      expect(make).not.to.throw();
    }
  });
});

describe('the time of a request', () => {
  const held = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  it('keeps no program alive', () => {
    const before = held();
    using deadline = new Deadline(1_000_000, () => undefined);
    expect(held()).to.equal(before);
    deadline.renew();
    expect(held()).to.equal(before);
  });

  it('aborts the request when it is over, and is not over if the request is aborted before', () => {
    using timers = new RecordedTimers();
    let ends = 0;
    {
      using deadline = new Deadline(5_000, () => ends++);
      deadline.renew();
      expect(timers.pending).to.deep.equal([5_000]);
      timers.expire(5_000);
      expect([deadline.isOver, deadline.signal.aborted]).to.deep.equal([true, true]);
    }
    {
      using deadline = new Deadline(5_000, () => ends++);
      deadline.abort();
      expect([deadline.isOver, deadline.signal.aborted]).to.deep.equal([false, true]);
    }
    expect(ends).to.equal(2);
    expect(timers.pending).to.deep.equal([]);
  });
});
