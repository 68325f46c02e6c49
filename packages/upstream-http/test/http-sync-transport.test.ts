import { gzipSync } from 'node:zlib';
import { isTallybookError, TallybookError } from '@tallybook/domain';
import type { ReadSnapshotPart } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { HttpSyncTransport, type HttpSyncTransportOptions } from '../src/index.js';
import { RecordedTimers } from '../../testing/test/fixtures/recorded-timers.js';
import { answer, batch, FakeCentre, now, sends } from './fake-centre.js';

const TOKEN = 'tb_0123456789abcdef';

function transportTo(url: string, options: Partial<HttpSyncTransportOptions> = {}): HttpSyncTransport {
  return new HttpSyncTransport({ url, readToken: () => Promise.resolve(TOKEN), ...options });
}

/** The error of a rejected promise. It must not contain the token. */
async function failureOf(work: Promise<unknown>): Promise<TallybookError> {
  const error: unknown = await work.then(
    () => expect.fail('it was expected to reject'),
    (reason: unknown) => reason,
  );
  if (!isTallybookError(error)) throw error;
  expect(`${error.stack} ${JSON.stringify(error.details)}`).not.to.include(TOKEN);
  return error;
}

async function partsOf(transport: HttpSyncTransport): Promise<readonly ReadSnapshotPart[]> {
  const parts: ReadSnapshotPart[] = [];
  for await (const part of transport.snapshot()) parts.push(part);
  return parts;
}

