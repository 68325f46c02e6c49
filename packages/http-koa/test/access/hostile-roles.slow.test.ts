import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { authorise, owner, roles, type Role } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { operations, type Address, type Operations } from '@tallybook/http-contract';
import { isAllowed } from '../../../../tools/http-reference.js';
import { claimedService, cookieOf, PASSWORD, signIn } from '../fixtures/claimed-service.js';
import { LocalServer } from '../fixtures/local-server.js';
import type { RunningService } from '../fixtures/running-service.js';

/** For longer runs: TALLYBOOK_TEST_ROLE_REQUESTS=1000000. */
const REQUESTS = Number(process.env['TALLYBOOK_TEST_ROLE_REQUESTS'] ?? 1_000);

/** All requests of the interface: method and path. */
const offered = Object.keys(operations).map((address) => {
  const [method = '', path = ''] = address.replace('{name}', 'gate').split(' ');
  return [method, path] as const;
});
const paths = [...new Set(offered.map(([, path]) => path))];

/** A tag without a name from another day: only roles that see the record may ever see it. */
const FORMER_TAG = 'DEADBEEF01';

interface Asker {
  readonly name: string;
  readonly role: Role | 'nobody';
  readonly headers: Readonly<Record<string, string>>;
}

interface World extends AsyncDisposable {
  readonly service: RunningService;
  readonly port: number;
  readonly askers: readonly Asker[];
  /** Text that no answer may contain. */
  readonly secrets: readonly string[];
}

/** A fault of the service before it answers: `true` if it has answered or closed the connection. */
type Fault = (request: IncomingMessage, response: ServerResponse, world: World) => unknown;

async function createWorld(fault: Fault = () => undefined): Promise<World> {
  const service = await claimedService(
    { trustedProxies: ['10.0.0.1'], authHeader: 'X-User', provider: new ScriptedIdentityProvider() },
    'viewer',
  );
  await service.tap(FORMER_TAG);
  const ended = await service.access.credentials.createToken(owner, { label: 'old', role: 'admin', days: 1 });
  service.clock.advance(3 * 86_400_000);
  const secrets = [ended.token, PASSWORD, '$scrypt$'];
  const handle = service.app.callback();
  const server = new LocalServer((incoming, response) => {
    if (fault(incoming, response, world) !== true) void handle(incoming, response);
  });
  const { port } = await server.listen();
  const askers: Asker[] = [
    { name: 'nobody', role: 'nobody', headers: {} },
    { name: 'ended', role: 'nobody', headers: { authorization: `Bearer ${ended.token}` } },
    { name: 'foreign proxy', role: 'nobody', headers: { 'x-user': 'ada' } },
  ];
  const world: World = {
    ...{ service, port, askers, secrets },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
  for (const role of roles) {
    const { token } = await service.access.credentials.createToken(owner, { label: `of ${role}`, role });
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
    const origin = `http://127.0.0.1:${port}`;
    askers.push({ name: `session of ${name}`, role, headers: { cookie, origin } });
    // Requests of a page of another site: they may change nothing.
    askers.push({ name: `foreign page at ${name}`, role, headers: { cookie, origin: 'http://evil.test' } });
  }
  return world;
}

const odd: readonly ((path: string) => string)[] = [
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
        answer: fc.constantFrom('', 'state=1&subject=eve', '%'),
        provider: fc.boolean(),
        subject: fc.string({ maxLength: 5 }),
        dryRun: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((json) => JSON.stringify(json)),
);
/** Bodies that change something if the role allows it: a request that fails anyway proves nothing about the role. */
const fitting: Readonly<Record<string, string>> = {
  'POST /api/mapping': JSON.stringify({ id: '04A2B3C4D5', name: 'eve' }),
  'POST /api/tokens': JSON.stringify({ label: 'new', role: 'viewer' }),
  'POST /api/users': JSON.stringify({ name: 'eve', role: 'viewer', password: 'a long enough one' }),
};
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
  port: number,
  agent: Agent,
  options: { method: string; path: string; headers: Readonly<Record<string, string>>; body: string },
): Promise<Answer> {
  const { method, path, headers, body: content } = options;
  // Node announces no body for GET and HEAD by itself, and an unannounced body is no part of the request.
  const framed = { ...headers, 'content-length': String(Buffer.byteLength(content)) };
  const asking = request({ host: '127.0.0.1', port, agent, method, path, headers: framed });
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

/** The path as a generous server could understand it. */
function generous(target: string): string {
  const { pathname } = new URL(target.replace(/^\/+/, '/'), 'http://localhost');
  const plain = decodeURIComponent(pathname).toLowerCase();
  return plain
    .replace(/[;\0].*$/, '')
    .replaceAll(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '');
}

function mayAsk(role: Role | 'nobody', method: string, path: string, query: string): boolean {
  // OPTIONS lists the methods.
  if (method === 'OPTIONS') return role !== 'nobody';
  const verb = method === 'HEAD' ? 'GET' : method;
  const { action } =
    (operations as Operations)[`${verb} ${path.replace('/gate/', '/{name}/')}` as Address] ?? {};
  if (action === undefined) return false;
  const [least, greater = least] = typeof action === 'string' ? [action] : Object.values(action);
  // A kiosk sees only today. The test searches each answer for anything else.
  const needed = /(?:^|&)all=/.test(query) ? greater : least;
  return needed !== undefined && isAllowed(role, needed);
}

/** Sends a number of requests and counts the statuses. Rejects at the first wrong answer. */
async function tryRequests(world: World, requests: number): Promise<ReadonlyMap<number, number>> {
  const { port, askers, secrets } = world;
  // Requests with a cookie are tried more often, because fewer of them have an effect.
  const browsers = askers.filter(({ headers }) => 'origin' in headers);
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH');
  const query = fc
    .array(fc.tuple(parameter, value), { maxLength: 3 })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
  const trial = fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...askers, ...browsers, ...browsers),
      fc.oneof(fc.constantFrom(...offered), fc.tuple(method, fc.constantFrom(...paths))),
      fc.oneof(
        fc.constant((path: string) => path),
        fc.constantFrom(...odd),
      ),
      query,
      fc.tuple(body, fc.boolean(), extra),
      async (asker, [verb, path], write, text, [random, fits, more]) => {
        const isOwnSession = 'cookie' in asker.headers && path === '/api/session' && verb !== 'GET';
        // A request that ends its own session would spoil the requests after it.
        if (isOwnSession) return;
        const target = write(path) + (text === '' ? '' : `?${text}`);
        const headers: Record<string, string> = {
          'content-type': 'application/json',
          ...asker.headers,
          ...more,
        };
        const content = fits ? (fitting[`${verb} ${path}`] ?? random) : random;
        const what = `${asker.name}: ${verb} ${target} ${content}`;
        const answer = await ask(port, agent, { method: verb, path: target, headers, body: content });
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
    { numRuns: requests, endOnFailure: true },
  );
  await trial.finally(() => agent.destroy());
  return statuses;
}

