import { owner } from '@tallybook/domain/access';
import { expect } from 'chai';
import Koa from 'koa';
import { admit, principalOf } from '../../src/index.js';
import { claimedService, cookieOf, signIn, tokenOf } from '../fixtures/claimed-service.js';
import { LocalServer } from '../fixtures/local-server.js';
import { RunningService, type ServiceOptions } from '../fixtures/running-service.js';

/** Adds routes that say whom `principalOf` finds, once more after `meanwhile`. */
function addRoute({ app }: RunningService, meanwhile: () => unknown = () => undefined): void {
  app.use(async (ctx, next) => {
    if (ctx.path !== '/lamp' && ctx.path !== '/api/lamp') {
      await next();
      return;
    }
    const before = principalOf(ctx).name;
    await meanwhile();
    ctx.body = `${before}, ${principalOf(ctx).name}`;
  });
}

/** Asks a server of the application, with the routes that were added. */
async function ask({ app }: RunningService, init: RequestInit = {}, path = '/lamp'): Promise<string> {
  await using server = await new LocalServer(app.callback()).listen();
  const { url } = server;
  const headers = new Headers(init.headers);
  if (headers.get('origin') === 'its own') headers.set('origin', url);
  return await (await fetch(url + path, { ...init, headers })).text();
}

async function openService(options: ServiceOptions): Promise<RunningService> {
  const service = await RunningService.start(options);
  addRoute(service);
  return service;
}

describe('a route that an app adds', () => {
  it('has nobody before it without a proof, on a service with users', async () => {
    await using service = await claimedService();
    addRoute(service);
    expect(await ask(service)).to.equal('nobody, nobody');
    expect(await ask(service, { headers: { authorization: 'Bearer tb_wrong' } })).to.equal('nobody, nobody');
    expect(await ask(service, { method: 'POST', body: '{}' })).to.equal('nobody, nobody');
  });

  it('finds the user of a session, and the token of a program', async () => {
    await using service = await claimedService();
    addRoute(service);
    expect(await ask(service, { headers: { cookie: cookieOf(await signIn(service)) } })).to.equal('ada, ada');
    const headers = await tokenOf(service, 'viewer', 'lamp');
    expect(await ask(service, { headers })).to.equal('token lamp, token lamp');
  });

  it('finds nobody if a page of another site asks for a change with the cookie', async () => {
    await using service = await claimedService();
    addRoute(service);
    const cookie = cookieOf(await signIn(service));
    const post = (origin: string): Promise<string> =>
      ask(service, { method: 'POST', headers: { cookie, origin } });
    expect(await post('https://elsewhere.example')).to.equal('nobody, nobody');
    expect(await post('its own')).to.equal('ada, ada');
  });

  it('finds nobody any more when it looks again after the session has ended', async () => {
    await using service = await claimedService({}, 'viewer');
    addRoute(service, () => service.access.users.remove(owner, 'viewer'));
    const cookie = cookieOf(await signIn(service, 'viewer'));
    expect(await ask(service, { headers: { cookie } })).to.equal('viewer, nobody');
  });

  it('finds nobody any more then at a path of the interface, too', async () => {
    await using service = await claimedService({}, 'viewer');
    addRoute(service, () => service.access.users.remove(owner, 'viewer'));
    const cookie = cookieOf(await signIn(service, 'viewer'));
    expect(await ask(service, { headers: { cookie } }, '/api/lamp')).to.equal('viewer, nobody');
  });

  it('has anyone before it only where access is not restricted', async () => {
    await using open = await openService({ access: {} });
    expect(await ask(open)).to.equal('anyone, anyone');
    await open.access.users.put(owner, { name: 'ada' });
    expect(await ask(open)).to.equal('nobody, nobody');
    await using bare = await openService({ isBare: true });
    expect(await ask(bare)).to.equal('anyone, anyone');
    await using unclaimed = await openService({ access: { requiresClaim: true } });
    expect(await ask(unclaimed)).to.equal('nobody, nobody');
  });

  it('admits those whose role may do its action, and answers the others as the interface does', async () => {
    await using service = await claimedService({}, 'viewer');
    service.app.use(async (ctx, next) => {
      if (ctx.path !== '/lamp') {
        await next();
        return;
      }
      const { name } = await admit(ctx, 'change-names');
      ctx.body = `on for ${name}`;
    });
    expect(await ask(service)).to.match(/^sign in/);
    const viewer = { headers: { cookie: cookieOf(await signIn(service, 'viewer')) } };
    expect(await ask(service, viewer)).to.match(/^this is for the role .*; yours is viewer$/);
    const cookie = cookieOf(await signIn(service));
    expect(await ask(service, { headers: { cookie } })).to.equal('on for ada');
    const elsewhere = { cookie, origin: 'https://elsewhere.example' };
    expect(await ask(service, { method: 'POST', headers: elsewhere })).to.contain('another site');
    await using open = await openService({ isBare: true });
    open.app.use(async (ctx) => void (ctx.body = (await admit(ctx, 'change-names')).name));
    expect(await ask(open, {}, '/other')).to.equal('anyone');
    const outside = new Koa().createContext({ headers: {} } as never, {} as never);
    expect(await admit(outside, 'change-names').catch(String)).to.contain('added to createApp()');
  });

  it('refuses changes that a page of another site asks for, where access is not restricted too', async () => {
    for (const options of [{ isBare: true }, { access: {} }]) {
      await using open = await RunningService.start(options);
      open.app.use(async (ctx) => {
        const { name } = principalOf(ctx);
        const admitted = await admit(ctx, 'change-names').catch((error: unknown) => String(error));
        ctx.body = `${name}: ${typeof admitted === 'string' ? admitted : admitted.name}`;
      });
      const post = (headers: Record<string, string>): Promise<string> =>
        ask(open, { method: 'POST', headers });
      expect(await post({ origin: 'https://elsewhere.example' })).to.match(/^nobody: .*another site asked/);
      expect(await post({ origin: 'its own' })).to.equal('anyone: anyone');
      expect(await post({})).to.equal('anyone: anyone');
      expect(await ask(open, { headers: { origin: 'https://elsewhere.example' } })).to.equal(
        'anyone: anyone',
      );
    }
  });

  it('has nobody before it outside the application', () => {
    const ctx = new Koa().createContext({ headers: {} } as never, {} as never);
    expect(principalOf(ctx).role).to.equal('nobody');
  });
});
