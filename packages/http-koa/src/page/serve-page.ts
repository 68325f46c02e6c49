import type Koa from 'koa';
import { isKnown } from '../answers/entity-tags.js';
import type { LoadPage, Page, PageFile } from './page.js';

const START = 'index.html';
const METHODS = 'GET, HEAD';

/** Nothing but what the page brings itself: no script in the text of the page, and nothing from anywhere else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Of what is shown as a page of its own. Not what browsers ignore over http, and complain of each time. */
const documentHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/**
 * Answers with the files of a page, from memory: a path is looked up, and no path reaches the file system.
 *
 * What is none of its paths goes on to who answers otherwise.
 */
export function servePage(load: LoadPage): Koa.Middleware {
  let loading: Promise<Page | undefined> | undefined;
  const loadOnce = async (): Promise<Page | undefined> => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      // Who asks next may have more luck.
      loading = undefined;
      throw error;
    }
  };
  return async (ctx, next) => {
    const isApi = /^\/api(?:\/|$)/.test(ctx.path);
    const page = isApi ? undefined : await loadOnce();
    const file = page?.get(ctx.path === '/' ? START : ctx.path.slice(1));
    if (file === undefined) await next();
    else answer(ctx, file);
  };
}

function answer(ctx: Koa.Context, file: PageFile): void {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', METHODS);
    if (ctx.method !== 'OPTIONS')
      return ctx.throw(405, `Method not allowed; allowed here: ${METHODS}`, { headers: { Allow: METHODS } });
    ctx.status = 200;
    ctx.body = '';
    return;
  }
  const { encoding, bytes } = formFor(ctx, file);
  // Other bytes need another tag.
  const etag = `"${file.etag}${encoding === undefined ? '' : `-${encoding}`}"`;
  ctx.set({
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    ...(file.type.startsWith('text/html') && documentHeaders),
  });
  ctx.vary('Accept-Encoding');
  if (isKnown(ctx, etag) !== 'no') {
    ctx.status = 304;
    return;
  }
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  ctx.type = file.type;
  ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The smallest form that the client takes; its own order says nothing, since browsers all have gzip first. */
function formFor(
  ctx: Koa.Context,
  { body, br, gzip }: PageFile,
): { readonly encoding?: 'br' | 'gzip'; readonly bytes: Uint8Array } {
  if (br !== undefined && ctx.acceptsEncodings('br') === 'br') return { encoding: 'br', bytes: br };
  if (gzip !== undefined && ctx.acceptsEncodings('gzip') === 'gzip') return { encoding: 'gzip', bytes: gzip };
  return { bytes: body };
}
