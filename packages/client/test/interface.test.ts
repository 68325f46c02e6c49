import { openApiDocument } from '../../http-koa/test/fixtures/open-api-document.js';
import { expect } from 'chai';
import { documentedPath, expectDocumented } from '../../http-koa/test/fixtures/documented.js';
import { RunningService, ScriptedIdentityProvider } from '../../http-koa/test/fixtures/running-service.js';
import { TallybookClient, type TallybookOperations } from '../src/index.js';

const ID = '04A2B3C4D5';
const NAME = { first: 'Ada', last: 'Lovelace' };
const IMPLICIT = `tag-${ID}`;
const PASSWORD = 'correct horse battery';
const RANGE = { from: 1_763_424_000, to: 1_763_800_000 };

const FORGOTTEN = { action: 'add', day: 20_413, id: ID, at: 1_763_690_000, reason: 'Forgot to tap' } as const;

type Client = TallybookClient;
type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
type Exercise = (client: Client, fetch: Fetch) => Promise<unknown>;

const HEX = { format: 'hex' } as const;
const TAG = { id: ID, ...HEX } as const;
const TODAY = { timestamp: RANGE.to };
const SHEET = { ...RANGE, shape: 'entries', lang: 'de', zone: 'Europe/Berlin', pseudonyms: '1' } as const;

