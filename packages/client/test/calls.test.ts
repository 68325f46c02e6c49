import { expect } from 'chai';
import type { TallybookClient } from '../src/index.js';
import { Exchange } from './fixtures/exchange.js';

const TAG = { id: '04A2B3C4D5', format: 'hex' } as const;
const NAME = { first: 'Ada', last: 'Lovelace' };

describe('a call of TallybookClient', () => {
  it('has the parameters of the path and the query', async () => {
    const exchange = Exchange.json({ acked: 0, results: [] });
    await exchange.client.post('/api/readers/{name}/readings', {
      params: { name: 'front gate' },
      body: { readings: [] },
    });
    await exchange.client.get('/api/csv', { query: { from: 1, to: 2n, zone: 'Europe/Berlin' } });
    expect(exchange.asked).to.deep.equal([
      'POST http://pi/api/readers/front%20gate/readings {"readings":[]}',
      'GET http://pi/api/csv?from=1&to=2&zone=Europe%2FBerlin',
    ]);
  });

  it('leaves out what is undefined', async () => {
    const exchange = Exchange.json([]);
    await exchange.client.get('/api/audit', { query: { after: undefined, limit: 9 } });
    await exchange.client.post('/api/people', { query: { format: undefined }, body: 'x' });
    expect(exchange.asked).to.deep.equal(['GET http://pi/api/audit?limit=9', 'POST http://pi/api/people x']);
  });

  it('sends JSON, an empty object without a body, and texts and files as they are', async () => {
    const exchange = Exchange.json({});
    const types = [];
    await exchange.client.post('/api/time', { body: { time: 5, confirm: true } });
    types.push(exchange.headers.get('Content-Type'));
    await exchange.client.post('/api/session/provider');
    types.push(exchange.headers.get('Content-Type'));
    for (const body of ['id,first', new Blob(['id,first']), new TextEncoder().encode('id,first')]) {
      await exchange.client.post('/api/people', { query: { format: 'hex' }, body });
      types.push(exchange.headers.get('Content-Type'));
    }
    const JSON_TYPE = 'application/json';
    expect(types).to.deep.equal([JSON_TYPE, JSON_TYPE, 'text/csv', 'text/csv', 'text/csv']);
    expect(exchange.asked.slice(0, 3)).to.deep.equal([
      'POST http://pi/api/time {"time":5,"confirm":true}',
      'POST http://pi/api/session/provider {}',
      'POST http://pi/api/people?format=hex id,first',
    ]);
  });

  it('gives the JSON of the answer, or the status of an answer without a body', async () => {
    const { client } = Exchange.json({ id: 'one' });
    expect(await client.post('/api/passkeys', { body: { label: 'phone', answer: {} } })).to.deep.equal({
      id: 'one',
    });
    for (const status of [200, 201] as const) {
      const exchange = Exchange.empty(status);
      const body = { ...TAG, name: NAME };
      expect(await exchange.client.post('/api/mapping', { body })).to.equal(status);
    }
  });

  it('gives nothing for 404 where there may be nothing, and says whether there was something to remove', async () => {
    const headers = { 'Content-Type': 'application/problem+json' };
    const without = new Exchange(() => new Response('{}', { status: 404, headers }));
    expect(await without.client.find('/api/mapping', { query: TAG })).to.equal(undefined);
    expect(await without.client.delete('/api/mapping', { query: TAG })).to.equal(false);
    expect(await Exchange.empty(204).client.delete('/api/mapping', { query: TAG })).to.equal(true);
  });

  it('rejects for any other refusal, and for 404 of a get', async () => {
    const headers = { 'Content-Type': 'application/problem+json' };
    const refusing = new Exchange(() => new Response('{}', { status: 403, headers }));
    for (const call of [
      refusing.client.find('/api/mapping', { query: TAG }),
      refusing.client.delete('/api/mapping', { query: TAG }),
      new Exchange(() => new Response('{}', { status: 404, headers })).client.get('/api/status'),
    ])
      expect(await call.catch((error: unknown) => error)).to.have.property('kind', 'http');
  });

  it('makes links with their parameters', () => {
    const { client } = Exchange.empty();
    expect(client.url('/api/export')).to.equal('http://pi/api/export');
    expect(client.url('/api/person/data', { query: TAG })).to.equal(
      'http://pi/api/person/data?id=04A2B3C4D5&format=hex',
    );
  });
});

// Compiles only if each of these calls is refused.
export const wrong = (client: TallybookClient, expand: 'entries' | undefined): readonly unknown[] => [
  // @ts-expect-error The spelling of the id is missing.
  client.find('/api/mapping', { query: { id: '04A2B3C4D5' } }),
  // @ts-expect-error The spelling of the tag is missing.
  client.get('/api/person', { query: { tag: '04A2B3C4D5' } }),
  // @ts-expect-error The range is missing.
  client.get('/api/days'),
  client.get('/api/day', { query: { day: 1, expand } }).then((day) => {
    // @ts-expect-error A day may have no entries.
    const { entries }: { readonly entries: readonly object[] } = day;
    return entries;
  }),
  // @ts-expect-error There is no such path.
  client.get('/api/nothing'),
  // @ts-expect-error There is no such shape.
  client.get('/api/csv', { query: { from: 1, to: 2, shape: 'x' } }),
  // @ts-expect-error The body is missing.
  client.post('/api/mapping'),
];
