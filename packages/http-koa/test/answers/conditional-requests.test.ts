import { parseName, parseTallyId, toDay } from '@tallybook/domain';
import { expect } from 'chai';
import { useService } from '../fixtures/running-service.js';

const ada = { id: '04A2B3C4D5', name: { first: 'Ada', last: 'Lovelace' } };

function ifNoneMatch(value: string): RequestInit {
  return { headers: { 'If-None-Match': value } };
}

describe('conditional requests', () => {
  const service = useService();

  const targets = [
    '/api/mapping',
    '/api/mappings',
    '/api/day?day=20413',
    '/api/day?day=20413&expand=entries',
    '/api/days?from=0&to=9999999999',
    '/api/openapi.json',
  ];
  for (const target of targets) {
    it(`on ${target} are answered with 304 and no body while nothing changed`, async () => {
      await service.tap(ada.id);
      const { headers } = await service.request(target);
      const etag = headers.get('etag') ?? '';
      expect(etag).to.match(/^"[\w-]{43}"$/);
      for (const known of [etag, `W/${etag}`, '*', `"x", W/"y",${etag} , "z"`]) {
        const answer = await service.request(target, ifNoneMatch(known));
        expect([answer.status, answer.text], known).to.deep.equal([304, '']);
        expect(answer.headers.get('etag')).to.equal(etag);
        expect(answer.headers.get('cache-control')).to.equal('private, no-cache');
        expect(answer.headers.has('content-type')).to.equal(false);
      }
    });

    it(`on ${target} are answered with 200 when the client has something else`, async () => {
      await service.tap(ada.id);
      const { headers } = await service.request(target);
      const bare = headers.get('etag')?.slice(1, -1) ?? '';
      for (const other of ['"x"', bare, `"${bare}`, '', ',', 'W/', '"*"']) {
        expect((await service.request(target, ifNoneMatch(other))).status, other).to.equal(200);
      }
    });
  }

  it('are answered with 304 to HEAD as well', async () => {
    const etag = (await service.request('/api/mapping')).headers.get('etag') ?? '';
    const { status } = await service.request('/api/mapping', { method: 'HEAD', ...ifNoneMatch(etag) });
    expect(status).to.equal(304);
  });

  it('are answered with 404 for a missing resource, with every ETag of the client', async () => {
    expect((await service.request('/api/day?day=1', ifNoneMatch('*'))).status).to.equal(404);
  });
});

describe('an unchanged answer', () => {
  const service = useService();

  it('is not read again: mapping', async () => {
    await service.post(ada);
    const first = await service.request('/api/mapping');
    const second = await service.request('/api/mapping');
    await service.request('/api/mapping', ifNoneMatch(first.headers.get('etag') ?? ''));
    expect(second.text).to.equal(first.text);
    expect(service.mapping.reads).to.equal(1);
  });

  it('is not read again: day, once for each form, and days, once for each range', async () => {
    await service.tap(ada.id);
    const targets = [
      '/api/day?day=20413',
      '/api/day?day=20413&expand=entries',
      '/api/days?from=0&to=9999999999',
      '/api/days?from=0&to=1',
    ];
    const before = service.days.reads;
    const answers = [];
    for (const target of [...targets, ...targets]) answers.push((await service.request(target)).text);
    expect(answers.slice(4)).to.deep.equal(answers.slice(0, 4));
    expect(service.days.reads).to.equal(before + 4);
  });

  it('is read again after a write by this service or directly to the store', async () => {
    const etags = new Set([(await service.request('/api/mapping')).headers.get('etag')]);
    await service.post(ada);
    etags.add((await service.request('/api/mapping')).headers.get('etag'));
    await service.mapping.put(parseTallyId('0011223344'), parseName({ first: 'Bob', last: '' }));
    const { headers, text } = await service.request('/api/mapping');
    etags.add(headers.get('etag'));
    expect(etags.size).to.equal(3);
    expect(Object.keys(JSON.parse(text) as object)).to.deep.equal(['0011223344', '04A2B3C4D5']);
  });

  it('is read again after a scan, and after a removal', async () => {
    const target = '/api/day?day=20413';
    await service.tap(ada.id);
    expect((await service.request(target)).text).to.equal('{"date":20413,"ids":["04A2B3C4D5"]}');
    await service.tap('0011223344');
    expect((await service.request(target)).text).to.equal('{"date":20413,"ids":["04A2B3C4D5","0011223344"]}');
    expect((await service.request('/api/days?from=0&to=9999999999')).text).to.equal('[20413]');
    await service.days.remove(toDay(20_413));
    expect((await service.request(target)).status).to.equal(404);
    expect((await service.request('/api/days?from=0&to=9999999999')).text).to.equal('[]');
  });
});
