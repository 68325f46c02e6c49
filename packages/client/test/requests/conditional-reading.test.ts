import { expect } from 'chai';
import { RunningService } from '../../../http-koa/test/fixtures/running-service.js';
import { TallybookClient } from '../../src/index.js';
import { clientOf } from '../fixtures/connected.js';
import { StandIn } from '../fixtures/stand-in.js';

const ADA = { first: 'Ada', last: 'Lovelace' };

describe('reading a known resource again', () => {
  it('gives the same object while nothing has changed, and another one after a change', async () => {
    await using service = await RunningService.start();
    const statuses: number[] = [];
    const client = clientOf(service, {
      fetch: async (...request) => {
        const response = await fetch(...request);
        statuses.push(response.status);
        return response;
      },
    });
    const first = await client.get('/api/mapping');
    const second = await client.get('/api/mapping', { known: first });
    expect(second).to.equal(first);
    await client.post('/api/mapping', { body: { id: '04A2B3C4D5', format: 'hex', name: ADA } });
    const third = await client.get('/api/mapping', { known: second });
    expect(third).to.deep.equal({ '04A2B3C4D5': ADA });
    expect(await client.get('/api/mapping', { known: third })).to.equal(third);
    expect(statuses).to.deep.equal([200, 304, 201, 200, 304]);
  });

  it('requests a resource without an ETag if it is not known from this path', async () => {
    await using service = await StandIn.start(({ url }, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ETag: '"1"' }).end(JSON.stringify([url]));
    });
    const client = new TallybookClient(service.url);
    const known = await client.get('/api/days', { query: { from: 0, to: 1 } });
    await client.get('/api/days', { query: { from: 0, to: 2 }, known });
    await client.get('/api/days', { query: { from: 0, to: 1 }, known: [] });
    await client.get('/api/days', { query: { from: 0, to: 1 }, known });
    expect(service.requests.map(({ headers }) => headers['if-none-match'])).to.deep.equal([
      undefined,
      undefined,
      undefined,
      '"1"',
    ]);
  });

  it('gives undefined for a resource that no longer exists', async () => {
    await using service = await RunningService.start();
    await service.tap('04A2B3C4D5');
    const client = clientOf(service);
    const timestamp = service.clock.now();
    const known = await client.find('/api/day', { query: { timestamp } });
    expect(known?.ids).to.deep.equal(['04A2B3C4D5']);
    expect(await client.delete('/api/day', { query: { timestamp } })).to.equal(true);
    expect(await client.delete('/api/day', { query: { timestamp } })).to.equal(false);
    expect(await client.find('/api/day', { query: { timestamp }, ...(known ? { known } : {}) })).to.equal(
      undefined,
    );
  });
});