/** Turns a request into one of the admin. */
function promote(incoming: IncomingMessage, { askers }: World): void {
  Object.assign(incoming.headers, askers.find(({ name }) => name === 'admin')?.headers);
}

const faults: Readonly<Record<string, Fault>> = {
  'fails with 500': (incoming, response) => {
    if (incoming.url?.startsWith('/api/corrections') !== true) return false;
    response.writeHead(500).end();
    return true;
  },
  'cuts who sends a body with GET': (incoming) => {
    if (incoming.method !== 'GET' || Number(incoming.headers['content-length']) === 0) return false;
    incoming.socket.destroy();
    return true;
  },
  'shows the users to everybody': (incoming, _, world) => {
    if (incoming.url?.startsWith('/api/users') === true) promote(incoming, world);
  },
  'lets a kiosk do what admins may': (incoming, _, world) => {
    const kiosk = world.askers.find(({ name }) => name === 'kiosk')?.headers['authorization'];
    if (incoming.headers.authorization === kiosk) promote(incoming, world);
  },
  'takes a token that has ended': (incoming, _, world) => {
    const ended = world.askers.find(({ name }) => name === 'ended')?.headers['authorization'];
    if (incoming.headers.authorization === ended) promote(incoming, world);
  },
  'believes a header': (incoming, _, world) => {
    if (incoming.headers['x-tallybook-role'] === 'admin') promote(incoming, world);
  },
  'lets pages of other sites change things': (incoming, _, { port }) => {
    if ('origin' in incoming.headers) incoming.headers.origin = `http://127.0.0.1:${port}`;
  },
  'shows a secret': (_, response, { secrets }) => {
    response.setHeader('X-Debug', secrets.at(-1) ?? '');
  },
};

describe('a service with users', () => {
  it('gives nobody access without permission, for all senders and all odd requests', async function () {
    this.timeout(Math.max(30_000, REQUESTS * 20));
    await using world = await createWorld();
    const { service } = world;
    const statuses = await tryRequests(world, REQUESTS);
    expect(service.reports).to.deep.equal([]);
    expect((await service.request('/api/health')).status).to.equal(200);
    // The trial is void if all requests were refused, or none.
    for (const status of [200, 401, 403]) expect(statuses.get(status) ?? 0, String(status)).to.be.above(0);
    if (REQUESTS > 10_000) console.log(JSON.stringify(Object.fromEntries(statuses)));
  });

  for (const [what, fault] of Object.entries(faults)) {
    it(`would fail this test if it ${what}`, async () => {
      await using world = await createWorld(fault);
      const failure = await tryRequests(world, 20_000).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
    });
  }
});
