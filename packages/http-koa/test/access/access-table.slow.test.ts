import { text as textOf } from 'node:stream/consumers';
import { owner, roles } from '@tallybook/domain/access';
import { operations, type Operation, type Requirement } from '@tallybook/http-contract';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import { askers, isAllowed, isAllowedInGroups, type Asker } from '../../../../tools/http-reference.js';
import { claimedService, createToken, PASSWORD, sessionOf } from '../fixtures/claimed-service.js';
import { RunningService } from '../fixtures/running-service.js';

interface Case {
  readonly method: string;
  readonly path: string;
  readonly needed: Requirement;
  readonly isByGroup: boolean;
}

/** The queries of those cases of operations that a query chooses. */
const queries: Readonly<Record<string, string>> = {
  'of today': '?day=20413',
  'of another day': '?day=20412',
  'of everybody': '?all=1',
};

/** A request of each case of each operation. */
const cases: readonly Case[] = Object.entries<Operation>(operations).flatMap(
  ([address, { action, isByGroup = false }]) => {
    const [method = '', path = ''] = address.replace('{name}', 'gate').split(' ');
    const needs = typeof action === 'string' ? { '': action } : action;
    return Object.entries(needs).flatMap(([note, needed]) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((verb) => ({
        ...{ method: verb, path: path + (queries[note] ?? ''), needed, isByGroup },
      })),
    );
  },
);

interface Outcome {
  readonly status: number;
  readonly code: string | undefined;
}

/** The answer to a client, without the body. */
async function ask(
  service: RunningService,
  method: string,
  target: string,
  token: string | undefined,
  others: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const headers = {
    Accept: 'application/problem+json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...others,
  };
  const response = await service.begin(target, { method, headers });
  const { statusCode: status = 0 } = response;
  if (response.headers['content-type'] !== 'application/problem+json') {
    response.destroy();
    return { status, code: undefined };
  }
  const text = await textOf(response);
  return { status, code: text === '' ? undefined : (JSON.parse(text) as { code?: string }).code };
}

/** Whether access was granted, whatever the result of the request. */
function isLetIn({ status, code }: Outcome): boolean {
  return status !== 401 && code !== 'NOT_ALLOWED' && status !== 403;
}

interface World extends AsyncDisposable {
  readonly service: RunningService;
  readonly tokens: ReadonlyMap<Asker, string>;
}

async function claimed(): Promise<World> {
  const service = await claimedService({ provider: new ScriptedIdentityProvider() });
  const tokens = new Map<Asker, string>();
  for (const role of roles) tokens.set(role, (await createToken(service, role)).token);
  return { service, tokens, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

describe('the access of roles to routes', () => {
  it('is that of the contract for every role and every route', async () => {
    await using world = await claimed();
    const { service, tokens } = world;
    for (const { method, path, needed } of cases) {
      for (const asker of askers) {
        const outcome = await ask(service, method, path, tokens.get(asker));
        const what = `${asker}: ${method} ${path}: ${outcome.status}`;
        expect(outcome.status, what).to.be.below(500);
        expect(isLetIn(outcome), what).to.equal(isAllowed(asker, needed));
      }
    }
  });

  it('is that of the contract for a viewer and a desk who are bound to groups', async () => {
    await using world = await claimed();
    const { service } = world;
    for (const role of ['viewer', 'desk'] as const) {
      const groups = ['7b'];
      await service.access.users.put(owner, { name: role, role, groups, password: PASSWORD });
      for (const { method, path, needed, isByGroup } of cases) {
        // Some requests end the session.
        const headers = await sessionOf(service, role);
        const outcome = await ask(service, method, path, undefined, headers);
        const what = `${role} of 7b: ${method} ${path}: ${outcome.status}`;
        expect(outcome.status, what).to.be.below(500);
        const mayBoth = isAllowed(role, needed) && isAllowedInGroups(needed, isByGroup);
        expect(isLetIn(outcome), what).to.equal(mayBoth);
      }
    }
  });

  it('is complete for everybody while there is no user', async () => {
    await using service = await RunningService.start({ access: {} });
    for (const { method, path } of cases) {
      if (path === '/api/setup') continue;
      const outcome = await ask(service, method, path, undefined);
      const isWrongPassword = path === '/api/session' || path === '/api/password';
      // Without a token a station has no name.
      if (path.startsWith('/api/sync')) expect(outcome.status, `${method} ${path}`).to.equal(401);
      else if (!isWrongPassword)
        expect(isLetIn(outcome), `${method} ${path}: ${outcome.status}`).to.equal(true);
    }
  });

  it('is only the setup for everybody, on a service that must be claimed', async () => {
    await using service = await RunningService.start({ access: { requiresClaim: true } });
    const open = ['/api/session', '/api/setup', '/api/health', '/api/health/live', '/api/health/ready'];
    for (const { method, path } of cases) {
      const { status, code } = await ask(service, method, path, undefined);
      if (open.includes(path)) continue;
      expect(status, `${method} ${path}`).to.equal(401);
      if (method !== 'HEAD') expect(code, `${method} ${path}`).to.equal('NOT_CLAIMED');
    }
  });

  it('is hidden without a sign-in: unknown paths and methods are 401 too', async () => {
    await using world = await claimed();
    const { service, tokens } = world;
    for (const [method, path, known] of [
      ['GET', '/api/nothing', 404],
      ['GET', '/api', 404],
      ['GET', '/api/', 404],
      ['PUT', '/api/mapping', 405],
      ['OPTIONS', '/api/mapping', 200],
      ['PROPFIND', '/api/users', 405],
      ['GET', '/api/mapping/', 404],
      ['GET', '/api/%6dapping', 404],
    ] as const) {
      expect((await ask(service, method, path, undefined)).status, `${method} ${path}`).to.equal(401);
      expect((await ask(service, method, path, 'tb_wrong')).status, `${method} ${path}`).to.equal(401);
      const { status } = await ask(service, method, path, tokens.get('viewer'));
      expect(status, `${method} ${path}`).to.equal(known);
    }
  });

  it('is explained in a refusal: the allowed roles, and the role of the sender', async () => {
    await using world = await claimed();
    const { service, tokens } = world;
    const headers = { authorization: `Bearer ${tokens.get('viewer') ?? ''}` };
    const { status, text } = await service.request('/api/csv?from=0&to=1', { headers });
    expect([status, text]).to.deep.equal([403, 'this is for the role desk, admin; yours is viewer']);
  });
});
