// Koa and its router, with prepared buffers and Koa's own check of the ETag.
import Router from '@koa/router';
import { createHash } from 'node:crypto';
import Koa from 'koa';
import { answers, READING } from '../dataset.mjs';

const router = new Router();
for (const [name, text] of Object.entries(answers(READING))) {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  router.get(`/api/${name}`, (ctx) => {
    ctx.status = 200;
    ctx.set('ETag', etag);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'application/json';
    ctx.body = body;
  });
}

const server = new Koa()
  .use(router.routes())
  .use(router.allowedMethods())
  .listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
