import { expect } from 'chai';
import Koa from 'koa';
import { shortcut, type Route } from '../../src/routes/route.js';
import { LocalServer } from '../fixtures/local-server.js';

describe('shortcut', () => {
  it('handles existing routes, HEAD by the route of GET, and leaves all other requests to the router', async () => {
    const answer = (ctx: Koa.Context): void => {
      ctx.body = `the route, ${ctx.method}`;
      ctx.set('X-By', 'route');
    };
    const routes: readonly Route[] = [
      { method: 'POST', path: '/api/open', action: 'public', handle: answer },
      { method: 'GET', path: '/api/read', action: 'public', handle: answer },
    ];
    const app = new Koa().use(shortcut(routes)).use((ctx) => {
      ctx.body = 'the router';
      ctx.set('X-By', 'router');
    });
    await using server = await new LocalServer(app.callback()).listen();
    const ask = async (path: string, method: string): Promise<string> => {
      const response = await fetch(server.url + path, { method });
      return method === 'HEAD' ? (response.headers.get('X-By') ?? '') : response.text();
    };
    expect(await ask('/api/open?x=1', 'POST')).to.equal('the route, POST');
    expect(await ask('/api/read', 'GET')).to.equal('the route, GET');
    expect(await ask('/api/read', 'HEAD')).to.equal('route');
    expect(await ask('/api/open', 'GET')).to.equal('the router');
    expect(await ask('/api/open', 'HEAD')).to.equal('router');
    expect(await ask('/api/shut', 'POST')).to.equal('the router');
    expect(await ask('/API/read', 'GET')).to.equal('the router');
  });
});
