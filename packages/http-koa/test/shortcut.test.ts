import { createServer } from 'node:http';
import Router from '@koa/router';
import { expect } from 'chai';
import Koa from 'koa';
import { shortcut } from '../src/answers/shortcut.js';

describe('shortcut', () => {
  it('refuses a router with middleware of its own, which it would pass by', () => {
    const guarded = new Router().get('/open', () => undefined).use(() => undefined);
    expect(() => shortcut(guarded)).to.throw(TypeError, /middleware/);
  });

  it('goes through all handlers of a route, in their order, without the router', async () => {
    const router = new Router().post(
      '/open',
      async (ctx, next) => {
        ctx.body = 'first';
        await next();
      },
      (ctx) => {
        ctx.body = `${String(ctx.body)}, second`;
      },
    );
    router.post('/passing', (_ctx, next) => next());
    const app = new Koa().use(shortcut(router)).use((ctx) => {
      ctx.body = 'the router';
    });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      const ask = async (path: string, method: string): Promise<string> =>
        (await fetch(`http://127.0.0.1:${port}${path}`, { method })).text();
      expect(await ask('/open', 'POST')).to.equal('first, second');
      expect(await ask('/open', 'GET')).to.equal('the router');
      expect(await ask('/shut', 'POST')).to.equal('the router');
      expect(await ask('/passing', 'POST')).to.equal('the router');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