/** Calls of each operation, in this order, with all its parameters. A missing operation does not compile. */
const exercises: Readonly<Record<keyof TallybookOperations, Exercise>> = {
  'POST /api/mapping': (client) => client.post('/api/mapping', { body: { ...TAG, name: NAME } }),
  'GET /api/mapping': async (client) => [
    await client.get('/api/mapping'),
    await client.find('/api/mapping', { query: TAG }),
  ],
  'GET /api/mappings': (client) => client.get('/api/mappings'),
  'GET /api/id': (client) => client.get('/api/id', { query: { text: '0006547886', format: 'dec10' } }),
  'POST /api/people': async (client) => [
    await client.post('/api/people', {
      query: {
        ...{ 'dry-run': '1', format: 'dec10', encoding: 'utf-8' },
        ...{ 'id-column': 'id', 'first-column': 2, 'last-column': 0 },
      },
      body: 'id,first,last\n0006547886,Ada,Byron',
    }),
    await client.post('/api/people', {
      query: HEX,
      body: '{"id":"04A2B3C4D5","first":"Ada","last":"Byron"}',
    }),
  ],
  'POST /api/person': async (client) => [
    await client.post('/api/person', { body: { name: NAME, number: '17', from: 20_000, until: null } }),
    await client.post('/api/person', { body: { id: IMPLICIT, number: '18' } }),
  ],
  'GET /api/people': async (client) => [
    await client.get('/api/people'),
    await client.get('/api/people', { query: { after: await lastOf(client), limit: 1000 } }),
  ],
  'GET /api/person': async (client) => [
    await client.get('/api/person', { query: { id: IMPLICIT } }),
    await client.get('/api/person', { query: { tag: ID, ...HEX } }),
  ],
  'POST /api/tag': refused((client) =>
    client.post('/api/tag', {
      body: { ...TAG, act: 'give', person: IMPLICIT, since: RANGE.from, isDryRun: true },
    }),
  ),
  'POST /api/person/merge': refused((client) =>
    client.post('/api/person/merge', { body: { ids: [IMPLICIT, IMPLICIT] } }),
  ),
  'POST /api/person/split': refused((client) => client.post('/api/person/split', { body: { id: IMPLICIT } })),
  'DELETE /api/person': (client) => client.delete('/api/person', { query: { id: 'tag-0102030405' } }),
  'GET /api/unnamed': (client) => client.get('/api/unnamed', { query: { days: 3660 } }),
  'GET /api/day': async (client) => [
    await client.find('/api/day', { query: { day: 20_411 } }),
    await client.find('/api/day', { query: { ...TODAY, expand: 'entries' } }),
  ],
  'GET /api/today': (client) => client.get('/api/today'),
  'POST /api/corrections': (client) =>
    client.post('/api/corrections', {
      body: {
        corrections: [
          { ...FORGOTTEN, ...HEX },
          { ...FORGOTTEN, ...HEX, action: 'void' },
        ],
      },
    }),
  'GET /api/corrections': (client) => client.get('/api/corrections', { query: RANGE }),
  'POST /api/corrections/decision': refused((client) =>
    client.post('/api/corrections/decision', { body: { number: 1, approve: true, reason: 'I saw it' } }),
  ),
  'GET /api/scans': async (client) => [
    await client.get('/api/scans', { query: { day: 20_413, ...TAG } }),
    await client.get('/api/scans', { query: { ...TODAY, ...TAG } }),
  ],
  'GET /api/days': (client) => client.get('/api/days', { query: RANGE }),
  'GET /api/table': (client) => client.get('/api/table', { query: { ...RANGE, pseudonyms: '1' } }),
  'GET /api/csv': async (client, fetch) => {
    const query = { ...SHEET, delimiter: 'tab', bom: 'no', profile: 'data' } as const;
    await client.download('/api/csv', { query });
    await fetch(client.url('/api/csv', { query }));
  },
  'GET /api/xlsx': (client) => client.download('/api/xlsx', { query: SHEET }),
  'GET /api/audit': (client) => client.get('/api/audit', { query: { after: 0, limit: 1000 } }),
  'GET /api/export': (client) => client.download('/api/export'),
  'GET /api/idevent': async (client) => {
    for await (const message of client.events({ lastEventId: 'a-1' })) if (message.kind === 'reset') break;
  },
  'GET /api/time': (client) => client.get('/api/time'),
  'POST /api/time': (client) => client.post('/api/time', { body: { time: RANGE.to, confirm: true } }),
  'GET /api/provisional': (client) => client.get('/api/provisional'),
  'GET /api/backlog': (client) => client.get('/api/backlog'),
  'GET /api/readers': (client) => client.get('/api/readers'),
  'POST /api/readers/{name}/readings': (client) =>
    client.post('/api/readers/{name}/readings', {
      params: { name: 'gate' },
      body: { run: 'a', readings: [{ id: ID, n: 1, at: RANGE.to, ageMs: 5 }] },
    }),
  'POST /api/sync': (client) =>
    client.post('/api/sync', {
      body: {
        ...{ run: 'a', after: 0, through: 1 },
        items: [{ cursor: 1, kind: 'name', id: ID, name: NAME, stamp: { ms: 1, counter: 0, node: 'a' } }],
        status: { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' },
      },
    }),
  'GET /api/sync/changes': (client) =>
    client.get('/api/sync/changes', { query: { origin: 'centre', after: 7, wait: 0 } }),
  'GET /api/sync/snapshot': (client) => client.download('/api/sync/snapshot'),
  'GET /api/stations': (client) => client.get('/api/stations'),
  'DELETE /api/stations': (client) => client.delete('/api/stations', { query: { name: 'hall' } }),
  'GET /api/status': (client) => client.get('/api/status'),
  'POST /api/publishers/send-again': refused((client) =>
    client.post('/api/publishers/send-again', { body: { name: 'home' } }),
  ),
  'GET /api/health': (client) => client.get('/api/health'),
  'GET /api/health/ready': (client) => client.get('/api/health/ready'),
  'GET /api/health/live': (client) => client.get('/api/health/live'),
  'GET /api/metrics': (client) => client.download('/api/metrics'),
  'GET /api/person/data': (client) => client.download('/api/person/data', { query: TAG }),
  'POST /api/erasures': async (client) => [
    await client.post('/api/erasures', { body: { ids: [ID], ...HEX, dryRun: true } }),
    await client.post('/api/erasures', { body: { ids: ['0102030405'], ...HEX } }),
  ],
  'GET /api/erasures': (client) => client.get('/api/erasures'),
  'GET /api/retention': (client) => client.get('/api/retention', { query: { keep: '24months' } }),
  'POST /api/retention': (client) => client.post('/api/retention', { body: { dryRun: true, confirm: true } }),
  'GET /api/openapi.json': (client) => client.get('/api/openapi.json'),
  'GET /api/session': (client) => client.get('/api/session'),
  'GET /api/credentials': async (client) => [
    await client.get('/api/credentials'),
    await client.get('/api/credentials', { query: { all: '1' } }),
  ],
  'DELETE /api/credentials': (client) => client.delete('/api/credentials', { query: { id: 'none' } }),
  'POST /api/tokens': (client) =>
    client.post('/api/tokens', { body: { label: 'wall', role: 'kiosk', days: 30 } }),
  'GET /api/users': (client) => client.get('/api/users'),
  'DELETE /api/users': (client) => client.delete('/api/users', { query: { name: 'nobody' } }),
  'POST /api/session': refused((client) =>
    client.post('/api/session', { body: { name: 'ada', password: 'wrong horse' } }),
  ),
  'POST /api/session/provider': refused((client) => client.post('/api/session/provider')),
  'POST /api/session/provider/answer': refused((client) =>
    client.post('/api/session/provider/answer', { body: { answer: 'code=wrong' } }),
  ),
  'GET /api/session/provider/sign-out': (client) => client.get('/api/session/provider/sign-out'),
  'DELETE /api/session': (client) => client.delete('/api/session'),
  'POST /api/setup': refused((client) =>
    client.post('/api/setup', { body: { code: '1234', name: 'ada', password: PASSWORD } }),
  ),
  'POST /api/password': refused((client) =>
    client.post('/api/password', { body: { current: 'wrong horse', password: PASSWORD } }),
  ),
  'POST /api/session/passkey/challenge': refused((client) =>
    client.post('/api/session/passkey/challenge', { body: {} }),
  ),
  'POST /api/session/passkey': refused((client) =>
    client.post('/api/session/passkey', {
      body: { id: 'AA', rawId: 'AA', type: 'public-key', response: {} },
    }),
  ),
  'GET /api/passkeys': async (client) => [
    await client.get('/api/passkeys'),
    await client.get('/api/passkeys', { query: { all: '1' } }),
  ],
  'POST /api/passkeys/challenge': refused((client) =>
    client.post('/api/passkeys/challenge', { body: { password: PASSWORD } }),
  ),
  'POST /api/passkeys': refused((client) =>
    client.post('/api/passkeys', { body: { label: 'phone', answer: {} } }),
  ),
  'DELETE /api/passkeys': (client) => client.delete('/api/passkeys', { query: { id: 'none' } }),
  'DELETE /api/mapping': (client) => client.delete('/api/mapping', { query: TAG }),
  'DELETE /api/day': async (client) => [
    await client.delete('/api/day', { query: { day: 20_410 } }),
    await client.delete('/api/day', { query: TODAY }),
  ],
  // The last call, because afterwards every client must sign in.
  'POST /api/users': (client) =>
    client.post('/api/users', { body: { name: 'ada', role: 'admin', password: PASSWORD } }),
};

/** The cursor after the first person. */
async function lastOf(client: TallybookClient): Promise<string> {
  const { next } = await client.get('/api/people', { query: { limit: 1 } });
  return next ?? '';
}

/** A call that the service refuses. */
function refused(call: (client: TallybookClient) => Promise<unknown>): Exercise {
  return async (client) =>
    expect(await call(client).catch((error: unknown) => error)).to.have.property('kind', 'http');
}

/** A request: the operation of the document, and its parameters. */
interface Asked {
  readonly operation: string;
  readonly parameters: readonly string[];
}

/** Forwards requests, compares the answers with the document, and records the operations and parameters. */
function recordInto(asked: Asked[]): Fetch {
  return async (target, { headers: given, ...init } = {}) => {
    const url = new URL(target);
    const method = init.method ?? 'GET';
    const headers = new Headers(given);
    const operation = operations.find(
      ({ verb, path }) => verb === method && path === documentedPath(url.pathname),
    );
    if (operation === undefined) throw new Error(`${method} ${url.pathname} is not in the document`);
    const isNamed = (name: string): boolean => url.searchParams.has(name) || headers.has(name);
    const parameters = [...url.searchParams.keys(), ...operation.headers.filter(isNamed)];
    asked.push({ operation: operation.id, parameters });
    const response = await fetch(url, { ...init, headers });
    if (response.headers.get('content-type') === 'text/event-stream') return response;
    const bytes = await response.arrayBuffer();
    expectDocumented(method, url.pathname, {
      status: response.status,
      headers: response.headers,
      text: new TextDecoder().decode(bytes),
    });
    const { status } = response;
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers: response.headers });
  };
}

