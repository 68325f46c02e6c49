import { parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService, useService } from '../../fixtures/running-service.js';
import { StreamClient } from '../../fixtures/stream-client.js';

const id = '04A2B3C4D5';
const ada = { first: 'Ada', last: 'Lovelace' };
const json = { headers: { Accept: 'application/json' } };

describe('GET /api/mapping?id=', () => {
  it('is the name of the tag, in any spelling of its id', async () => {
    await using service = await RunningService.start();
    await service.post({ id, name: ada });
    for (const spelling of [id, '04:a2:b3:c4:d5', '04+A2+B3+C4+D5']) {
      const { status, text } = await service.request(`/api/mapping?id=${spelling}`);
      expect([status, text], spelling).to.deep.equal([200, '{"first":"Ada","last":"Lovelace"}']);
    }
  });

  it('is 404 with a code if the tag has none, also after it had one', async () => {
    await using service = await RunningService.start();
    const target = `/api/mapping?id=${id}`;
    const { status, text } = await service.request(target);
    expect([status, text]).to.deep.equal([404, 'the tag has no name']);
    expect(JSON.parse((await service.request(target, json)).text)).to.include({ code: 'NAME_NOT_FOUND' });
    await service.post({ id, name: ada });
    const etag = (await service.request(target)).headers.get('etag') ?? '';
    const known = { headers: { 'If-None-Match': etag } };
    expect((await service.request(target, known)).status).to.equal(304);
    await service.mapping.remove(parseTallyId(id));
    expect((await service.request(target, known)).status).to.equal(404);
    expect(service.reports).to.deep.equal([]);
  });
});

describe('GET /api/mappings', () => {
  it('lists the tags with a name, ascending, and changes with the mapping', async () => {
    await using service = await RunningService.start();
    const { headers, text } = await service.request('/api/mappings');
    expect(text).to.equal('[]');
    for (const each of ['FF0000', '1000000000', '04A2B3C4D5']) await service.post({ id: each, name: ada });
    const etag = headers.get('etag') ?? '';
    const again = await service.request('/api/mappings', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).to.deep.equal([200, '["04A2B3C4D5","1000000000","FF0000"]']);
  });

  it('is put together from pages', async () => {
    await using service = await RunningService.start();
    const ids = Array.from({ length: 1_201 }, (_, n) => parseTallyId(String(n).padStart(8, '0')));
    await service.mapping.change(new Map(ids.map((each) => [each, ada])));
    expect(await service.json('/api/mappings')).to.deep.equal(ids);
  });
});

describe('DELETE /api/mapping?id=', () => {
  const service = useService();

  const remove = (service: RunningService, query: string) =>
    service.request(`/api/mapping${query}`, { method: 'DELETE', ...json });

  it('removes the name of a tag, and announces that without the name', async () => {
    await service.post({ id, name: ada });
    await service.post({ id: '010203', name: ada });
    const { status, text } = await remove(service, '?id=04-a2-b3-c4-d5');
    expect([status, text]).to.deep.equal([204, '']);
    expect((await service.request('/api/mappings')).text).to.equal('["010203"]');
    expect(service.changedNames).to.deep.equal([{ added: 0, changed: 0, removed: 1 }]);
  });

  it('is 404 if the tag has no name', async () => {
    const { status, text } = await remove(service, `?id=${id}`);
    expect(status).to.equal(404);
    expect(JSON.parse(text)).to.include({ code: 'NAME_NOT_FOUND' });
    expect(service.changedNames).to.deep.equal([]);
  });
});

describe('A `names` event', () => {
  it('comes for each change, with numbers and without personal data, and is repeated for a client that connects again', async () => {
    await using service = await RunningService.start();
    const client = await StreamClient.connect(service);
    await service.tap(id);
    await service.post({ id, name: ada });
    await service.post({ id, name: { first: 'Ada', last: '' } });
    await service.request(`/api/mapping?id=${id}`, { method: 'DELETE' });
    const events = await client.receive(5);
    expect(events.slice(2).map(({ event, data }) => [event, data])).to.deep.equal([
      ['names', '{"added":1,"changed":0,"removed":0}'],
      ['names', '{"added":0,"changed":1,"removed":0}'],
      ['names', '{"added":0,"changed":0,"removed":1}'],
    ]);
    const again = await StreamClient.connect(service, events[3]?.['id']);
    expect((await again.receive(1)).map(({ data }) => data)).to.deep.equal([
      '{"added":0,"changed":0,"removed":1}',
    ]);
  });

  it('does not come while the feed is closed', async () => {
    await using service = await RunningService.start();
    await service.events.close();
    await service.post({ id, name: ada });
    await service.events.open();
    const client = await StreamClient.connect(service);
    await service.tap(id);
    expect((await client.receive(1))[0]?.['event']).to.equal('msg');
  });
});
