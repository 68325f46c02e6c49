import { inflateRawSync } from 'node:zlib';
import { parseTallyId, toDay, toTimestamp, type PersonId, type Timestamp } from '@tallybook/domain';
import { owner, type Role } from '@tallybook/domain/access';
import { operations, type Operation } from '@tallybook/http-contract';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import { claimedService, PASSWORD, sessionOf } from '../fixtures/claimed-service.js';
import type { RunningService } from '../fixtures/running-service.js';
import { StreamClient } from '../fixtures/stream-client.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

const boundRoles = ['viewer', 'desk'] as const;
const TODAY = toDay(20_413);
const OWN_TAG = '04A2B3C4D5';
const OTHER_TAG = 'DEADBEEF02';
const UNGROUPED_TAG = 'DEADBEEF03';
const NOBODYS_TAG = 'DEADBEEF04';
/** Held by the other person until {@link World.handedOn}, and by the own person since. */
const SHARED_TAG = '0A0B0C0D';

interface World extends AsyncDisposable {
  readonly service: RunningService;
  readonly own: PersonId;
  readonly other: PersonId;
  readonly headers: Readonly<Record<string, { readonly cookie: string; readonly origin: string }>>;
  readonly now: Timestamp;
  /** What no answer to somebody who is bound to the own group may have. */
  readonly secrets: readonly string[];
}