/** The operations of the document, without `HEAD`, which is `GET` without the body. */
const operations = Object.entries(openApiDocument.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs)
    .filter(([verb]) => verb !== 'head')
    .map(([verb, { operationId, parameters }]) => ({
      id: operationId,
      verb: verb.toUpperCase(),
      path,
      parameters: parameters.filter((parameter) => parameter.in !== 'path').map(({ name }) => name),
      headers: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    })),
);

/**
 * A service without a trusted clock, with a day, a provisional scan, a scan with an estimated time, and a faulty
 * reader.
 */
async function startService(): Promise<RunningService> {
  const service = await RunningService.start({ provider: new ScriptedIdentityProvider() });
  await service.door.open();
  service.door.unplug();
  await service.tap('0011223344');
  service.clock.setSynchronised(false);
  await service.tap('0011223344');
  await service.attendance.close();
  service.clock.reboot('second', 1_763_800_000);
  service.clock.setSynchronised(true);
  await service.attendance.open();
  service.clock.setSynchronised(false);
  await service.tap('0011223344');
  return service;
}

describe('the calls of TallybookClient', () => {
  // In one test, and not in a hook: mutation testing runs each mutant with the tests that run the mutated line.
  it('reach every operation with all its parameters, and get the answers of the OpenAPI document', async () => {
    await using service = await startService();
    const url = `http://127.0.0.1:${service.port}`;
    const { token } = await new TallybookClient(url).post('/api/tokens', {
      body: { label: 'hall', role: 'station' },
    });
    const all: Asked[] = [];
    for (const [address, exercise] of Object.entries(exercises)) {
      const asked: Asked[] = [];
      const recorded = recordInto(asked);
      // Only a station may call these, also on a service without users.
      const isOfStations = address.includes('/api/sync');
      const options = { fetch: recorded as typeof fetch, ...(isOfStations && { token }) };
      await exercise(new TallybookClient(url, options), recorded);
      expect(new Set(asked.map(({ operation }) => operation)), address).to.deep.equal(
        new Set([operations.find(({ verb, path }) => `${verb} ${path}` === address)?.id]),
      );
      all.push(...asked);
    }
    for (const { id, parameters } of operations) {
      const asked = all.filter(({ operation }) => operation === id);
      expect([...new Set(asked.flatMap((each) => each.parameters))], id).to.have.members(parameters);
    }
  });
});