describe('HttpSyncTransport', () => {
  let centre: FakeCentre;
  beforeEach(async () => {
    centre = await FakeCentre.start();
  });
  afterEach(() => centre[Symbol.asyncDispose]());

  it('posts a batch below the path of the centre, with the token', async () => {
    centre.answer = sends(200, answer);
    expect(await transportTo(`${centre.url}/tally`).push(batch)).to.deep.equal(answer);
    const [{ method, target, headers, body } = expect.fail()] = centre.asked;
    expect([method, target]).to.deep.equal(['POST', '/tally/api/sync']);
    expect(headers).to.include({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' });
    expect(JSON.parse(body)).to.deep.equal(batch);
  });

  it('asks for the token anew for each request', async () => {
    centre.answer = sends(200, answer);
    let count = 0;
    const transport = transportTo(centre.url, { readToken: () => Promise.resolve(`tb_${++count}`) });
    await transport.push(batch);
    await transport.push(batch);
    expect(centre.asked.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer tb_1',
      'Bearer tb_2',
    ]);
  });

  it('asks for changes after a place, and for the present place without one', async () => {
    const changes = { origin: 'c', cursor: 7, items: [], now };
    centre.answer = sends(200, changes);
    const transport = transportTo(centre.url);
    expect(await transport.changes(undefined, 0)).to.deep.equal(changes);
    await transport.changes({ origin: 'c & d', cursor: 6 }, 25_999);
    expect(centre.asked.map(({ target }) => target)).to.deep.equal([
      '/api/sync/changes?protocol=1&wait=0',
      '/api/sync/changes?protocol=1&origin=c+%26+d&after=6&wait=25',
    ]);
  });

  it('reads a snapshot part by part, compressed or not', async () => {
    const parts: ReadSnapshotPart[] = [
      { kind: 'head', origin: 'c', cursor: 7, now },
      { kind: 'end', items: 0 },
    ];
    const lines = parts.map((part) => `${JSON.stringify(part)}\n`).join('');
    centre.answer = (response) => response.end(lines);
    expect(await partsOf(transportTo(centre.url))).to.deep.equal(parts);
    centre.answer = (response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync(lines));
    expect(await partsOf(transportTo(centre.url))).to.deep.equal(parts);
  });

  it('rejects when a snapshot breaks off', async () => {
    centre.answer = (response) => {
      response.write(`${JSON.stringify({ kind: 'head', origin: 'c', cursor: 7, now })}\n{"kind":"e`);
      setImmediate(() => response.destroy());
    };
    const error = await failureOf(partsOf(transportTo(centre.url)));
    expect(error.code).to.equal('UPSTREAM_UNAVAILABLE');
  });

  for (const [status, code, sent] of [
    [409, 'SYNC_GAP', { code: 'SYNC_GAP', expected: 17, detail: 'a gap' }],
    [500, 'UPSTREAM_UNAVAILABLE', { code: 'STORE_WRITE_FAILED' }],
    [404, 'UPSTREAM_UNAVAILABLE', {}],
  ] as const) {
    it(`rejects with ${code} when the answer is ${status} with ${JSON.stringify(sent)}`, async () => {
      centre.answer = sends(status, sent);
      const error = await failureOf(transportTo(centre.url).push(batch));
      expect(error.code).to.equal(code);
      const reason = { 401: 'refused', 403: 'refused', 404: 'no-centre' }[String(status)] ?? 'answer';
      expect(error.details).to.include({ status, reason, host: new URL(centre.url).host });
      if (code === 'SYNC_GAP') expect(error.details['expected']).to.equal(17);
    });
  }

  it('follows no redirect, so that nobody else gets the token', async () => {
    await using other = await FakeCentre.start();
    centre.answer = (response) => response.writeHead(307, { Location: `${other.url}/api/sync` }).end();
    const error = await failureOf(transportTo(centre.url).push(batch));
    expect(error.code).to.equal('UPSTREAM_UNAVAILABLE');
    expect(error.details['reason']).to.equal('redirect');
    expect(other.asked).to.deep.equal([]);
  });

  it('reads no answer without end', async () => {
    centre.answer = (response) => {
      const more = (): boolean => response.write('x'.repeat(65_536));
      response.on('drain', more);
      more();
    };
    const transport = transportTo(centre.url);
    for (const ask of [
      () => transport.push(batch),
      () => transport.changes(undefined, 0),
      () => partsOf(transport),
    ]) {
      const error = await failureOf(ask());
      expect(error.message).to.match(/gives an answer that no centre gives/);
    }
  });

  for (const text of ['', '<html>', '[', '\xff']) {
    it(`rejects with UPSTREAM_UNAVAILABLE for the answer ${JSON.stringify(text)}`, async () => {
      centre.answer = (response) => response.end(Buffer.from(text, 'latin1'));
      const error = await failureOf(transportTo(centre.url).push(batch));
      expect(error.code).to.equal('UPSTREAM_UNAVAILABLE');
      expect(error.details['reason']).to.equal('answer');
    });
  }

  it('shows what a centre says in one line, without control characters', async () => {
    centre.answer = sends(500, { detail: `\u001b[31mred\nline${'x'.repeat(1_000)}` });
    const { message } = await failureOf(transportTo(centre.url).push(batch));
    expect(message).to.match(/^[\x20-\x7e\uFFFD]*$/u);
    expect(message).to.include('\uFFFD[31mred\uFFFDline');
  });

  it('gives up a centre that does not answer', async () => {
    centre.answer = () => undefined;
    const error = await failureOf(transportTo(centre.url, { timeoutMs: 1 }).push(batch));
    expect(error.details['reason']).to.equal('time-out');
  });

  it('gives up what is under way when it is told to, and goes on with what is asked for later', async () => {
    centre.answer = () => undefined;
    const transport = transportTo(centre.url);
    // Nothing ends by time.
    using timers = new RecordedTimers([55_000]);
    const failing = failureOf(transport.changes(undefined, 25_000));
    await centre.hasBeenAsked(1);
    expect(timers.pending).to.include(55_000);
    transport.abort();
    expect((await failing).code).to.equal('UPSTREAM_UNAVAILABLE');
    expect(timers.pending).to.not.include(55_000);
    centre.answer = sends(200, answer);
    expect(await transport.push(batch)).to.deep.equal(answer);
  });

  it('takes no page for an answer, and says that it may be one to sign in', async () => {
    centre.answer = (response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<form>Sign in</form>');
    const transport = transportTo(centre.url);
    const readSnapshot = async (): Promise<void> => {
      for await (const part of transport.snapshot()) expect(part).to.equal(undefined);
    };
    for (const ask of [() => transport.push(batch), () => transport.changes(undefined, 0), readSnapshot]) {
      const error = await failureOf(ask());
      expect(error.message).to.match(/answers with a page for people \(200\), as a sign-in page/);
      expect(error.details['reason']).to.equal('page');
    }
  });

  it('asks nobody if there is no token', async () => {
    const missing = new TallybookError('UPSTREAM_UNAVAILABLE', 'the file of the token does not exist');
    const transport = transportTo(centre.url, { readToken: () => Promise.reject(missing) });
    expect(await failureOf(transport.push(batch))).to.equal(missing);
    const unread = transportTo(centre.url, { readToken: () => Promise.reject(new Error('it is empty')) });
    expect(await failureOf(unread.push(batch))).to.deep.include({
      ...{ code: 'UPSTREAM_UNAVAILABLE', message: 'the token for the centre cannot be read: it is empty' },
      details: { reason: 'token' },
    });
    expect(centre.asked).to.deep.equal([]);
  });

  it('refuses times that are none', () => {
    for (const timeoutMs of [0, -1, Number.NaN, 3_600_001]) {
      expect(() => transportTo('https://a', { timeoutMs })).to.throw(TallybookError, /^timeoutMs is 1 to/);
    }
  });
});
