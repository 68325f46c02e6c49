import type Koa from 'koa';

/** A target with only a path and a query. */
const PLAIN_TARGET = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Reduces the target to its path and query, whatever its form. For other forms, Koa would use a deprecated parser, which
 * makes Node write a warning, and would throw later.
 */
export function keepPath(ctx: Koa.Context): void {
  const { url = '/' } = ctx.req;
  if (PLAIN_TARGET.test(url)) return;
  try {
    // The host of the target is checked elsewhere, in the unchanged target: `ctx.originalUrl`.
    const { pathname, search } = new URL(url.replace(/^\*/, '/*').replace(/^\//, 'http://localhost/'));
    ctx.req.url = pathname + search;
  } catch {
    ctx.throw(400, 'the target of the request is not a URL');
  }
}
