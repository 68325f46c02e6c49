import { expect } from 'chai';
import { claimedService, cookieOf, signIn } from './claimed-service.js';

describe('A request of somebody who may not', () => {
  it('is reported with who asked for what, without what the request says of persons', async () => {
    await using service = await claimedService({}, 'kiosk');
    const cookie = cookieOf(await signIn(service, 'kiosk'));
    await service.request('/api/person/data?id=04A2B3C4D5', { headers: { cookie } });
    await service.request('/api/mapping?id=04A2B3C4D5');
    await service.request(`/api/${'x'.repeat(500)}`);
    expect(service.denied).to.deep.equal([
      { method: 'GET', path: '/api/person/data', status: 403, actor: 'kiosk', client: undefined },
      { method: 'GET', path: '/api/mapping', status: 401, actor: 'nobody', client: undefined },
      { method: 'GET', path: `/api/${'x'.repeat(95)}`, status: 401, actor: 'nobody', client: undefined },
    ]);
  });

  it('is reported when a page of another site sent it with the session of somebody', async () => {
    await using service = await claimedService({});
    const cookie = cookieOf(await signIn(service));
    const evil = { cookie, Origin: 'http://evil.test' };
    await service.exchangeJson('/api/mapping', { id: '04A2B3C4D5', name: { first: 'Eve', last: '' } }, evil);
    expect(service.denied.map(({ status, actor }) => [status, actor])).to.deep.equal([[403, 'ada']]);
  });

  it('is not reported if it is to sign in, which the audit trail notes, nor if it is answered', async () => {
    await using service = await claimedService();
    await service.post({ name: 'ada', password: 'wrong' }, {}, '/api/session');
    await signIn(service);
    await service.request('/api/health');
    expect(service.denied).to.deep.equal([]);
  });
});
