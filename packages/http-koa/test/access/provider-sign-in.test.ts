import { owner, type IdentityRules } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import type { HttpAccessOptions } from '../../src/access/access-options.js';
import { PASSWORD, tokenOf } from '../fixtures/claimed-service.js';
import { refusalOf, type Answer } from '../fixtures/documented.js';
import { RunningService } from '../fixtures/running-service.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

const START = '/api/session/provider';
const FINISH = '/api/session/provider/answer';
const bob = { subject: 's1', name: 'bob', groups: ['staff'] };

interface World extends AsyncDisposable {
  readonly service: RunningService;
  readonly provider: ScriptedIdentityProvider;
}

async function claimed(
  identityRules: IdentityRules = { groupRoles: { staff: 'viewer' } },
  access: HttpAccessOptions = {},
): Promise<World> {
  const provider = new ScriptedIdentityProvider([bob]);
  const service = await RunningService.start({
    ...{ provider, identityRules },
    access: { trustedProxies: ['127.0.0.1'], ...access },
  });
  await service.access.users.put(owner, { name: 'ada', password: PASSWORD });
  return { service, provider, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** The cookies of an answer, as a browser sends them back. */
function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}

/** Goes to the provider, signs in there, and returns the cookies of the browser. */
async function arrive(
  { service, provider }: World,
  subject = 's1',
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly cookie: string; readonly answer: string }> {
  const begun = await service.post({}, headers, START);
  expect(begun.status).to.equal(200);
  const { url } = JSON.parse(begun.text) as { url: string };
  return { cookie: cookiesOf(begun), answer: provider.answer(url, subject) };
}

function finish({ service }: World, answer: unknown, cookie: string): Promise<Answer> {
  const headers = { Cookie: cookie, Origin: `http://127.0.0.1:${service.port}`, Accept: 'application/json' };
  return service.post({ answer }, headers, FINISH);
}

describe('signing in at an identity provider over HTTP', () => {
  const world = useEach(claimed);

  it('is offered by its label in the answer about the session', async () => {
    expect(await world.service.json('/api/session')).to.have.property('provider', 'Example');
    await using without = await RunningService.start({ access: {} });
    expect(await without.json('/api/session')).to.have.property('provider', null);
    await without.access.users.put(owner, { name: 'ada', password: PASSWORD });
    expect((await without.post({}, {}, START)).status).to.equal(401);
  });

  it('begins with a cookie that no script and no other site can read, and ends with a session instead', async () => {
    const begun = await world.service.post({}, {}, START);
    expect(begun.headers.getSetCookie()).to.have.lengthOf(1);
    expect(begun.headers.getSetCookie()[0]).to.match(
      /^tallybook-provider=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
    );
    const { cookie, answer } = await arrive(world);
    const signedIn = await finish(world, answer, cookie);
    expect([signedIn.status, JSON.parse(signedIn.text)]).to.deep.include.members([200]);
    expect(JSON.parse(signedIn.text)).to.deep.include({ user: { name: 'bob', role: 'viewer' } });
    expect(signedIn.headers.getSetCookie()[0]).to.match(/^tallybook-provider=; Path=\/; Max-Age=0;/);
    const session = cookiesOf(signedIn).split('; ')[1] ?? '';
    expect(await world.service.json('/api/session', { Cookie: session })).to.deep.include({
      user: { name: 'bob', role: 'viewer' },
    });
  });

  it('ends in each of three tabs that began at the same time, in any order', async () => {
    let cookie = '';
    const answers = [];
    for (let tab = 0; tab < 4; tab++) {
      const arrived = await arrive(world, 's1', { cookie });
      ({ cookie } = arrived);
      answers.push(arrived.answer);
    }
    const statuses = [];
    for (const tab of [2, 1, 3, 0]) {
      const finished = await finish(world, answers[tab], cookie);
      statuses.push(finished.status);
      cookie =
        finished.headers
          .getSetCookie()
          .find((each) => each.startsWith('tallybook-provider'))
          ?.split(';')[0] ?? '';
    }
    expect(statuses).to.deep.equal([200, 200, 200, 401]);
    expect((await finish(world, answers[2], cookie)).status).to.equal(401);
  });

  it('has a cookie for this host alone over https', async () => {
    const begun = await world.service.post({}, { 'X-Forwarded-Proto': 'https' }, START);
    expect(begun.headers.getSetCookie()[0]).to.match(
      /^__Host-tallybook-provider=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it('accepts no answer in a browser that has not asked, and none of another browser', async () => {
    const [mine, theirs] = [await arrive(world), await arrive(world)];
    for (const cookie of ['', 'tallybook-provider=', 'tallybook-provider=x', 'x=1', theirs.cookie]) {
      const refused = await finish(world, mine.answer, cookie);
      expect(refusalOf(refused)).to.deep.equal([401, 'IDENTITY_REFUSED']);
    }
  });

  it('is not begun and not finished by a page of another site', async () => {
    const { cookie, answer } = await arrive(world);
    for (const [path, body] of [
      [START, {}],
      [FINISH, { answer }],
    ] as const) {
      const foreign = { Cookie: cookie, Origin: 'http://evil.test', Host: `127.0.0.1:${world.service.port}` };
      expect((await world.service.exchangeJson(path, body, foreign)).status).to.equal(403);
    }
  });

  it('shows a person who is no user their subject at the provider', async () => {
    await using world = await claimed({});
    const { cookie, answer } = await arrive(world);
    const { status, text, headers } = await finish(world, answer, cookie);
    expect([status, JSON.parse(text)]).to.deep.include.members([403]);
    expect(JSON.parse(text)).to.include({ code: 'IDENTITY_UNKNOWN', subject: 's1' });
    expect(headers.getSetCookie()).to.have.lengthOf(1);
  });

  it('is 503 with a clear message while the provider is away, which is logged', async () => {
    const { cookie, answer } = await arrive(world);
    world.provider.isAway = true;
    for (const outcome of [await world.service.post({}, {}, START), await finish(world, answer, cookie)]) {
      expect(outcome.status).to.equal(503);
      expect(outcome.text).to.include('nobody answers');
    }
    expect(world.service.reports).to.have.lengthOf(2);
  });

  it('is 4xx for everything that is no answer', async () => {
    const { cookie } = await arrive(world);
    for (const answer of [undefined, null, 7, [], {}, '', 'a'.repeat(9_000), '%', '\u0000']) {
      const { status } = await finish(world, answer, cookie);
      expect(status, JSON.stringify(answer)).to.be.within(400, 499);
    }
    for (const body of ['', '[]', '{', 'null']) {
      expect((await world.service.post(body, {}, FINISH)).status, body).to.be.within(400, 499);
    }
    expect(world.service.reports).to.deep.equal([]);
  });

  it('gives the address of signing out there to people who sign in there', async () => {
    const { cookie, answer } = await arrive(world);
    const session = cookiesOf(await finish(world, answer, cookie)).split('; ')[1] ?? '';
    const ask = (headers: Record<string, string>): Promise<Answer> =>
      world.service.request(`${START}/sign-out`, { headers });
    const { status, text } = await ask({ Cookie: session });
    expect([status, JSON.parse(text)]).to.deep.equal([200, { url: `${world.provider.issuer}/end` }]);
    expect((await ask(await tokenOf(world.service, 'admin'))).text).to.equal('{"url":null}');
    expect((await ask({})).status).to.equal(401);
  });

  describe('makes the browser keep the hint for signing out at the provider, which', () => {
    const https = { 'X-Forwarded-Proto': 'https' };

    /** Cookies of the answer with the session, in order: used ticket, session, hint. */
    async function signedIn(world: World, subject = 's1', headers = {}): Promise<readonly string[]> {
      const { cookie, answer } = await arrive(world, subject, headers);
      const finished = await world.service.post({ answer }, { ...headers, Cookie: cookie }, FINISH);
      return finished.headers.getSetCookie();
    }

    const pairOf = (cookie = ''): string => cookie.split(';')[0] ?? '';

    async function urlFor({ service }: World, headers: Record<string, string>): Promise<unknown> {
      return (await service.json<{ url: unknown }>(`${START}/sign-out`, headers)).url;
    }

    it('is sent only to the routes of the provider, also if a proxy adds a prefix to paths', async () => {
      // Without a path, a cookie is valid below the folder of the request path.
      expect((await signedIn(world))[2]).to.match(
        /^tallybook-sign-out=[\w-]+; Max-Age=43[12]\d\d; HttpOnly; SameSite=Strict$/,
      );
      expect((await signedIn(world, 's1', https))[2]).to.match(
        /^__Secure-tallybook-sign-out=[\w-]+; Max-Age=43[12]\d\d; HttpOnly; SameSite=Strict; Secure$/,
      );
    });

    it('is in the URL for signing out there, and cannot be read with the cookie alone', async () => {
      const [, session, hint] = (await signedIn(world)).map(pairOf);
      expect(await urlFor(world, { Cookie: `${session}; ${hint}` })).to.equal(
        `${world.provider.issuer}/end?hint=hint.s1`,
      );
      expect(Buffer.from(hint?.split('=')[1] ?? '', 'base64url').toString('latin1')).not.to.include('hint.');
    });

    it('is not used with another session, or after a change', async () => {
      world.provider.people.set('s2', { ...bob, subject: 's2', name: 'eve' });
      const [, session, hint = ''] = (await signedIn(world)).map(pairOf);
      const [, , theirs] = (await signedIn(world, 's2')).map(pairOf);
      // Not the last letter: two of its bits have no meaning.
      const changed = `${hint.slice(0, -2)}${hint.at(-2) === 'A' ? 'B' : 'A'}${hint.at(-1)}`;
      const wrong = ['tallybook-sign-out=', 'tallybook-sign-out=%', 'x=1'];
      for (const cookie of [theirs, changed, hint.slice(0, 40), ...wrong]) {
        expect(await urlFor(world, { Cookie: `${session}; ${cookie}` }), cookie).to.equal(
          `${world.provider.issuer}/end`,
        );
      }
    });

    it('is not used if a proxy names the user, who may be another person', async () => {
      await using world = await claimed(undefined, { authHeader: 'X-Forwarded-User' });
      world.provider.people.set('s2', { ...bob, subject: 's2', name: 'eve' });
      await signedIn(world, 's2');
      const [, session, hint] = (await signedIn(world)).map(pairOf);
      const headers = { Cookie: `${session}; ${hint}`, 'X-Forwarded-User': 'eve' };
      expect(await urlFor(world, headers)).to.equal(`${world.provider.issuer}/end`);
    });

    it('is removed by the next session without one', async () => {
      const proves = world.provider.finish.bind(world.provider);
      world.provider.finish = async (...given) => ({ ...(await proves(...given)), signOutHint: undefined });
      expect(await signedIn(world)).to.have.lengthOf(2);
      const { cookie, answer } = await arrive(world);
      const { headers } = await finish(world, answer, `${cookie}; tallybook-sign-out=x`);
      expect(headers.getSetCookie()[2]).to.match(/^tallybook-sign-out=; Max-Age=0;/);
    });
  });

  it('replaces the former session of the browser', async () => {
    const { secret } = await world.service.access.passwords.signIn('ada', PASSWORD, {
      ...{ address: '127.0.0.1', transport: 'http', label: 'test' },
    });
    const { cookie, answer } = await arrive(world);
    await finish(world, answer, `${cookie}; tallybook=${secret}`);
    expect(world.service.access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  it('shows how users sign in, and lets admins decide on it', async () => {
    const { cookie, answer } = await arrive(world);
    await finish(world, answer, cookie);
    const headers = await tokenOf(world.service, 'admin');
    await world.service.post({ name: 'carl', role: 'desk', provider: true }, headers, '/api/users');
    await world.service.post({ name: 'dora', role: 'desk', subject: 's4' }, headers, '/api/users');
    const users = await world.service.json<{ name: string; provider: unknown }[]>('/api/users', headers);
    expect(users.map(({ name, provider }) => [name, provider])).to.deep.equal([
      ['ada', null],
      ['bob', { subject: 's1', grantsRole: true }],
      ['carl', { subject: null, grantsRole: false }],
      ['dora', { subject: 's4', grantsRole: false }],
    ]);
    const wrong = await world.service.post({ name: 'eve', subject: 's4' }, headers, '/api/users');
    expect(wrong.status).to.equal(400);
  });

  it('is missing for everybody on a service without a setup', async () => {
    const provider = new ScriptedIdentityProvider([bob]);
    const options = { provider, identityRules: { role: 'admin' as const }, access: { requiresClaim: true } };
    await using service = await RunningService.start(options);
    const begun = await service.post({}, { Accept: 'application/json' }, START);
    expect(refusalOf(begun)).to.deep.equal([401, 'NOT_CLAIMED']);
  });
});