/** Two groups with a person each, who were there today and yesterday, and others who are in no group. */
async function createWorld(): Promise<World> {
  const service = await claimedService({ provider: new ScriptedIdentityProvider() });
  const { access, people, corrections, clock } = service;
  for (const role of boundRoles)
    await access.users.put(owner, { name: role, role, groups: ['7b'], password: PASSWORD });
  const own = await people.add({
    ...{ name: { first: 'Ada', last: 'Lovelace' }, number: '17' },
    groups: ['7b', 'Walrus club'],
  });
  const other = await people.add({
    ...{ name: { first: 'Zelda', last: 'Quirk' }, number: '98765' },
    ...{ groups: ['Xylophones'], guest: { since: TODAY, host: 'Mister Host', reason: 'Tuning' } },
  });
  await service.mapping.put(parseTallyId(UNGROUPED_TAG), { first: 'Imogen', last: 'Plicit' });
  await people.act(parseTallyId(OWN_TAG), { act: 'give', person: own });
  await people.act(parseTallyId(OTHER_TAG), { act: 'give', person: other });
  await people.act(parseTallyId(SHARED_TAG), { act: 'give', person: other });
  const tags = [OWN_TAG, OTHER_TAG, UNGROUPED_TAG, NOBODYS_TAG, SHARED_TAG];
  for (const tag of tags) await service.tap(tag);
  clock.advance(3_600_000);
  for (const tag of tags) await service.tap(tag);
  const now = toTimestamp(service.clock.now());
  const reason = 'Secretly forgotten';
  for (const [tag, why] of [
    [OWN_TAG, 'Own reason'],
    [OTHER_TAG, reason],
    [SHARED_TAG, reason],
  ] as const)
    await corrections.correct(
      [{ action: 'add', day: TODAY, id: parseTallyId(tag), at: toTimestamp(now - 60), reason: why }],
      'ada',
    );
  clock.advance(60_000);
  const handedOn = toTimestamp(service.clock.now());
  await people.act(parseTallyId(SHARED_TAG), { act: 'give', person: own, since: handedOn });
  clock.advance(60_000);
  await service.tap(SHARED_TAG);
  const headers = { viewer: await sessionOf(service, 'viewer'), desk: await sessionOf(service, 'desk') };
  return {
    ...{ service, own, other, headers, now },
    secrets: [
      ...[other, OTHER_TAG, UNGROUPED_TAG, NOBODYS_TAG, 'Zelda', 'Quirk', '98765', 'Imogen', 'Plicit'],
      ...['Walrus', 'walrus', 'Xylophones', 'xylophones', 'Mister Host', 'Tuning', reason],
    ],
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

interface Answer {
  readonly status: number;
  /** Headers and body, with the files of a workbook. */
  readonly text: string;
}

async function ask(
  { service, headers }: World,
  who: string,
  address: string,
  { body, more = {} }: { readonly body?: unknown; readonly more?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const [method = '', path = ''] = address.split(' ');
  const response = await service.begin(path, {
    ...{ method, headers: { ...headers[who], 'content-type': 'application/json', ...more } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const head = JSON.stringify(response.headers);
  const status = response.statusCode ?? 0;
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    response.destroy();
    return { status, text: head };
  }
  const bytes = Buffer.concat(await response.toArray());
  return { status, text: `${head}\n${bytes.toString()}\n${unpacked(bytes)}` };
}

/** The text of the files in a ZIP archive; empty for anything else. */
function unpacked(bytes: Buffer): string {
  const texts: string[] = [];
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const begin = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const isStored = bytes.readUInt16LE(at + 8) === 0;
    texts.push((isStored ? bytes.subarray(begin) : inflateRawSync(bytes.subarray(begin))).toString());
  }
  return texts.join('\n');
}

/** Requests that ask for what belongs to others, beside the plain one of each operation. */
function requestsOf({ own, other, now }: World): readonly (readonly [string, unknown?])[] {
  const range = `from=${now - 86_400}&to=${now + 600}`;
  const plain = Object.entries<Operation>(operations)
    .filter(([address]) => !address.includes('/api/session') && !address.includes('/api/credentials'))
    .map(([address]) => [address.replace('{name}', 'gate')] as const);
  const reads = [
    ...[
      'people',
      'people?limit=1',
      'people?group=xylophones',
      'people?group=7b',
      'groups',
      'today',
      'idevent',
    ],
    ...[own, other, `tag-${UNGROUPED_TAG}`].map((id) => `person?id=${id}`),
    ...[OWN_TAG, SHARED_TAG, OTHER_TAG].flatMap((id) => [`person?tag=${id}`, `scans?id=${id}&day=${TODAY}`]),
    ...['xylophones', '7b', 'walrus%20club'].map((group) => `today?group=${group}`),
    ...[
      '',
      '&group=xylophones',
      '&group=7b',
      '&pseudonyms=1',
      '&shape=entries',
      '&shape=entries&group=xylophones',
    ].flatMap((query) => ['table', 'csv', 'xlsx'].map((kind) => `${kind}?${range}${query}`)),
    ...[`corrections?${range}`, `day?day=${TODAY}&expand=entries`, `days?${range}&group=xylophones`],
  ];
  return [
    ...plain,
    ...reads.map((path) => [`GET /api/${path}`] as const),
    ['POST /api/person', { id: other, number: '1' }],
    ['POST /api/person', { id: own, groups: ['7b', 'xylophones'] }],
    ['POST /api/person', { id: own, groups: [] }],
    ['POST /api/person', { id: own, groups: ['7b'], since: TODAY - 1 }],
    ['POST /api/person', { id: own, number: '18' }],
    ['POST /api/person', { id: own, groups: ['7b'] }],
    ['POST /api/person', { name: { first: 'New', last: 'Pupil' } }],
    ['POST /api/person', { name: { first: 'New', last: 'Pupil' }, groups: ['Xylophones'] }],
    ['POST /api/person/merge', { ids: [own, other] }],
    ['POST /api/tag', { id: OTHER_TAG, act: 'give', person: own }],
    ['POST /api/guest', { name: { first: 'New', last: 'Guest' } }],
    ['POST /api/person/here', { id: other }],
    ['POST /api/groups', { id: 'xylophones', into: '7b' }],
    ...[OWN_TAG, OTHER_TAG, SHARED_TAG, NOBODYS_TAG].map((id) => {
      const correction = { action: 'add', day: TODAY, id, at: now - 30, reason: 'For a test' };
      return ['POST /api/corrections', correction] as const;
    }),
  ];
}

describe('a user who is bound to a group', () => {
  const world = useEach(createWorld);

  for (const role of boundRoles) {
    it(`as ${role} gets no byte about persons in no group or in another one, from any route`, async () => {
      const given = new Map<string, number>();
      for (const [address, body] of requestsOf(world)) {
        const [, path = ''] = address.split(' ');
        for (const each of address.startsWith('GET') ? [address, `HEAD ${path}`] : [address]) {
          const { status, text } = await ask(world, role, each, { body });
          expect(status, each).to.be.below(500);
          for (const secret of world.secrets) {
            const isAsked =
              decodeURIComponent(path).includes(secret) || JSON.stringify(body ?? '').includes(secret);
            if (!isAsked) expect(text, `${role}: ${each}`).to.not.include(secret);
          }
          if (status < 300) given.set(path.split('?')[0] ?? '', status);
        }
      }
      // A walk that is refused everywhere would prove nothing.
      for (const path of ['people', 'person', 'groups', 'today', 'table', 'corrections', 'scans', 'idevent'])
        expect(given.has(`/api/${path}`), path).to.equal(true);
      for (const path of ['csv', 'xlsx']) expect(given.has(`/api/${path}`), path).to.equal(role === 'desk');
      for (const path of ['mapping', 'day', 'days', 'tag', 'guest', 'status', 'readers', 'provisional'])
        expect(given.has(`/api/${path}`), path).to.equal(false);
    });
  }

  it('sees their persons with the groups that they are bound to, and the part of a tag that was handed on', async () => {
    const { own, service, now } = world;
    const read = (path: string): Promise<unknown> => service.json(`/api/${path}`, world.headers['viewer']);
    const { people } = (await read('people')) as { people: { id: string; groups: string[] }[] };
    expect(people.map(({ id, groups }) => [id, groups])).to.deep.equal([[own, ['7b']]]);
    expect(await read('groups')).to.deep.equal({ groups: [{ id: '7b', name: '7b', members: 1 }] });
    const today = (await read('today')) as { entries: { id: string }[]; people: object[]; waiting: object[] };
    expect(today.entries.map(({ id }) => id)).to.deep.equal([OWN_TAG]);
    expect(today.people).to.have.lengthOf(1);
    expect(today.people[0]).to.include({ person: own, scans: 4 });
    expect(today.waiting).to.deep.equal([]);
    const range = `from=${now - 86_400}&to=${now + 600}`;
    const table = (await read(`table?${range}`)) as {
      people: { person: string }[];
      groups: { id: string }[];
    };
    expect(table.people.map(({ person }) => person)).to.deep.equal([own]);
    expect(table.groups.map(({ id }) => id)).to.deep.equal(['7b']);
    const found = (await read(`corrections?${range}`)) as { reason: string }[];
    expect(found.map(({ reason }) => reason)).to.deep.equal(['Own reason']);
    const scans = (await read(`scans?id=${SHARED_TAG}&day=${TODAY}`)) as Record<string, number[]>;
    expect([scans['at']?.length, scans['added'], scans['voided']]).to.deep.equal([1, [], []]);
  });

  it('changes only persons in the group, who keep all other groups', async () => {
    const { own, other, service } = world;
    const post = async (body: object): Promise<number> =>
      (await ask(world, 'desk', 'POST /api/person', { body })).status;
    expect(await post({ id: other, number: '1' })).to.equal(404);
    expect(await post({ id: 'p-nothing', number: '1' })).to.be.oneOf([400, 404]);
    expect(await post({ id: own, groups: ['7b', 'xylophones'] })).to.equal(403);
    expect(await post({ id: own, groups: [] })).to.equal(403);
    expect(await post({ id: own, groups: ['7b'], since: 0 })).to.equal(403);
    expect(await post({ name: { first: 'N', last: 'N' }, groups: ['new'] })).to.equal(403);
    expect((await service.people.groups.list()).map(({ id }) => id)).to.not.include('new');
    expect(await post({ id: own, number: '18', groups: ['7b'] })).to.equal(200);
    const more = await sessionOf(service);
    const { text } = await ask(world, 'ada', `GET /api/person?id=${own}`, { more });
    expect(text).to.include('"groups":["7b","walrus club"]').and.to.include('"number":"18"');
    expect(await post({ name: { first: 'New', last: 'Pupil' } })).to.equal(201);
    expect((await ask(world, 'viewer', 'GET /api/people')).text).to.include('Pupil');
  });

  it('corrects only scans of persons in the group', async () => {
    const { now } = world;
    const correct = async (...ids: readonly string[]): Promise<number> => {
      const list = ids.map((id) => ({ action: 'add', day: TODAY, id, at: now - 30, reason: 'For a test' }));
      return (await ask(world, 'desk', 'POST /api/corrections', { body: { corrections: list } })).status;
    };
    expect(await correct(OTHER_TAG)).to.equal(403);
    expect(await correct(SHARED_TAG), 'held by the other person then').to.equal(403);
    expect(await correct(OWN_TAG, NOBODYS_TAG)).to.equal(403);
    expect(await correct(OWN_TAG)).to.equal(201);
  });

  it('does not get the answer to somebody else by its path or its tag', async () => {
    const { service } = world;
    const headers = await sessionOf(service);
    for (const path of ['people', 'groups', `table?from=${world.now - 9}&to=${world.now}`]) {
      const whole = await service.request(`/api/${path}`, { headers });
      const etag = whole.headers.get('etag') ?? '';
      expect(etag, path).to.not.equal('');
      const { status, text } = await ask(world, 'viewer', `GET /api/${path}`, {
        more: { 'if-none-match': etag },
      });
      expect(status, path).to.equal(200);
      expect(text, path).to.not.include('Zelda');
      expect((await service.request(`/api/${path}`, { headers })).text, path).to.equal(whole.text);
    }
  });

  it('gets only the events of persons in the group, with ids that count nothing', async () => {
    const { service, own, other, headers } = world;
    const client = await StreamClient.connect(service, undefined, headers['viewer']);
    await service.subscribers(1);
    await service.tap(OTHER_TAG);
    await service.tap(NOBODYS_TAG);
    await service.people.correct(other, { number: '98766' });
    await service.tap(OWN_TAG);
    const [nudge, tap, attendance] = await client.receive(3);
    expect([nudge?.['event'], tap?.['event'], attendance?.['event']]).to.deep.equal([
      'people',
      'msg',
      'attendance',
    ]);
    expect(nudge?.['data']).to.equal('{"persons":0,"tags":0}');
    expect(tap?.['data']).to.equal(OWN_TAG);
    expect(attendance?.['data']).to.include(own);
    const ids = client.blocks.values.flatMap(({ id }) => id ?? []);
    expect(new Set(ids)).to.deep.equal(new Set([`${await service.journal.origin()}-0`]));
    const text = JSON.stringify(client.blocks.values);
    for (const secret of world.secrets) expect(text).to.not.include(secret);
  });

  it('gets no missed events, whatever id a client sends', async () => {
    const { service, headers } = world;
    const origin = await service.journal.origin();
    for (const id of [`${origin}-0`, `${origin}-3`, `${origin}-99`, 'other-1']) {
      const client = await StreamClient.connect(service, id, headers['viewer']);
      const [first] = await client.receive(1);
      expect(first?.['event'], id).to.equal('reset');
      service.clock.advance(1_000);
      await service.tap(OWN_TAG);
      expect(
        (await client.receive(3)).map(({ event }) => event),
        id,
      ).to.deep.equal(['reset', 'msg', 'attendance']);
    }
  });

  it('loses the stream and the session as soon as the groups change', async () => {
    const { service, headers } = world;
    const client = await StreamClient.connect(service, undefined, headers['viewer']);
    await service.subscribers(1);
    await service.access.users.put(owner, { name: 'viewer', groups: ['xylophones'] });
    await client.closed;
    expect((await ask(world, 'viewer', 'GET /api/people')).status).to.equal(401);
    const more = await sessionOf(service, 'viewer');
    const { text } = await ask(world, 'viewer', 'GET /api/people', { more });
    expect(text).to.include('Zelda').and.to.not.include('Ada');
  });

  it('sees a group under the id of the one that it was merged into', async () => {
    await world.service.people.groups.merge('xylophones' as never, '7b' as never);
    expect((await ask(world, 'viewer', 'GET /api/people')).text)
      .to.include('Zelda')
      .and.to.include('Lovelace');
  });

  it('is set by an admin, and shown in the list of users and in the session', async () => {
    const { service } = world;
    const ada = await sessionOf(service);
    const put = async (body: object): Promise<{ status: number; text: string }> =>
      service.exchangeJson('/api/users', body, ada);
    expect((await put({ name: 'eve', role: 'viewer', groups: ['7c', '7b'] })).status).to.equal(201);
    const { text } = await service.request('/api/users', { headers: ada });
    const users = JSON.parse(text) as { name: string; role: Role; groups: string[] }[];
    expect(users.find(({ name }) => name === 'eve')?.groups).to.deep.equal(['7b', '7c']);
    for (const role of ['admin', 'kiosk', 'device', 'station'])
      expect(await put({ name: `a-${role}`, role, groups: ['7b'] }), role).to.include({
        status: 400,
        text: `only a viewer or desk can be bound to groups; got the role ${role}`,
      });
    expect((await put({ name: 'eve', role: 'kiosk' })).status, 'bound already').to.equal(400);
    expect((await put({ name: 'eve', role: 'kiosk', groups: [] })).status).to.equal(200);
    for (const groups of ['7b', [1], ['7B'], Array.from({ length: 21 }, (_, n) => `g${n}`)])
      expect((await put({ name: 'ivy', groups })).status, JSON.stringify(groups)).to.equal(400);
    const session = JSON.parse(
      (await service.request('/api/session', { headers: world.headers['viewer'] ?? {} })).text,
    ) as { groups: string[]; actions: string[] };
    expect(session.groups).to.deep.equal(['7b']);
    expect(session.actions).to.deep.equal(['see-today', 'see-record']);
  });
});
