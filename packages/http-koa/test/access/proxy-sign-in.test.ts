import { owner, type Principal } from '@tallybook/domain/access';
import { expect } from 'chai';
import { Connections } from '../../src/access/connections.js';
import type { HttpAccessOptions } from '../../src/index.js';
import { claimedService, cookieOf, PASSWORD, signIn, tokenOf } from '../fixtures/claimed-service.js';
import { RunningService } from '../fixtures/running-service.js';

const HEADER = 'X-Forwarded-User';
const near = { trustedProxies: ['127.0.0.0/8'], authHeader: HEADER };

async function userOf(service: RunningService, headers: Record<string, string>): Promise<unknown> {
  return (await service.json<{ user: unknown }>('/api/session', headers)).user;
}

/** A text whose characters are the bytes of another one in UTF-8: a header is sent byte by byte. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

describe('a user whom a proxy names', () => {
  it('is signed in if the proxy is trusted', async () => {
    await using service = await claimedService(near, 'viewer');
    expect(await userOf(service, { [HEADER]: 'Viewer' })).to.deep.equal({ name: 'viewer', role: 'viewer' });
  });

  it('is nobody if the request does not come from a trusted proxy, or no header is set', async () => {
    await using elsewhere = await claimedService({ ...near, trustedProxies: ['10.0.0.1', 'fd00::/8'] });
    expect(await userOf(elsewhere, { [HEADER]: 'ada' })).to.equal(null);
    await using without = await claimedService({ trustedProxies: ['127.0.0.1'] });
    expect(await userOf(without, { [HEADER]: 'ada' })).to.equal(null);
  });

  it('is nobody if the service does not know the name, unless unknown users have a role', async () => {
    await using strict = await claimedService(near);
    expect(await userOf(strict, { [HEADER]: 'bob' })).to.equal(null);
    await using lenient = await claimedService({ ...near, authHeaderRole: 'viewer' });
    expect(await userOf(lenient, { [HEADER]: 'Bob' })).to.deep.equal({ name: 'bob', role: 'viewer' });
    for (const name of ['ada, bob', '', ' ', 'a b', 'x'.repeat(65)]) {
      expect(await userOf(lenient, { [HEADER]: name }), name).to.equal(null);
    }
  });

  it('is nobody under a reserved name, which the audit trail uses for others', async () => {
    await using service = await claimedService({ ...near, authHeaderRole: 'viewer' });
    for (const name of ['console', 'Anyone', 'nobody']) {
      expect(await userOf(service, { [HEADER]: name }), name).to.equal(null);
    }
  });

  it('has the most permissions of its groups, with bars, semicolons or commas between them', async () => {
    const ofDirectory = 'cn=staff,ou=groups,dc=example';
    await using service = await claimedService({
      ...near,
      authGroupsHeader: 'X-authentik-groups',
      authGroupRoles: { office: 'desk', doors: 'device', [ofDirectory]: 'viewer', 'büro, vorn': 'kiosk' },
    });
    for (const [groups, role] of [
      ['doors, office', 'desk'],
      ['staff | office', 'desk'],
      ['staff; office', 'desk'],
      ['doors,toString', 'device'],
      ['others', undefined],
      ['staff|office,doors', undefined],
      [ofDirectory, 'viewer'],
      [`cn=all,dc=example|${ofDirectory}`, 'viewer'],
      ['staff|büro, vorn', 'kiosk'],
    ] as const) {
      const user = await userOf(service, { [HEADER]: 'bob', 'X-authentik-groups': utf8(groups) });
      expect(user, groups).to.deep.equal(role === undefined ? null : { name: 'bob', role });
    }
  });

  it('has a name in UTF-8, or in latin1 if the header is not valid UTF-8', async () => {
    await using service = await claimedService({ ...near, authHeaderRole: 'viewer' });
    await service.access.users.put(owner, { name: 'jürgen', role: 'desk', password: PASSWORD });
    const jurgen = { name: 'jürgen', role: 'desk' };
    for (const sent of [utf8('jürgen'), utf8('Ju\u0308rgen'), 'jürgen', 'J\u00DCRGEN'])
      expect(await userOf(service, { [HEADER]: sent }), sent).to.deep.equal(jurgen);
    expect(await userOf(service, { [HEADER]: utf8('李') })).to.deep.equal({ name: '李', role: 'viewer' });
  });

  it('leaves nothing open on a service without users', async () => {
    await using service = await RunningService.start({ access: { ...near, authHeaderRole: 'admin' } });
    expect((await service.request('/api/mapping')).status).to.equal(401);
    expect((await service.request('/api/mapping', { headers: { [HEADER]: 'bob' } })).status).to.equal(200);
    expect(await service.json('/api/session')).to.include({ access: 'claimed' });
  });

  it('lets the first user be added without a password: the proxy signs this user in', async () => {
    await using service = await RunningService.start({ access: { ...near, authHeaderRole: 'admin' } });
    const headers = { [HEADER]: 'bob', origin: `http://127.0.0.1:${service.port}` };
    expect((await service.post({ name: 'bob' }, headers, '/api/users')).status).to.equal(201);
    expect(await userOf(service, headers)).to.include({ name: 'bob', role: 'admin' });
  });

  it('is preferred to the cookie, and a token to both', async () => {
    await using service = await claimedService(near, 'viewer', 'desk');
    const cookie = cookieOf(await signIn(service, 'desk'));
    const both = { cookie, [HEADER]: 'viewer' };
    expect(await userOf(service, both)).to.include({ name: 'viewer' });
    const all = { ...both, ...(await tokenOf(service, 'kiosk', 'x')) };
    expect(await userOf(service, all)).to.include({ name: 'token x' });
  });

  it('does not help a page of another site: the proxy adds the header to its requests too', async () => {
    await using service = await claimedService(near);
    const change = (headers: Record<string, string>) =>
      service.exchangeJson('/api/users', { name: 'bob' }, { [HEADER]: 'ada', ...headers });
    expect((await change({})).status).to.equal(403);
    expect((await change({ origin: 'http://elsewhere.example' })).status).to.equal(403);
    expect((await change({ origin: `http://127.0.0.1:${service.port}` })).status).to.equal(201);
  });
});

describe('a proxy that is trusted', () => {
  it('reports that the browser came over https, which needs another kind of cookies', async () => {
    await using service = await claimedService(near);
    const https = { 'X-Forwarded-Proto': 'https' };
    const answer = await signIn(service, 'ada', https);
    const [session, browser] = answer.headers.getSetCookie();
    expect(browser).to.match(/^__Host-tallybook-browser=.*; Secure$/);
    expect(session).to.match(
      /^__Host-tallybook=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    const cookie = cookieOf(answer);
    expect((await service.request('/api/mapping', { headers: { ...https, cookie } })).status).to.equal(200);
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(401);
  });

  it('reports the host of the page', async () => {
    await using service = await claimedService(near);
    const cookie = cookieOf(await signIn(service));
    const change = (host: string) =>
      service.exchangeJson(
        '/api/users',
        { name: 'bob' },
        {
          ...{ cookie, origin: 'https://taps.example.org', 'x-forwarded-host': host },
        },
      );
    expect((await change('taps.example.org')).status).to.equal(201);
    expect((await change('other.example.org')).status).to.equal(403);
  });

  it('reports the address of a client: each address has its own limit of passwords', async () => {
    await using service = await claimedService(near);
    const attempt = (address: string, name: string) =>
      service.post({ name, password: 'wrong horse' }, { 'X-Forwarded-For': address }, '/api/session');
    for (let n = 0; n < 10; n++) await attempt('1.2.3.4, 203.0.113.9', `user${n}`);
    expect((await attempt('203.0.113.9', 'other')).status).to.equal(429);
    // Addresses before the last one come from the client and count for nothing.
    expect((await attempt('5.6.7.8, 203.0.113.9', 'other')).status).to.equal(429);
    expect((await attempt('203.0.113.10', 'other')).status).to.equal(401);
  });

  it('is an address or a network', () => {
    for (const wrong of ['', 'proxy', '10.0.0.0/33', '10.0.0.1/', 'fd00::/129', '10.0.0', '10.0.0.1/8/8']) {
      expect(() => new Connections([wrong]), wrong).to.throw(/a proxy is an address or a network/);
    }
  });
});

describe('the network of an address', () => {
  const of = (remoteAddress: string | undefined, forwarded?: string): string =>
    new Connections(['10.0.0.0/8', 'fd00::/8']).networkOf({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as never);

  it('is the address itself, or the first half of an IPv6 address', () => {
    expect(of('203.0.113.9')).to.equal('203.0.113.9');
    expect(of('::ffff:203.0.113.9')).to.equal('203.0.113.9');
    expect(of('2001:db8:1:2:3:4:5:6')).to.equal('2001:db8:1:2');
    expect(of('2001:DB8::1')).to.equal('2001:db8:0:0');
    expect(of('fe80::1%eth0')).to.equal('fe80:0:0:0');
    expect(of('::1')).to.equal('0:0:0:0');
  });

  it('is that of the last address before the trusted proxies', () => {
    expect(of('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2')).to.equal('203.0.113.9');
    expect(of('::ffff:10.0.0.1', '2001:db8::1, fd00::1')).to.equal('2001:db8:0:0');
    expect(of('203.0.113.9', '1.1.1.1')).to.equal('203.0.113.9');
    expect(of('10.0.0.1', '1.1.1.1, unknown, 10.0.0.2')).to.equal('10.0.0.1');
    expect(of('10.0.0.1', '10.0.0.2, 10.0.0.3')).to.equal('10.0.0.1');
    expect(of(undefined)).to.equal('local');
    expect(of('10.0.0.1', '')).to.equal('10.0.0.1');
  });

  it('is found if the proxy also writes the port', () => {
    expect(of('10.0.0.1', '203.0.113.7:51234')).to.equal('203.0.113.7');
    expect(of('10.0.0.1', '203.0.113.7:51234, 10.0.0.2:443')).to.equal('203.0.113.7');
    expect(of('10.0.0.1', '[2001:db8::1]:443')).to.equal('2001:db8:0:0');
    expect(of('10.0.0.1', '[2001:db8::1], [fd00::1]:80')).to.equal('2001:db8:0:0');
    expect(of('10.0.0.1', '[::ffff:203.0.113.7]:443')).to.equal('203.0.113.7');
    for (const wrong of ['203.0.113.7:', '203.0.113.7:x', '[203.0.113.7', 'proxy:443', '2001:db8::1]'])
      expect(of('10.0.0.1', wrong), wrong).to.equal('10.0.0.1');
  });
});

describe('a header of a proxy that does not fit', () => {
  async function misfitsOf(
    headers: Record<string, string>,
    access: HttpAccessOptions = {},
  ): Promise<readonly unknown[]> {
    const misfits: unknown[] = [];
    const reportMisfit = (...misfit: unknown[]): void => void misfits.push(misfit);
    const groups = { authGroupsHeader: 'X-Groups', authGroupRoles: { staff: 'viewer' } as const };
    await using service = await claimedService({ ...near, ...groups, ...access, reportMisfit }, 'desk');
    await service.request('/api/session', { headers });
    return [...new Set(misfits.map((misfit) => JSON.stringify(misfit)))].map(
      (text) => JSON.parse(text) as unknown,
    );
  }

  const user = 'x-forwarded-user';
  const name = 'one name of letters, digits or . _ - @ +, which begins with a letter or a digit';
  for (const sent of ['Anna Beispiel', 'ada, bob', 'SCHOOL\\ada', 'x'.repeat(65)]) {
    it(`is reported if it is not a user name: ${sent.slice(0, 20)}`, async () => {
      expect(await misfitsOf({ [HEADER]: sent })).to.deep.equal([[user, name]]);
    });
  }

  it('is reported, with the address, if its sender is not a trusted proxy', async () => {
    const misfits = await misfitsOf({ [HEADER]: 'desk' }, { trustedProxies: ['10.0.0.1'] });
    expect(misfits).to.deep.equal([[user, 'a request of a trusted proxy', '127.0.0.1']]);
  });

  it('is reported if the groups give no role, unless everybody has a role', async () => {
    const sent = { [HEADER]: 'bob', 'X-Groups': 'others' };
    const expected = 'a group that has a role; between groups a |, else a ; or a comma';
    expect(await misfitsOf(sent)).to.deep.equal([['x-groups', expected]]);
    expect(await misfitsOf(sent, { authHeaderRole: 'viewer' })).to.deep.equal([]);
    expect(await misfitsOf({ ...sent, 'X-Groups': 'staff' })).to.deep.equal([]);
  });

  it('is reported if the address of the client, or the transport, is something else', async () => {
    expect(await misfitsOf({ 'X-Forwarded-For': '1.2.3.4, unknown' })).to.deep.equal([
      ['x-forwarded-for', 'addresses such as 192.0.2.1, 192.0.2.1:443 or [2001:db8::1]:443'],
    ]);
    const cookie = 'tallybook=x';
    expect(await misfitsOf({ 'X-Forwarded-Proto': 'on', cookie })).to.deep.equal([
      ['x-forwarded-proto', 'http or https'],
    ]);
  });

  it('is none if it is absent or empty, or fits', async () => {
    expect(await misfitsOf({})).to.deep.equal([]);
    expect(await misfitsOf({ [HEADER]: '', 'X-Groups': '', 'X-Forwarded-For': '' })).to.deep.equal([]);
    const fitting = { [HEADER]: 'desk', 'X-Forwarded-For': '[::1]:1', 'X-Forwarded-Proto': 'HTTPS' };
    expect(await misfitsOf(fitting)).to.deep.equal([]);
  });
});

describe('a connection with its own identity', () => {
  it('needs neither cookie nor token', async () => {
    const principalOf = ({ headers }: { headers: NodeJS.Dict<unknown> }): Principal | undefined =>
      headers['x-test'] === 'socket' ? owner : undefined;
    await using service = await RunningService.start({ access: { requiresClaim: true, principalOf } });
    expect((await service.post({ name: 'ada' }, { 'X-Test': 'socket' }, '/api/users')).status).to.equal(201);
    expect((await service.request('/api/users')).status).to.equal(401);
  });
});

describe('options of access', () => {
  it('are refused if a header or a role is invalid', async () => {
    for (const [access, message] of [
      [{ authHeader: 'no header' }, /authHeader is the name of a header/],
      [{ authHeader: '' }, /authHeader is the name of a header/],
      [{ authHeaderRole: 'boss' as never }, /a role is one of/],
      [{ authGroupRoles: { x: 'nobody' as never } }, /a role is one of/],
    ] as const) {
      const error: unknown = await RunningService.start({ access }).catch((reason: unknown) => reason);
      expect(String(error)).to.match(message);
      expect(error).to.have.property('code', 'INVALID_OPTION');
    }
  });
});
