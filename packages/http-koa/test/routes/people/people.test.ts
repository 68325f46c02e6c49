import type { PeoplePage, PersonDetail, PersonSummary } from '@tallybook/http-contract';
import { expect } from 'chai';
import { useService, type RunningService } from '../../fixtures/running-service.js';

const ADA = '04A2B3C4D5';
const BOB = '0011223344';
const ada = { first: 'Ada', last: 'Lovelace' };
const bob = { first: 'Bob', last: 'Babbage' };
const grace = { first: 'Grace', last: 'Hopper' };

describe('persons over HTTP', () => {
  const service = useService();

  const post = (path: string, body: object): ReturnType<RunningService['post']> =>
    service.post(body, {}, path);
  const add = async (fields: object): Promise<PersonDetail> => {
    const { status, text } = await post('/api/person', fields);
    expect(status, text).to.equal(201);
    return JSON.parse(text) as PersonDetail;
  };
  const person = (query: string): Promise<PersonDetail> => service.json(`/api/person?${query}`);
  const page = (query = ''): Promise<PeoplePage> => service.json(`/api/people${query}`);
  const audited = async (): Promise<readonly unknown[]> => {
    const entries = await service.audit.read(0, 100);
    return entries.map(({ action, details }) => [action, details]);
  };

  it('are those that a name made, with the id of their tag', async () => {
    await service.post({ id: ADA, name: ada });
    const summary: PersonSummary = {
      ...{ id: `tag-${ADA}`, name: ada, number: null, from: null, until: null },
      ...{ tags: [{ id: ADA, since: 0, isLost: false }], groups: [], guest: null },
      ...{ isInDoubt: false, aliases: [] },
    };
    expect(await page()).to.deep.equal({ people: [summary], next: null });
    const holding = {
      person: `tag-${ADA}`,
      name: ada,
      why: 'given',
      since: 0,
      until: null,
      isInDoubt: false,
    };
    const detail = {
      ...summary,
      ...{ timelines: [{ tag: ADA, holdings: [holding] }], memberships: [], doubt: null },
    };
    expect(await person(`id=tag-${ADA}`)).to.deep.equal(detail);
    expect(await person('tag=04:a2:b3:c4:d5')).to.deep.equal(detail);
  });

  it('are added with what is known of them, and changed field by field', async () => {
    const added = await add({ name: grace, number: ' 17 ', from: 20_000 });
    expect(added).to.include({ number: '17', from: 20_000, until: null });
    expect(added.name).to.deep.equal(grace);
    expect(added.tags).to.deep.equal([]);
    const changed = await post('/api/person', { id: added.id, number: null, until: 20_500 });
    expect(changed.status).to.equal(200);
    expect(JSON.parse(changed.text)).to.deep.equal({ ...added, number: null, until: 20_500 });
    expect(await audited()).to.deep.equal([
      ['person-added', {}],
      ['person-changed', {}],
    ]);
  });

  it('may have one name, and keep their own numbers', async () => {
    const [one, other] = [await add({ name: ada, number: '1' }), await add({ name: ada, number: '2' })];
    expect(one.id).to.not.equal(other.id);
    const taken = await post('/api/person', { id: other.id, number: '1' });
    expect([taken.status, taken.text]).to.deep.equal([409, 'number: another person has this number']);
    expect((await post('/api/person', { id: other.id, number: '2' })).status).to.equal(200);
    expect((await person(`id=${other.id}`)).number).to.equal('2');
  });

  it('come in pages, those with rows first, each of them once', async () => {
    for (let n = 0; n < 5; n++) await service.post({ id: `00000${n}`, name: { first: `N${n}`, last: '' } });
    const rows = [await add({ name: ada }), await add({ name: bob }), await add({ name: grace })];
    await post('/api/tag', { id: '000003', act: 'lost' });
    const seen: string[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { people, next } = await page(query);
      seen.push(...people.map(({ id }) => id));
      query = next === null ? '' : `?limit=2&after=${next}`;
    }
    const withRows = [...rows.map(({ id }) => id), 'tag-000003'].sort();
    expect(seen).to.deep.equal([...withRows, 'tag-000000', 'tag-000001', 'tag-000002', 'tag-000004']);
  });

  it('have pages with an ETag that changes with persons, holders and names', async () => {
    const etag = async (): Promise<string | null> =>
      (await service.request('/api/people')).headers.get('etag');
    const seen = new Set([await etag()]);
    expect(seen).to.have.keys([...seen, await etag()]);
    await service.post({ id: ADA, name: ada });
    seen.add(await etag());
    await add({ name: grace });
    seen.add(await etag());
    await post('/api/tag', { id: ADA, act: 'lost' });
    seen.add(await etag());
    expect(seen.size).to.equal(4);
    const known = await etag();
    const again = await service.request('/api/people', { headers: { 'If-None-Match': known ?? '' } });
    expect(again.status).to.equal(304);
  });

  it('are gone when they are removed, and their tags are nobody’s', async () => {
    await service.post({ id: ADA, name: ada });
    await post('/api/tag', { id: ADA, act: 'lost' });
    await post('/api/tag', { id: ADA, act: 'found' });
    const removed = await service.request(`/api/person?id=tag-${ADA}`, { method: 'DELETE' });
    expect(removed.status).to.equal(204);
    const again = await service.request(`/api/person?id=tag-${ADA}`, { method: 'DELETE' });
    expect([again.status, again.text]).to.deep.equal([404, 'there is no such person']);
    expect((await service.request(`/api/person?id=tag-${ADA}`)).status).to.equal(404);
    const holder = await service.request(`/api/person?tag=${ADA}`);
    expect([holder.status, holder.text]).to.deep.equal([404, 'nobody holds this tag now']);
    expect((await page()).people).to.deep.equal([]);
    expect((await service.request('/api/mapping')).text).to.equal('{}');
  });

  it('are one after a merge, under both ids, and two again after a split', async () => {
    await service.post({ id: ADA, name: ada });
    const other = await add({ name: { first: 'Ada', last: 'King' }, number: '3' });
    const merged = await post('/api/person/merge', { ids: [`tag-${ADA}`, other.id] });
    expect(merged.status, merged.text).to.equal(200);
    const one = JSON.parse(merged.text) as PersonDetail;
    expect(one).to.include({ id: other.id, number: '3' });
    expect(one.aliases).to.deep.equal([`tag-${ADA}`]);
    expect(one.tags.map(({ id }) => id)).to.deep.equal([ADA]);
    expect(await person(`id=tag-${ADA}`)).to.deep.equal(one);
    expect((await page()).people.map(({ id }) => id)).to.deep.equal([other.id]);
    const twice = await post('/api/person/merge', { ids: [`tag-${ADA}`, other.id] });
    expect(twice.status).to.equal(409);
    const split = await post('/api/person/split', { id: `tag-${ADA}` });
    expect(JSON.parse(split.text)).to.deep.include({ id: `tag-${ADA}`, name: ada, aliases: [] });
    expect((await person(`id=${other.id}`)).tags).to.deep.equal([]);
    expect((await post('/api/person/split', { id: `tag-${ADA}` })).status).to.equal(409);
    const names = (await audited()).map((entry) => (entry as readonly unknown[])[0]);
    expect(names).to.deep.equal(['name-set', 'person-added', 'persons-merged', 'person-split']);
  });

  it('are shown with a lost tag that was theirs', async () => {
    await service.post({ id: BOB, name: bob });
    await post('/api/tag', { id: BOB, act: 'lost', since: 1_763_600_000 });
    const { tags, timelines } = await person(`id=tag-${BOB}`);
    expect(tags).to.deep.equal([{ id: BOB, since: 1_763_600_000, isLost: true }]);
    expect(timelines[0]?.holdings.map(({ why, until }) => [why, until])).to.deep.equal([
      ['given', 1_763_599_999],
      ['lost', null],
    ]);
  });

  it('are refused if fields do not fit together or nobody is meant, and nothing is stored', async () => {
    const { id } = await add({ name: ada });
    const refusals: readonly (readonly [string, object, number, RegExp])[] = [
      ['/api/person', {}, 400, /^name, number, from, until, groups or guest: one must be given$/],
      ['/api/person', { id }, 400, /^name, number, from, until, groups or guest: one must be given$/],
      ['/api/person', { number: '5' }, 400, /^name: must be given for a new person$/],
      ['/api/person', { id: '00000000000000', number: '5' }, 404, /^there is no such person$/],
      ['/api/person/merge', { ids: [id, 'x'] }, 400, /^ids: the id of a person/],
      ['/api/person/merge', { ids: [id, 'tag-010203'] }, 404, /^there is no such person$/],
    ];
    for (const [path, body, status, reason] of refusals) {
      const answer = await post(path, body);
      expect(answer.status, `${path} ${JSON.stringify(body)}: ${answer.text}`).to.equal(status);
      expect(answer.text).to.match(reason);
    }
    for (const [path, reason] of [
      ['/api/person', /^id or tag: one must be given$/],
      ['/api/people?after=x', /^after: /],
      ['/api/people?after=name:x', /^after: /],
    ] as const) {
      const { status, text } = await service.request(path);
      expect([status, reason.test(text)], `${path}: ${text}`).to.deep.equal([400, true]);
    }
    expect((await page()).people.map((each) => [each.id, each.number])).to.deep.equal([[id, null]]);
    expect((await add({ name: ada, number: 'x'.repeat(40) })).number).to.have.length(40);
    expect(service.reports).to.deep.equal([]);
  });
});
