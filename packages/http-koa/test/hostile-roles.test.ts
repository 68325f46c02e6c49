import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { authorise, owner, roles, type Action, type Role } from '@tallybook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { claimedService, cookieOf, PASSWORD, signIn } from './claimed-service.js';
import type { RunningService } from './running-service.js';

/** Many more by hand: TALLYBOOK_TEST_ROLE_REQUESTS=1000000. */
const REQUESTS = Number(process.env['TALLYBOOK_TEST_ROLE_REQUESTS'] ?? 1_000);

/** What each request needs, written apart from the routes. What is not here needs what nobody has. */
const needs: Readonly<Record<string, Action | 'signed-in' | 'public'>> = {
  'GET /api/mapping': 'see-today',
  'POST /api/mapping': 'change-names',
  'DELETE /api/mapping': 'change-names',
  'GET /api/mappings': 'see-today',
  'POST /api/people': 'change-names',
  // A kiosk sees today. What it must not see is looked for in each answer.
  'GET /api/day': 'see-today',
  'GET /api/days': 'see-record',
  'DELETE /api/day': 'remove-days',
  'GET /api/idevent': 'see-today',
  'GET /api/time': 'see-today',
  'POST /api/time': 'set-time',
  'GET /api/provisional': 'see-record',
  'GET /api/backlog': 'see-service',
  'GET /api/session': 'public',
  'POST /api/session': 'public',
  'DELETE /api/session': 'public',
  'POST /api/setup': 'public',
  'POST /api/password': 'signed-in',
  'GET /api/users': 'manage-access',
  'POST /api/users': 'manage-access',
  'DELETE /api/users': 'manage-access',
  // Of everybody: `all` is looked at below.
  'GET /api/credentials': 'signed-in',
  'DELETE /api/credentials': 'signed-in',
  'POST /api/tokens': 'manage-access',
  'GET /api/readers': 'see-service',
  'POST /api/readers/gate/readings': 'push-readings',
  'GET /api/status': 'see-service',
  'GET /api/health': 'public',
  'GET /api/health/live': 'public',
  'GET /api/health/ready': 'public',
  'GET /api/metrics': 'see-service',
  'GET /api/unnamed': 'see-record',
  'GET /api/audit': 'see-audit',
  'GET /api/corrections': 'see-record',
  'POST /api/corrections': 'correct-record',
  'POST /api/corrections/decision': 'decide-corrections',
  'GET /api/scans': 'see-record',
  'POST /api/sync': 'sync-record',
  'GET /api/sync/changes': 'sync-record',
  'GET /api/sync/snapshot': 'sync-record',
  'GET /api/stations': 'see-stations',
  'DELETE /api/stations': 'manage-access',
  'GET /api/export': 'back-up',
  'GET /api/erasures': 'manage-personal-data',
  'POST /api/erasures': 'manage-personal-data',
  'GET /api/retention': 'manage-personal-data',
  'POST /api/retention': 'manage-personal-data',
  'GET /api/person/data': 'manage-personal-data',
  'GET /api/table': 'see-record',
  'GET /api/csv': 'export-record',
  'GET /api/xlsx': 'export-record',
  'GET /api/openapi.json': 'signed-in',
};
const paths = [...new Set(Object.keys(needs).map((each) => each.slice(each.indexOf(' ') + 1)))];

/** A tag without a name that was there on another day: only who may see the record may see it anywhere. */
const FORMER_TAG = 'DEADBEEF01';

interface Asker {
  readonly name: string;
  readonly role: Role | 'nobody';
  readonly headers: Readonly<Record<string, string>>;
}

interface World extends AsyncDisposable {
  readonly service: RunningService;
  readonly askers: readonly Asker[];
  /** What no answer may have. */
  readonly secrets: readonly string[];
}

