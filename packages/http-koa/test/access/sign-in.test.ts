import { expect } from 'chai';
import {
  claimedService,
  cookieOf,
  PASSWORD,
  sessionOf,
  signIn,
  tokenOf,
} from '../fixtures/claimed-service.js';
import { refusalOf } from '../fixtures/documented.js';
import { RunningService, useService } from '../fixtures/running-service.js';

const JSON_ERRORS = { Accept: 'application/problem+json' };

describe('POST /api/session', () => {
  const service = useService(claimedService);

  it('signs in, and the cookie gives access that is refused without it', async () => {
    expect((await service.request('/api/mapping')).status).to.equal(401);
    const answer = await signIn(service, 'Ada');
    expect(answer.status).to.equal(200);
    const [session, browser] = answer.headers.getSetCookie();
    expect(session).to.match(/^tallybook=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(browser).to.match(
      /^tallybook-browser=[\w-]{86}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict$/,
    );
    expect(JSON.parse(answer.text)).to.deep.include({
      access: 'claimed',
      user: { name: 'ada', role: 'admin' },
    });
    const cookie = cookieOf(answer);
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(200);
  });

  it('has the same answer for a wrong password and an unknown user', async () => {
    const bodies = [
      { name: 'ada', password: 'wrong horse battery' },
      { name: 'bob', password: PASSWORD },
      { name: 7, password: null },
    ];
    const answers = await Promise.all(bodies.map((body) => service.post(body, JSON_ERRORS, '/api/session')));
    for (const { status, headers, text } of answers) {
      expect(status).to.equal(401);
      expect(headers.get('www-authenticate')).to.equal('Bearer');
      expect(headers.get('set-cookie')).to.equal(null);
      expect(text).to.equal(answers[0]?.text);
      expect(JSON.parse(text)).to.include({ code: 'SIGN_IN_REFUSED' });
    }
  });

  it('tells a client that tries too often how long to wait', async () => {
    const attempt = () => service.post({ name: 'ada', password: 'wrong horse' }, {}, '/api/session');
    for (let n = 0; n < 3; n++) expect((await attempt()).status).to.equal(401);
    const { status, headers } = await attempt();
    expect(status).to.equal(429);
    expect(headers.get('retry-after')).to.equal('1');
    service.clock.advance(1_000);
    expect((await signIn(service)).status).to.equal(200);
  });

  it('checks a password from a browser that has signed in before, while others must wait', async () => {
    const [, browser = ''] = (await signIn(service)).headers.getSetCookie();
    const cookie = browser.slice(0, browser.indexOf(';'));
    const attempt = (headers = {}) =>
      service.post({ name: 'ada', password: 'wrong horse' }, headers, '/api/session');
    for (let n = 0; n < 3; n++) await attempt();
    expect((await signIn(service)).status).to.equal(429);
    expect((await signIn(service, 'ada', { cookie: `${cookie}0` })).status).to.equal(429);
    expect((await signIn(service, 'ada', { cookie })).status).to.equal(200);
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(401);
  });

  it('accepts only JSON', async () => {
    const { status } = await service.request('/api/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'name=ada',
    });
    expect(status).to.equal(415);
  });

  it('ends the former session of the browser', async () => {
    const first = cookieOf(await signIn(service));
    const origin = `http://127.0.0.1:${service.port}`;
    const second = cookieOf(await signIn(service, 'ada', { cookie: first, origin }));
    expect((await service.request('/api/mapping', { headers: { cookie: first } })).status).to.equal(401);
    expect((await service.request('/api/mapping', { headers: { cookie: second } })).status).to.equal(200);
  });
});

describe('GET /api/session', () => {
  it('shows that a service without users is open', async () => {
    await using service = await RunningService.start({ access: { isInsecure: true } });
    const { actions, ...rest } = await service.json<{ actions: string[] }>('/api/session');
    expect(rest).to.deep.equal({
      access: 'open',
      user: null,
      groups: [],
      isInsecure: true,
      expiresAt: null,
      provider: null,
      hasPasskeys: false,
    });
    expect(actions).to.include('manage-access');
  });

  it('shows the permissions of the session and its end', async () => {
    await using service = await claimedService({}, 'kiosk');
    const cookie = cookieOf(await signIn(service, 'kiosk'));
    expect(await service.json('/api/session', { cookie })).to.deep.equal({
      access: 'claimed',
      user: { name: 'kiosk', role: 'kiosk' },
      groups: [],
      actions: ['see-today', 'push-readings', 'add-guests'],
      isInsecure: false,
      expiresAt: service.clock.now() + 400 * 86_400,
      provider: null,
      hasPasskeys: false,
    });
  });

  it('tells a client without a valid session to sign in', async () => {
    await using service = await claimedService();
    expect(await service.json('/api/session', { cookie: 'tallybook=forged' })).to.deep.equal({
      ...{ access: 'claimed', user: null, actions: [], isInsecure: false, expiresAt: null, provider: null },
      ...{ groups: [], hasPasskeys: false },
    });
  });
});

describe('DELETE /api/session', () => {
  it('ends the session, and asks the browser to forget', async () => {
    await using service = await claimedService();
    const headers = await sessionOf(service);
    const { cookie } = headers;
    const answer = await service.request('/api/session', { method: 'DELETE', headers });
    expect(answer.status).to.equal(204);
    expect(answer.headers.get('set-cookie')).to.match(/^tallybook=; Path=\/; Max-Age=0;/);
    expect(answer.headers.get('clear-site-data')).to.equal('"cache"');
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(401);
  });

  it('does not change a token', async () => {
    await using service = await claimedService();
    const headers = await tokenOf(service, 'viewer');
    expect((await service.request('/api/session', { method: 'DELETE', headers })).status).to.equal(204);
    expect((await service.request('/api/mapping', { headers })).status).to.equal(200);
  });
});

describe('POST /api/setup', () => {
  it('makes the first admin with the setup code, and signs in', async () => {
    await using service = await RunningService.start({ access: { requiresClaim: true } });
    const body = { code: service.access.setup.code, name: 'Ada', password: PASSWORD };
    const wrong = await service.post({ ...body, code: '000000000000' }, JSON_ERRORS, '/api/setup');
    expect(refusalOf(wrong)).to.deep.equal([403, 'SETUP_REFUSED']);
    const answer = await service.post(body, {}, '/api/setup');
    expect(answer.status).to.equal(201);
    const cookie = cookieOf(answer);
    expect((await service.request('/api/users', { headers: { cookie } })).text).to.include('"ada"');
    expect((await service.post(body, {}, '/api/setup')).status).to.equal(409);
  });

  it('must come first: without users a sign-in is refused with NOT_CLAIMED', async () => {
    await using service = await RunningService.start({ access: { requiresClaim: true } });
    const body = { name: 'ada', password: PASSWORD };
    const refused = await service.post(body, JSON_ERRORS, '/api/session');
    expect(refusalOf(refused)).to.deep.equal([401, 'NOT_CLAIMED']);
    expect(await service.json('/api/session')).to.include({ access: 'unclaimed' });
  });
});

describe('POST /api/password', () => {
  it('changes the password of a user, with the present password', async () => {
    await using service = await claimedService();
    const headers = await sessionOf(service);
    const { cookie } = headers;
    const change = (current: string, password: string) =>
      service.post({ current, password }, headers, '/api/password');
    expect((await change('wrong horse', 'another horse')).status).to.equal(401);
    expect((await change(PASSWORD, 'password')).status).to.equal(400);
    expect((await change(PASSWORD, 'another horse')).status).to.equal(200);
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(200);
    expect((await signIn(service)).status).to.equal(401);
  });
});
