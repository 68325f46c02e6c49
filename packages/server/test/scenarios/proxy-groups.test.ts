import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

/** An address of this machine that only the proxy uses. */
const PROXY = '127.0.0.2';

/** Users who have signed in at the proxy, by the proxy's cookie. */
const people: Readonly<Record<string, { readonly name: string; readonly groups: string }>> = {
  ada: { name: 'ada', groups: 'staff,office' },
  bob: { name: 'bob', groups: 'staff' },
  eve: { name: 'eve', groups: 'guests' },
};

/** A typical proxy: it identifies the user, and removes the client's own headers about that. */
async function proxyOf(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const headers: IncomingHttpHeaders = { ...incoming.headers };
    delete headers['remote-user'];
    delete headers['remote-groups'];
    const person = people[/(?:^|; )sso=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''];
    if (person !== undefined)
      Object.assign(headers, { 'remote-user': person.name, 'remote-groups': person.groups });
    headers['x-forwarded-for'] = incoming.socket.remoteAddress;
    const { method, url: path } = incoming;
    const asking = request({ hostname, port, path, method, headers, localAddress: PROXY, agent: false });
    asking.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asking.on('error', () => outgoing.destroy());
    incoming.pipe(asking);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

describe('tallybook serve behind a proxy that sends the groups of users', () => {
  const folder = temporaryFolder();
  let server: TallybookProcess;
  let proxy: Server;
  let direct: string;
  let through: string;

  beforeEach(async () => {
    server = new TallybookProcess(
      ...['serve', '--port', '0', '--store', `level:${folder.path('store')}`],
      ...['--trusted-proxy', PROXY, '--auth-header', 'Remote-User', '--auth-groups-header', 'Remote-Groups'],
      ...['--auth-group-role', 'staff=viewer', '--auth-group-role', 'office=desk'],
    );
    direct = await server.url();
    proxy = await proxyOf(direct);
    through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await server.kill();
  });

  async function statusOf(
    path: string,
    cookie: string,
    headers: Record<string, string> = {},
  ): Promise<number> {
    const answer = await fetch(`${through}${path}`, { headers: { cookie, ...headers } });
    await answer.arrayBuffer();
    return answer.status;
  }

  async function userOf(url: string, headers: Record<string, string>): Promise<unknown> {
    const answer = await fetch(`${url}/api/session`, { headers });
    return ((await answer.json()) as { user: unknown }).user;
  }

  it('gives everybody the role of the group with the most permissions', async () => {
    expect(await userOf(through, { cookie: 'sso=ada' })).to.deep.equal({ name: 'ada', role: 'desk' });
    expect(await userOf(through, { cookie: 'sso=bob' })).to.deep.equal({ name: 'bob', role: 'viewer' });
    const range = 'from=1763424000&to=1763800000';
    const statuses = ['ada', 'bob', 'eve'].map(async (name) => [
      await statusOf('/api/mapping', `sso=${name}`),
      await statusOf(`/api/csv?${range}`, `sso=${name}`),
      await statusOf('/api/users', `sso=${name}`),
    ]);
    expect(await Promise.all(statuses)).to.deep.equal([
      [200, 200, 403],
      [200, 403, 403],
      [401, 401, 401],
    ]);
  });

  it('refuses users without a group that has a role, and users who have not signed in there', async () => {
    expect(await userOf(through, { cookie: 'sso=eve' })).to.equal(null);
    expect(await userOf(through, {})).to.equal(null);
  });

  it('believes no groups that a client invents, through the proxy or directly', async () => {
    const claimed = { 'Remote-User': 'ada', 'Remote-Groups': 'office' };
    expect(await userOf(through, claimed)).to.equal(null);
    expect(await userOf(direct, claimed)).to.equal(null);
    expect(await userOf(through, { cookie: 'sso=bob', ...claimed })).to.deep.equal({
      name: 'bob',
      role: 'viewer',
    });
  });
});
