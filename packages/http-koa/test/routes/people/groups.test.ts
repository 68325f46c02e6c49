import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import type { Groups, PeoplePage, PersonDetail, Table, Today } from '@tallybook/http-contract';
import { expect } from 'chai';
import { NOW, TODAY, useService, type RunningService } from '../../fixtures/running-service.js';

const ADA = '04A2B3C4D5';
const BOB = '0011223344';
const CY = '0055667788';
const DAY_MS = 86_400_000;

describe('groups over HTTP', () => {
  const service = useService();

  const post = (path: string, body: object): ReturnType<RunningService['post']> =>
    service.post(body, {}, path);
  const change = async (fields: object): Promise<PersonDetail> => {
    const { status, text } = await post('/api/person', fields);
    expect(status, text).to.be.oneOf([200, 201]);
    return JSON.parse(text) as PersonDetail;
  };
  const groups = async (): Promise<readonly unknown[]> =>
    (await service.json<Groups>('/api/groups')).groups.map(({ id, name, members }) => [id, name, members]);
  const namesOf = async (query: string): Promise<readonly (string | undefined)[]> =>
    (await service.json<PeoplePage>(`/api/people?${query}`)).people.map(({ name }) => name?.first);
  const name = (id: string, first: string): ReturnType<RunningService['post']> =>
    service.post({ id, name: { first, last: '' } });
  const range = (from: number, to: number): string => `from=${from * 86_400}&to=${to * 86_400}`;
  const recordOn = async (day: number, ...ids: readonly string[]): Promise<void> => {
    const at = toTimestamp(NOW + (day - TODAY) * 86_400);
    for (const id of ids) await service.days.record(toDay(day), parseTallyId(id), at);
  };

  it('are made by putting persons into them, from a day on', async () => {
    await name(ADA, 'Ada');
    const first = await change({ id: `tag-${ADA}`, groups: ['1st Squad', '  7B '] });
    expect(first.groups).to.deep.equal(['1st squad', '7b']);
    expect(first.memberships).to.deep.equal([
      { group: '1st squad', since: 0, until: null },
      { group: '7b', since: 0, until: null },
    ]);
    const moved = await change({ id: `tag-${ADA}`, groups: ['1st squad', '8b'], since: TODAY - 3 });
    expect(moved.memberships).to.deep.equal([
      { group: '1st squad', since: 0, until: null },
      { group: '7b', since: 0, until: TODAY - 4 },
      { group: '8b', since: TODAY - 3, until: null },
    ]);
    expect(await groups()).to.deep.equal([
      ['1st squad', '1st Squad', 1],
      ['7b', '7B', 0],
      ['8b', '8b', 1],
    ]);
    expect((await change({ id: `tag-${ADA}`, groups: [] })).groups).to.deep.equal([]);
  });

  it('divide the list of people, in pages', async () => {
    for (const [index, first] of ['Ada', 'Bob', 'Cy', 'Dee', 'Eve'].entries())
      await change({ name: { first, last: '' }, groups: index % 2 === 0 ? ['7b'] : ['7a'] });
    await change({ name: { first: 'Fay', last: '' } });
    await name(ADA, 'Grace');
    expect([...(await namesOf('group=7b'))].sort()).to.deep.equal(['Ada', 'Cy', 'Eve']);
    const pages: (readonly (string | undefined)[])[] = [];
    for (let after: string | null = ''; after !== null;) {
      const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page: PeoplePage = await service.json(`/api/people?group=7b&limit=2${query}`);
      pages.push(page.people.map((each) => each.name?.first));
      after = page.next;
    }
    expect(pages.map(({ length }) => length)).to.deep.equal([2, 1]);
    expect(pages.flat().sort()).to.deep.equal(['Ada', 'Cy', 'Eve']);
    expect(await namesOf('group=7c')).to.deep.equal([]);
  });

  it('are those of today: the list of people changes at midnight', async () => {
    await name(ADA, 'Ada');
    await change({ id: `tag-${ADA}`, groups: ['7b'], since: TODAY + 1 });
    const before = await service.request('/api/people?group=7b');
    expect((JSON.parse(before.text) as PeoplePage).people).to.deep.equal([]);
    service.clock.advance(DAY_MS);
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const after = await service.request('/api/people?group=7b', { headers });
    expect(after.status).to.equal(200);
    expect((JSON.parse(after.text) as PeoplePage).people).to.have.length(1);
  });

  it('have each person once who was merged, and nobody who was removed', async () => {
    const one = await change({ name: { first: 'Ada', last: '' }, groups: ['7b'] });
    const other = await change({ name: { first: 'Ada', last: '' }, groups: ['7b', 'Board'] });
    const gone = await change({ name: { first: 'Bob', last: '' }, groups: ['7b'] });
    await post('/api/person/merge', { ids: [one.id, other.id] });
    expect((await service.request(`/api/person?id=${gone.id}`, { method: 'DELETE' })).status).to.equal(204);
    expect(await groups()).to.deep.equal([
      ['7b', '7b', 1],
      ['board', 'Board', 1],
    ]);
    for (const group of ['7b', 'board']) expect(await namesOf(`group=${group}`)).to.deep.equal(['Ada']);
  });

  it('are renamed and merged, and keep their persons', async () => {
    await name(ADA, 'Ada');
    await name(BOB, 'Bob');
    await change({ id: `tag-${ADA}`, groups: ['7b'] });
    await change({ id: `tag-${BOB}`, groups: ['Seventh B'] });
    const renamed = await post('/api/groups', { id: '7b', name: '8b' });
    expect([renamed.status, renamed.text]).to.deep.equal([
      200,
      '{"groups":[{"id":"7b","name":"8b","members":1},{"id":"seventh b","name":"Seventh B","members":1}]}',
    ]);
    await post('/api/groups', { id: 'seventh b', into: '7b' });
    expect(await groups()).to.deep.equal([['7b', '8b', 2]]);
    expect(await namesOf('group=seventh%20b')).to.deep.equal(['Bob', 'Ada']);
    expect((await service.json<PersonDetail>(`/api/person?id=tag-${BOB}`)).groups).to.deep.equal(['7b']);
    const entries = await service.audit.read(0, 100);
    expect(entries.map(({ action }) => action).filter((action) => action.includes('group'))).to.deep.equal([
      'group-renamed',
      'groups-merged',
    ]);
  });

  it('are refused if fields do not fit together, or there is no such group', async () => {
    await name(ADA, 'Ada');
    const id = `tag-${ADA}`;
    await change({ id, groups: ['7b'] });
    for (const [path, body, status, said] of [
      ['/api/person', { id, groups: [' '] }, 400, /^groups: the name of a group/],
      ['/api/person', { id, since: TODAY }, 400, /^name, number, from, until, groups or guest/],
      ['/api/person', { id, number: '1', since: TODAY }, 400, /^since: is the first day of groups/],
      ['/api/groups', { id: '7b' }, 400, /^name and into: one of them must be given$/],
      ['/api/groups', { id: '7b', name: 'x', into: '7b' }, 400, /^name and into: one of them/],
      ['/api/groups', { id: '7b', into: '7b' }, 400, /one group already/],
      ['/api/groups', { id: '9x', name: 'x' }, 404, /no such group/],
    ] as const) {
      const answer = await post(path, body);
      expect([answer.status, answer.text], JSON.stringify(body)).to.satisfy(
        ([code, text]: [number, string]) => code === status && said.test(text),
      );
    }
    expect(await groups()).to.deep.equal([['7b', '7b', 1]]);
  });

  it('divide days, tables and files by the groups of each day', async () => {
    for (const [id, first] of [
      [ADA, 'Ada'],
      [BOB, 'Bob'],
      [CY, 'Cy'],
    ] as const)
      await name(id, first);
    await change({ id: `tag-${ADA}`, groups: ['7a'] });
    await change({ id: `tag-${ADA}`, groups: ['7b', 'Board'], since: TODAY - 1 });
    await change({ id: `tag-${BOB}`, groups: ['7b'] });
    await recordOn(TODAY - 2, ADA, CY);
    await recordOn(TODAY - 1, ADA);
    await recordOn(TODAY, BOB, CY);
    const days = range(TODAY - 5, TODAY);
    expect(await service.json(`/api/days?${days}&group=7b`)).to.deep.equal([TODAY - 1, TODAY]);
    expect(await service.json(`/api/days?${days}&group=7a`)).to.deep.equal([TODAY - 2]);
    const table = await service.json<Table>(`/api/table?${days}&group=7b`);
    expect(table.groups).to.deep.equal([{ id: '7b', name: '7b', days: { [TODAY - 1]: 1, [TODAY]: 1 } }]);
    expect(table.days).to.deep.equal([TODAY - 2, TODAY - 1, TODAY]);
    expect(
      table.people.map(({ name: whose, groups: its, days: there }) => [
        whose?.first,
        its,
        Object.entries(there).map(([day, { isOutside }]) => [Number(day) - TODAY, isOutside]),
      ]),
    ).to.deep.equal([
      [
        'Ada',
        ['7a', '7b', 'board'],
        [
          [-2, true],
          [-1, undefined],
        ],
      ],
      ['Bob', ['7b'], [[0, undefined]]],
    ]);
    const all = await service.json<Table>(`/api/table?${days}`);
    expect(all.groups.map(({ id, days: counts }) => [id, Object.values(counts)])).to.deep.equal([
      ['7a', [1]],
      ['7b', [1, 1]],
      ['board', [1]],
    ]);
    const { text } = await service.request(`/api/csv?${days}&group=7b&lang=en`);
    expect(text.split('\r\n').slice(1, -1)).to.deep.equal([
      `"","Ada",,"tag-${ADA}","7b; Board","04-A2-B3-C4-D5",1,"(04:40:00)",04:40:00,`,
      `"","Bob",,"tag-${BOB}","7b","00-11-22-33-44",1,,,04:40:00`,
      ',,,,"7b",,,0,1,1',
    ]);
    const coded = await service.request(`/api/csv?${days}&group=7b&lang=en&pseudonyms=1`);
    expect(coded.text).not.to.match(/7b|Board|tag-|Ada/);
    expect(coded.text.split('\r\n').length).to.equal(4);
  });

  it('divide today by holder, with the taps of a lost tag and of nobody left out', async () => {
    await name(ADA, 'Ada');
    await name(BOB, 'Bob');
    await change({ id: `tag-${ADA}`, groups: ['7b'] });
    const cy = await change({ name: { first: 'Cy', last: '' }, groups: ['7a'] });
    await service.tap(ADA);
    await service.tap(BOB);
    await service.tap(CY);
    service.clock.advance(60_000);
    await post('/api/tag', { id: ADA, act: 'give', person: cy.id });
    await post('/api/tag', { id: BOB, act: 'lost' });
    await service.tap(ADA);
    await service.tap(BOB);
    const today = await service.json<Today>('/api/today');
    expect(today.people).to.deep.equal([
      {
        ...{ person: `tag-${ADA}`, name: { first: 'Ada', last: '' }, groups: ['7b'], isGuest: false },
        ...{ ids: [ADA], first: NOW, last: NOW, scans: 1 },
      },
      {
        ...{ person: `tag-${BOB}`, name: { first: 'Bob', last: '' }, groups: [], isGuest: false },
        ...{ ids: [BOB], first: NOW, last: NOW, scans: 1 },
      },
      {
        ...{ person: cy.id, name: { first: 'Cy', last: '' }, groups: ['7a'], isGuest: false },
        ...{ ids: [ADA], first: NOW + 60, last: NOW + 60, scans: 1 },
      },
    ]);
    expect(today.entries).to.have.length(3);
    const of7b = await service.json<Today>('/api/today?group=7b');
    expect(of7b.people.map(({ person }) => person)).to.deep.equal([`tag-${ADA}`]);
    expect(of7b.entries.map(({ id }) => id)).to.deep.equal([ADA]);
    expect(await service.json<Today>('/api/today?group=9')).to.deep.include({ people: [], entries: [] });
  });

  it('have today without void scans, and with all tags of a person together', async () => {
    await name(ADA, 'Ada');
    await change({ id: `tag-${ADA}`, groups: ['7b'] });
    await post('/api/tag', { id: BOB, act: 'give', person: `tag-${ADA}` });
    await name(CY, 'Cy');
    await change({ id: `tag-${CY}`, groups: ['7b'] });
    for (const id of [BOB, ADA, CY]) {
      await service.tap(id);
      service.clock.advance(10_000);
    }
    const reason = 'a tap of somebody else';
    await post('/api/corrections', {
      corrections: [{ action: 'void', day: TODAY, id: CY, at: NOW + 20, reason }],
    });
    const today = await service.json<Today>('/api/today?group=7b');
    expect(today.people.map(({ name: whose, ids, scans }) => [whose?.first, ids, scans])).to.deep.equal([
      ['Ada', [BOB, ADA], 2],
    ]);
    expect(today.entries.map(({ id, isVoided }) => [id, isVoided])).to.deep.equal([
      [BOB, undefined],
      [ADA, undefined],
      [CY, true],
    ]);
  });
});
