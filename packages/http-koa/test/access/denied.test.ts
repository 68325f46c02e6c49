import { expect } from 'chai';
import { claimedService, cookieOf, signIn } from '../fixtures/claimed-service.js';

describe('A request without permission', () => {
  it('is reported with its sender and its target, without personal data of the request', async () => {
    await using service = await claimedService({}, 'kiosk');
    const cookie = cookieOf(await signIn(service, 'kiosk'));
    await service.request('/api/person/data?id=04A2B3C4D5', { headers: { cookie } });
    await service.request('/api/mapping?id=04A2B3C4D5');
    await service.request(`/api/${'x'.repeat(500)}`);
    expect(service.denied).to.deep.equal([
      { method: 'GET', path: '/api/person/data', status: 403, actor: 'kiosk', client: undefined },
      { method: 'GET', path: '/api/mapping', status: 401, actor: 'nobody', client: undefined },
      { method: 'GET', path: 'another path', status: 401, actor: 'nobody', client: undefined },
    ]);
  });

  it('is answered with the allowed roles, for people and for programs', async () => {
    await using service = await claimedService({}, 'viewer');
    const cookie = cookieOf(await signIn(service, 'viewer'));
    const headers = { cookie, Accept: 'application/json' };
    const { text } = await service.request('/api/corrections/decision', { method: 'GET', headers });
    expect(text).to.include('Method not allowed');
    const refused = await service.request('/api/erasures', { headers });
    expect(JSON.parse(refused.text)).to.deep.include({
      ...{ status: 403, code: 'NOT_ALLOWED', roles: ['admin'] },
      detail: 'this is for the role admin; yours is viewer',
    });
  });

  it('is reported if a page of another site sent it with the session of a user', async () => {
    await using service = await claimedService({});
    const cookie = cookieOf(await signIn(service));
    const evil = { cookie, Origin: 'http://evil.test' };
    await service.exchangeJson('/api/mapping', { id: '04A2B3C4D5', name: { first: 'Eve', last: '' } }, evil);
    expect(service.denied.map(({ status, actor }) => [status, actor])).to.deep.equal([[403, 'ada']]);
  });

  it('is not reported if it is a sign-in, which the audit trail notes; an allowed request is not reported', async () => {
    await using service = await claimedService();
    await service.post({ name: 'ada', password: 'wrong' }, {}, '/api/session');
    await signIn(service);
    await service.request('/api/health');
    expect(service.denied).to.deep.equal([]);
  });
});
