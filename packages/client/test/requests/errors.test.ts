import { expect } from 'chai';
import { RunningService } from '../../../http-koa/test/fixtures/running-service.js';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { TallybookClient } from '../../src/index.js';
import { caught } from '../fixtures/caught.js';
import { clientOf } from '../fixtures/connected.js';
import { StandIn } from '../fixtures/stand-in.js';

const RANGE = { from: 0, to: 1 };
const named = (id: string) => ({ id, format: 'hex' as const, name: { first: 'Ada', last: '' } });

describe('a request that fails', () => {
  it('has the status, the code and the message of the service', async () => {
    await using service = await RunningService.start();
    const error = await caught(clientOf(service).post('/api/mapping', { body: named('04') }));
    expect(error).to.include({
      name: 'TallybookClientError',
      kind: 'http',
      status: 400,
      code: 'INVALID_TALLY_ID',
    });
    expect(error.message).to.match(/^id: /);
    expect(error.refused).to.deep.equal([]);
  });

  it('has no code if the request was no valid HTTP', async () => {
    await using service = await RunningService.start({ allowedHosts: [] });
    const client = clientOf(service, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    const error = await caught(client.get('/api/mapping'));
    expect(error).to.include({ kind: 'http', status: 403, code: undefined });
  });

  it('names the lines that were refused', async () => {
    const refused = [{ line: 3, code: 'INVALID_TALLY_ID', message: 'id: too short' }];
    const problem = { type: 'about:blank', title: 'x', status: 422, detail: 'a line' };
    const text = JSON.stringify({ ...problem, code: 'LINES_REFUSED', refused });
    await using service = await StandIn.answer(422, { 'Content-Type': 'application/problem+json' }, text);
    const error = await caught(
      new TallybookClient(service.url).post('/api/people', { query: { format: undefined }, body: 'x' }),
    );
    expect(error).to.include({ kind: 'http', status: 422, code: 'LINES_REFUSED', message: 'a line' });
    expect(error.refused).to.deep.equal(refused);
  });

  it('says when to try again', async () => {
    await using service = await StandIn.answer(503, { 'Retry-After': '10' });
    const error = await caught(new TallybookClient(service.url).get('/api/mapping'));
    expect(error).to.include({ kind: 'http', status: 503, retryAfterMs: 10_000 });
    expect(error.message).to.equal('the service answered 503');
  });

  it('is of the network if no answer comes', async () => {
    await using held = await HeldPort.take();
    const error = await caught(new TallybookClient(`http://127.0.0.1:${held.port}/`).get('/api/mapping'));
    expect(error).to.include({ kind: 'network', status: undefined });
    expect(error.cause).to.be.instanceOf(Error);
  });

  it('is of the network if the answer breaks off', async () => {
    await using service = await StandIn.start((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"04A2B3C4D5"', () => response.destroy());
    });
    expect(await caught(new TallybookClient(service.url).get('/api/mapping'))).to.include({
      kind: 'network',
    });
  });

  it('is of the network if the answer takes too long to begin or to end', async () => {
    for (const begin of [false, true]) {
      await using service = await StandIn.start((_request, response) => {
        if (begin) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
      });
      const error = await caught(new TallybookClient(service.url, { timeoutMs: 50 }).get('/api/mapping'));
      expect(error).to.include({ kind: 'network', message: 'no answer within 0.05 seconds' });
    }
  });

  it('waits half a minute by default, and longer by the time that the service was asked to wait', async () => {
    using timers = new RecordedTimers();
    await using service = await StandIn.answer(200, { 'Content-Type': 'application/json' }, '{}');
    const client = new TallybookClient(service.url);
    await client.get('/api/mapping');
    expect(timers.delays).to.include(30_000).and.not.include(50_000);
    await client.get('/api/sync/changes', {
      query: { origin: 'centre', after: 7, wait: 20 },
      waitMs: 20_000,
    });
    expect(timers.delays).to.include(50_000);
    expect(service.requests.at(-1)?.url).to.match(/[?&]wait=20$/);
  });

  it('waits for ever without a time-out', async () => {
    await using service = await StandIn.start(
      (_request, response) => void setImmediate(() => response.end()),
    );
    await new TallybookClient(service.url, { timeoutMs: 0 }).post('/api/time', { body: { time: 0 } });
  });

  it('was aborted, before it began or under way', async () => {
    const controller = new AbortController();
    await using service = await StandIn.start(() => controller.abort());
    const client = new TallybookClient(service.url);
    const { signal } = controller;
    expect(await caught(client.get('/api/mapping', { signal }))).to.include({ kind: 'aborted' });
    expect(await caught(client.get('/api/mapping', { signal }))).to.include({ kind: 'aborted' });
    expect(await caught(client.download('/api/export', { signal }))).to.include({ kind: 'aborted' });
    expect(service.requests).to.have.length(1);
  });

  it('is an invalid answer if another program than Tallybook answered', async () => {
    await using login = await StandIn.page();
    const client = new TallybookClient(login.url);
    const calls: (() => Promise<unknown>)[] = [
      () => client.get('/api/mapping'),
      () => client.post('/api/mapping', { body: named('04A2B3C4D5') }),
      () => client.delete('/api/day', { query: { day: 1 } }),
      () => client.post('/api/time', { body: { time: 1 } }),
      () => client.download('/api/csv', { query: RANGE }),
    ];
    for (const call of calls) {
      const error = await caught(call());
      expect(error).to.include({ kind: 'invalid-answer', status: 200 });
      expect(error.message).to.match(/^this is not Tallybook: /);
    }
  });

  it('is an invalid answer if the answer is not JSON', async () => {
    await using broken = await StandIn.answer(200, { 'Content-Type': 'application/json' }, '{');
    expect(await caught(new TallybookClient(broken.url).get('/api/mapping'))).to.include({
      kind: 'invalid-answer',
    });
  });

  it('does not take the 404 of another program for a day without a record', async () => {
    await using other = await StandIn.page(404);
    const error = await caught(new TallybookClient(other.url).find('/api/day', { query: { day: 1 } }));
    expect(error).to.include({ kind: 'invalid-answer', status: 404 });
  });

  it('has only its status as the message if the problem is not JSON', async () => {
    await using broken = await StandIn.answer(500, { 'Content-Type': 'application/problem+json' }, '{');
    const error = await caught(new TallybookClient(broken.url).get('/api/mapping'));
    expect(error).to.include({ kind: 'http', status: 500, message: 'the service answered 500' });
  });
});

describe('a request', () => {
  it('sends a token and headers, which are read for each request', async () => {
    await using service = await StandIn.answer(200);
    let count = 0;
    const headers = (): Record<string, string> => ({ 'X-Count': String(++count) });
    const client = new TallybookClient(service.url, { token: 'secret', headers });
    await client.post('/api/time', { body: { time: 1 } });
    await client.post('/api/time', { body: { time: 2 } });
    expect(service.requests.map((request) => request.headers.authorization)).to.deep.equal([
      'Bearer secret',
      'Bearer secret',
    ]);
    expect(service.requests.map((request) => request.headers['x-count'])).to.deep.equal(['1', '2']);
  });

  it('goes below the path of the base URL', async () => {
    await using service = await StandIn.answer(200);
    await new TallybookClient(`${service.url}/hall`).post('/api/time', { body: { time: 1 } });
    await new TallybookClient(`${service.url}/hall/?page=1#names`).post('/api/time', { body: { time: 1 } });
    expect(service.requests.map(({ url }) => url)).to.deep.equal(['/hall/api/time', '/hall/api/time']);
  });

  it('leaves no listener on the signal', async () => {
    await using service = await StandIn.answer(200);
    const { signal } = new AbortController();
    const heard: string[] = [];
    signal.addEventListener = (type: string) => void heard.push(`${type} added`);
    signal.removeEventListener = (type: string) => void heard.push(`${type} removed`);
    await new TallybookClient(service.url).post('/api/time', { body: { time: 1 }, signal });
    expect(heard).to.deep.equal(['abort added', 'abort removed']);
  });
});
