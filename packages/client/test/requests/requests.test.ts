import { expect } from 'chai';
import { TallybookClient } from '../../src/index.js';
import { caught } from '../fixtures/caught.js';
import { Exchange } from '../fixtures/exchange.js';

const ID = '04A2B3C4D5';

describe('TallybookClient', () => {
  it('requests the whole resource again if the service gave no ETag', async () => {
    const exchange = Exchange.json({});
    const known = await exchange.client.get('/api/mapping');
    await exchange.client.get('/api/mapping', { known });
    expect(exchange.headers.has('If-None-Match')).to.equal(false);
  });

  it('refuses a 304 to a request without an ETag', async () => {
    const unchanged = new Exchange(() => new Response(null, { status: 304 }));
    expect(await caught(unchanged.client.get('/api/mapping'))).to.include({
      kind: 'invalid-answer',
      status: 304,
    });
  });

  it('gives roles, expected cursor and subject of a refusal, if the problem has them', async () => {
    const headers = { 'Content-Type': 'application/problem+json' };
    const refusing = (problem: object): Exchange =>
      new Exchange(() => new Response(JSON.stringify(problem), { status: 403, headers }));
    const whole = { roles: ['desk', 'admin'], expected: 7, subject: 's1', code: 'NOT_ALLOWED' };
    const told = await caught(refusing(whole).client.get('/api/mapping'));
    expect(told).to.deep.include(whole);
    const { roles, expected, subject, refused } = await caught(
      refusing({ roles: 'all' }).client.get('/api/mapping'),
    );
    expect([roles, expected, subject, refused]).to.deep.equal([[], undefined, undefined, []]);
  });

  it('gives the received file, which may have no content', async () => {
    const { client } = new Exchange(() => new Response(null, { headers: { 'Content-Type': 'text/csv' } }));
    const { type, stream } = await client.download('/api/csv', { query: { from: 1, to: 2 } });
    expect([type, await new Response(stream).text()]).to.deep.equal(['text/csv', '']);
  });

  it('refuses an answer without a type, and describes it', async () => {
    const nothing = new Response(new Uint8Array());
    const error = await caught(new Exchange(() => nothing).client.get('/api/mapping'));
    expect(error.message).to.equal('this is not Tallybook: it sent nothing, not application/json');
    const lost = await caught(
      new Exchange(() => new Response('', { status: 404 })).client.find('/api/mapping', {
        query: { id: ID, format: 'hex' },
      }),
    );
    expect(lost.message).to.equal('this is not Tallybook: it sent 404 without a reason');
  });

  it('reads a problem of any charset', async () => {
    const problem = (): Response =>
      new Response('{"detail":"no such tag"}', {
        status: 400,
        headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
      });
    expect(await caught(new Exchange(problem).client.get('/api/mapping'))).to.include({
      message: 'no such tag',
    });
  });

  it('keeps the reason why no answer came in time', async () => {
    const cause = new Error('aborted');
    const client = new TallybookClient('http://pi/', {
      timeoutMs: 1,
      fetch: (_url, { signal } = {}) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(cause))),
    });
    expect(await caught(client.get('/api/mapping'))).to.have.property('cause', cause);
  });
});