async function createWorld(): Promise<World> {
  const service = await claimedService({ trustedProxies: ['10.0.0.1'], authHeader: 'X-User' }, 'viewer');
  await service.tap(FORMER_TAG);
  const ended = await service.access.createToken(owner, { label: 'old', role: 'admin', days: 1 });
  service.clock.advance(3 * 86_400_000);
  const secrets = [ended.token, PASSWORD, '$scrypt$'];
  const askers: Asker[] = [
    { name: 'nobody', role: 'nobody', headers: {} },
    { name: 'ended', role: 'nobody', headers: { authorization: `Bearer ${ended.token}` } },
    { name: 'foreign proxy', role: 'nobody', headers: { 'x-user': 'ada' } },
  ];
  for (const role of roles) {
    const { token } = await service.access.createToken(owner, { label: `of ${role}`, role });
    secrets.push(token);
    askers.push({ name: role, role, headers: { authorization: `Bearer ${token}` } });
    askers.push({
      name: `garbled ${role}`,
      role: 'nobody',
      headers: { authorization: `Bearer ${token.slice(0, -1)}` },
    });
    askers.push({ name: `${role} as a cookie`, role: 'nobody', headers: { cookie: `tallybook=${token}` } });
  }
  for (const [name, role] of [
    ['viewer', 'viewer'],
    ['ada', 'admin'],
  ] as const) {
    const cookie = cookieOf(await signIn(service, name));
    secrets.push(cookie.slice(cookie.indexOf('=') + 1));
    const origin = `http://127.0.0.1:${service.port}`;
    askers.push({ name: `session of ${name}`, role, headers: { cookie, origin } });
    // As a page of another site would ask: nothing may be changed.
    askers.push({ name: `foreign page at ${name}`, role, headers: { cookie, origin: 'http://evil.test' } });
  }
  return { service, askers, secrets, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const odd: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path,
  (path) => path,
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/api/', '/api/%2e/'),
  (path) => path.replace('/api/', '/api/health/../'),
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace(/[a-z](?=[a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `${path};x=1`,
  (path) => `${path}%00`,
  (path) => `http://localhost${path}`,
];

const value = fc.oneof(
  fc.integer({ min: -1, max: 30_000 }).map(String),
  fc.constantFrom('', '0', '1', '%', '%00', '__proto__', 'entries', 'everybody', '04A2B3C4D5', 'long'),
  fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const parameter = fc.constantFrom(
  ...['day', 'timestamp', 'from', 'to', 'expand', 'all', 'id', 'name', 'after', 'limit', 'shape', 'zone'],
);
const body = fc.oneof(
  fc.constant(''),
  fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.stringify(json)),
  fc
    .record(
      {
        id: fc.constantFrom('04A2B3C4D5', '04A2B3C4D6', 'x'),
        name: fc.constantFrom('eve', 'x y', '__proto__'),
        role: fc.constantFrom(...roles, 'owner'),
        password: fc.constantFrom('a long enough one', '1'),
        label: fc.string({ maxLength: 5 }),
        day: fc.integer({ min: 0, max: 30_000 }),
        at: fc.integer({ min: 0, max: 2_000_000_000 }),
        time: fc.integer({ min: 0, max: 2_000_000_000 }),
        action: fc.constantFrom('add', 'void'),
        reason: fc.string({ maxLength: 5 }),
        dryRun: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((json) => JSON.stringify(json)),
);
const extra = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  {},
  { 'if-none-match': '*' },
  { accept: 'application/problem+json' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-original-url': '/api/health' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-tallybook-role': 'admin' },
);

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(
  { port }: RunningService,
  agent: Agent,
  options: { method: string; path: string; headers: Readonly<Record<string, string>>; body: string },
): Promise<Answer> {
  const { method, path, headers, body: content } = options;
  const asking = request({ host: '127.0.0.1', port, agent, method, path, headers });
  asking.end(content);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const status = response.statusCode ?? 0;
  const head = JSON.stringify(response.headers);
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    response.destroy();
    return { status, text: head };
  }
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { status, text: head + Buffer.concat(pieces).toString('latin1') };
}

/** The path that somebody who is generous might take this for. */
function generous(target: string): string {
  const { pathname } = new URL(target.replace(/^\/+/, '/'), 'http://localhost');
  const plain = decodeURIComponent(pathname).toLowerCase();
  return plain
    .replace(/[;\0].*$/, '')
    .replaceAll(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '');
}

function mayAsk(role: Role | 'nobody', method: string, path: string, query: string): boolean {
  const need = needs[`${method === 'HEAD' ? 'GET' : method} ${path}`];
  // OPTIONS says which methods there are.
  if (method === 'OPTIONS') return role !== 'nobody';
  if (need === undefined) return false;
  if (need === 'public') return true;
  if (role === 'nobody') return false;
  if (path === '/api/credentials' && method !== 'DELETE' && /(?:^|&)all=/.test(query)) {
    return authorise(role, 'manage-access');
  }
  return need === 'signed-in' || authorise(role, need);
}

describe('a service with users', () => {
  it('crosses no border: whoever asks for whatever, however odd', async function () {
    this.timeout(Math.max(30_000, REQUESTS * 20));
    await using world = await createWorld();
    const { service, askers, secrets } = world;
    const agent = new Agent({ keepAlive: true });
    const statuses = new Map<number, number>();
    const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH');
    const query = fc
      .array(fc.tuple(parameter, value), { maxLength: 3 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...askers),
        method,
        fc.constantFrom(...paths),
        fc.constantFrom(...odd),
        query,
        fc.tuple(body, extra),
        async (asker, verb, path, write, text, [content, more]) => {
          const isOwnSession = 'cookie' in asker.headers && path === '/api/session' && verb !== 'GET';
          // What ends the session of the trial would be no trial any more.
          if (isOwnSession) return;
          const target = write(path) + (text === '' ? '' : `?${text}`);
          const headers: Record<string, string> = {
            'content-type': 'application/json',
            ...asker.headers,
            ...more,
          };
          const what = `${asker.name}: ${verb} ${target} ${content}`;
          // An event stream cuts who sends what belongs to no request, and a body of GET belongs to none.
          const sent = verb === 'GET' || verb === 'HEAD' ? '' : content;
          const answer = await ask(service, agent, { method: verb, path: target, headers, body: sent });
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          expect(answer.status, what).to.be.within(200, 499);
          const isGiven = answer.status < 400;
          const isForeign = headers['origin'] === 'http://evil.test';
          if (isGiven && isForeign) expect(verb, what).to.be.oneOf(['GET', 'HEAD', 'OPTIONS']);
          if (isGiven) expect(mayAsk(asker.role, verb, generous(write(path)), text), what).to.equal(true);
          for (const secret of secrets) expect(answer.text, what).to.not.include(secret);
          if (asker.role === 'nobody' || !authorise(asker.role, 'see-record')) {
            expect(answer.text, what).to.not.include(FORMER_TAG);
          }
        },
      ),
      { numRuns: REQUESTS },
    );
    agent.destroy();
    expect(service.reports).to.deep.equal([]);
    expect((await service.request('/api/health')).status).to.equal(200);
    // It was no trial if everybody was refused, or nobody.
    for (const status of [200, 401, 403]) expect(statuses.get(status) ?? 0, String(status)).to.be.above(0);
    if (REQUESTS > 10_000) console.log(JSON.stringify(Object.fromEntries(statuses)));
  });
});
