import { expect } from 'chai';
import { claimedService, PASSWORD, sessionOf } from '../fixtures/claimed-service.js';
import { RunningService } from '../fixtures/running-service.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

describe('/api/users', () => {
  const service = useEach(() => claimedService());
  let headers: Awaited<ReturnType<typeof sessionOf>>;

  beforeEach(async () => {
    headers = await sessionOf(service);
  });

  it('adds, changes, lists and removes users', async () => {
    const put = (body: object) => service.post(body, headers, '/api/users');
    expect((await put({ name: 'Bob', role: 'desk', password: PASSWORD })).status).to.equal(201);
    expect((await put({ name: 'bob', role: 'viewer' })).status).to.equal(200);
    const listed = await service.json<object[]>('/api/users', headers);
    expect(listed).to.deep.equal(
      ['ada', 'bob'].map((name) => ({
        ...{ name, role: name === 'ada' ? 'admin' : 'viewer', groups: [] },
        ...{ createdAt: service.clock.now(), hasPassword: true, provider: null },
      })),
    );
    const remove = (query: string) => service.request(`/api/users${query}`, { method: 'DELETE', headers });
    expect((await remove('?name=bob')).status).to.equal(204);
    expect((await remove('?name=bob')).status).to.equal(404);
    expect((await remove('')).status).to.equal(400);
    expect((await remove('?name=ada')).status).to.equal(409);
  });

  it('adds a new user, and changes nobody who has the name', async () => {
    const add = (name: string, role: string) =>
      service.post({ name, role, isNew: true }, { ...headers, accept: 'application/json' }, '/api/users');
    expect((await add('bob', 'desk')).status).to.equal(201);
    const { status, text } = await add('BOB', 'viewer');
    expect([status, JSON.parse(text)]).to.deep.equal([
      409,
      {
        ...{ type: 'about:blank', title: 'Conflict', status: 409 },
        ...{ detail: 'there is a user "bob" already', code: 'USER_EXISTS' },
      },
    ]);
    expect(service.access.users.list().map(({ name, role }) => [name, role])).to.deep.equal([
      ['ada', 'admin'],
      ['bob', 'desk'],
    ]);
  });

  it('adds no first user who could not sign in, so that a service stays open until somebody can', async () => {
    await using service = await RunningService.start();
    const add = (user: object) => service.post(user, {}, '/api/users');
    const { status, text } = await add({ name: 'ada', role: 'admin' });
    expect([status, text]).to.deep.equal([
      409,
      'the first user needs a way to sign in: a password, or a link to the identity provider of this service',
    ]);
    expect((await service.request('/api/users')).text).to.equal('[]');
    expect((await add({ name: 'ada', role: 'admin', password: PASSWORD })).status).to.equal(201);
    expect((await service.request('/api/users')).status).to.equal(401);
  });

  it('describes the problem of a user, and never shows a password', async () => {
    const put = (body: object) => service.post(body, headers, '/api/users');
    expect((await put({ name: 'a b' })).status).to.equal(400);
    expect((await put({ name: 'bob', role: 'boss' })).text).to.include('viewer');
    const { status, text } = await put({ name: 'bob', password: 'hunter2' });
    expect([status, text.includes('hunter2')]).to.deep.equal([400, false]);
    expect((await put({ name: 'ada', role: 'viewer' })).status).to.equal(409);
    expect((await put({ name: 'ada', password: 'another horse' })).status).to.equal(403);
  });
});

describe('/api/tokens and /api/credentials', () => {
  it('make a valid token, list it without its secret, and revoke it', async () => {
    await using service = await claimedService();
    const headers = await sessionOf(service);
    const made = await service.post({ label: 'script', role: 'viewer', days: 30 }, headers, '/api/tokens');
    expect(made.status).to.equal(201);
    const { id, token } = JSON.parse(made.text) as { id: string; token: string };
    const program = { authorization: `Bearer ${token}` };
    expect((await service.request('/api/mapping', { headers: program })).status).to.equal(200);
    const { text } = await service.request('/api/credentials', { headers });
    expect(text).not.to.include(token);
    const listed = JSON.parse(text) as { id: string; kind: string; isCurrent: boolean; lastUsed: number }[];
    expect(listed.find((each) => each.id === id)).to.deep.include({
      ...{ kind: 'token', role: 'viewer', user: 'ada', label: 'script', isCurrent: false, lastUsed: 20_413 },
      expiresAt: service.clock.now() + 30 * 86_400,
    });
    expect(listed.filter(({ isCurrent }) => isCurrent).map(({ kind }) => kind)).to.deep.equal(['session']);
    const revoke = () => service.request(`/api/credentials?id=${id}`, { method: 'DELETE', headers });
    expect((await revoke()).status).to.equal(204);
    expect((await revoke()).status).to.equal(404);
    expect((await service.request('/api/mapping', { headers: program })).status).to.equal(401);
  });

  it('show others only their own', async () => {
    await using service = await claimedService({}, 'viewer');
    const theirs = await sessionOf(service, 'viewer');
    const ada = await sessionOf(service);
    const [mine] = await service.json<{ id: string }[]>('/api/credentials', ada);
    const own = await service.json<{ user: string }[]>('/api/credentials', theirs);
    expect(own.map(({ user }) => user)).to.deep.equal(['viewer']);
    expect((await service.request('/api/credentials?all=1', { headers: theirs })).status).to.equal(403);
    const revoked = await service.request(`/api/credentials?id=${mine?.id ?? ''}`, {
      method: 'DELETE',
      headers: theirs,
    });
    expect(revoked.status).to.equal(404);
    expect((await service.request('/api/credentials?all=2', { headers: ada })).status).to.equal(400);
  });

  it('use a token, and ignore a cookie of the same request', async () => {
    await using service = await claimedService();
    const { cookie } = await sessionOf(service);
    const headers = { cookie, authorization: 'Bearer tb_wrong' };
    expect((await service.request('/api/mapping', { headers })).status).to.equal(401);
    // Credentials for a proxy in front do not concern the service.
    const basic = { cookie, authorization: 'Basic YTpi' };
    expect((await service.request('/api/mapping', { headers: basic })).status).to.equal(200);
  });
});
