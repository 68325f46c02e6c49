import { owner, type Role } from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService } from './running-service.js';

const PASSWORD = 'correct horse battery';

/** A service with an admin, `ada`, and a user of another role if one is given. */
async function claimed(role?: Role): Promise<RunningService> {
  const service = await RunningService.start({ access: {} });
  await service.access.putUser(owner, { name: 'ada', password: PASSWORD });
  if (role !== undefined) await service.access.putUser(owner, { name: role, role, password: PASSWORD });
  return service;
}

async function cookieOf(service: RunningService, name = 'ada'): Promise<string> {
  const { headers } = await service.post({ name, password: PASSWORD }, {}, '/api/session');
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('POST /api/session', () => {
  it('signs in, and the cookie opens what is closed without it', async () => {
    await using service = await claimed();
    expect((await service.request('/api/mapping')).status).to.equal(401);
    const { status, headers, text } = await service.post(
      { name: 'Ada', password: PASSWORD },
      {},
      '/api/session',
    );
    expect(status).to.equal(200);
    expect(headers.get('set-cookie')).to.match(
      /^tallybook=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(JSON.parse(text)).to.deep.include({ access: 'claimed', user: { name: 'ada', role: 'admin' } });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(200);
  });

  it('says the same of a wrong password as of an unknown user', async () => {
    await using service = await claimed();
    const answers = await Promise.all(
      [
        { name: 'ada', password: 'wrong horse battery' },
        { name: 'bob', password: PASSWORD },
        { name: 7, password: null },
      ].map((body) => service.post(body, { Accept: 'application/problem+json' }, '/api/session')),
    );
    for (const { status, headers, text } of answers) {
      expect(status).to.equal(401);
      expect(headers.get('www-authenticate')).to.equal('Bearer');
      expect(headers.get('set-cookie')).to.equal(null);
      expect(text).to.equal(answers[0]?.text);
      expect(JSON.parse(text)).to.include({ code: 'SIGN_IN_REFUSED' });
    }
  });

  it('asks who tries too often to wait, and says how long', async () => {
    await using service = await claimed();
    const attempt = () => service.post({ name: 'ada', password: 'wrong horse battery' }, {}, '/api/session');
    for (let n = 0; n < 3; n++) expect((await attempt()).status).to.equal(401);
    const { status, headers } = await attempt();
    expect(status).to.equal(429);
    expect(headers.get('retry-after')).to.equal('1');
    service.clock.advance(1_000);
    expect((await service.post({ name: 'ada', password: PASSWORD }, {}, '/api/session')).status).to.equal(
      200,
    );
  });

  it('ends with signing out', async () => {
    await using service = await claimed();
    const cookie = await cookieOf(service);
    const origin = `http://127.0.0.1:${service.port}`;
    const { status, headers } = await service.request('/api/session', {
      method: 'DELETE',
      headers: { cookie, origin },
    });
    expect(status).to.equal(204);
    expect(headers.get('set-cookie')).to.match(/^tallybook=; Path=\/; Max-Age=0;/);
    expect((await service.request('/api/mapping', { headers: { cookie } })).status).to.equal(401);
  });
});
