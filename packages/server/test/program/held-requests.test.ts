import { expect } from 'chai';
import { finish, hold } from '../fixtures/http/held-request.js';
import { storedService } from '../fixtures/processes/stored-service.js';

const PASSWORD = 'a quiet yellow door 9';

describe('a request that somebody holds open at the program', () => {
  const { serve, inStore } = storedService();

  it('makes no admin of a stranger after the first user, and no token of an admin after the removal', async () => {
    const url = await serve().url();
    const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
        body: JSON.stringify(body),
      });

    const stranger = await hold(url, '/api/users');
    expect((await post('/api/users', { name: 'ada', password: PASSWORD })).status).to.equal(201);
    const [refused] = await finish(stranger, { name: 'mallory', role: 'admin', password: PASSWORD });
    expect(refused).to.equal(401);

    const session = async (name: string): Promise<string> => {
      const { headers } = await post('/api/session', { name, password: PASSWORD });
      return headers.getSetCookie()[0]?.split(';')[0] ?? '';
    };
    const Cookie = await session('ada');
    await post('/api/users', { name: 'boss', role: 'admin', password: PASSWORD }, { Cookie });
    const held = await hold(url, '/api/tokens', { Cookie: await session('boss'), Origin: url });
    await inStore('user', 'remove', 'boss');
    const [status] = await finish(held, { label: 'forever', role: 'admin' });
    expect(status).to.equal(401);
    expect((await inStore('user', 'list')).output).to.not.match(/boss|mallory/);
    expect((await inStore('token', 'list')).output).to.not.contain('forever');
  });
});
