import type { IncomingMessage } from 'node:http';
import type { Action } from '@tallybook/domain';
import type Koa from 'koa';
import { isKnown } from '../answers/entity-tags.js';
import { loadOnce } from '../load-once.js';
import type { FirstAsk, LoadPage, PageFile } from './page.js';

const START = 'index.html';
const METHODS = 'GET, HEAD';
/**
 * Addresses that people type to claim the service, and where they lead: to the page, which asks for the setup code, or who signs in.
 * Relative, since a proxy may strip a path in front.
 */
const typed: ReadonlyMap<string, string> = new Map([
  ['/setup', './'],
  ['/setup/', '../'],
]);

/** Allows only the files of the page: no inline script, and nothing from another host. */
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

/** Headers of documents. Without those that browsers ignore over http with a warning each time. */
const documentHeaders = {
  'Content-Security-Policy': policy,
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/** Says which actions the sender of a request may do. */
export type MayOf = (request: IncomingMessage) => (action: Action) => boolean;

/**
 * Answers with the files of a page, from memory: a path is looked up, and no path reaches the file system.
 *
 * Other paths go on to the next middleware.
 *
 * @param mayOf Decides which requests browsers learn in advance. Default: everybody may do everything.
 */
export function servePage(load: LoadPage, mayOf: MayOf = () => () => true): Koa.Middleware {
  const loadPage = loadOnce(load);
  return async (ctx, next) => {
    const isApi = /^\/api(?:\/|$)/.test(ctx.path);
    const page = isApi ? undefined : await loadPage();
    const place = page && typed.get(ctx.path);
    const file = page?.get(ctx.path === '/' ? START : ctx.path.slice(1));
    if (place !== undefined) redirect(ctx, place);
    else if (file !== undefined) answer(ctx, file, asksOf(ctx, file, mayOf));
    else await next();
  };
}

function asksOf(
  ctx: Koa.Context,
  { asksFirst = [] }: PageFile,
  mayOf: MayOf,
): readonly FirstAsk[] | undefined {
  if (asksFirst.length === 0) return undefined;
  const may = mayOf(ctx.req);
  return asksFirst.filter(({ needs }) => may(needs));
}

function redirect(ctx: Koa.Context, place: string): void {
  if (!isRead(ctx)) return;
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(place);
}

/** Whether a request reads. If not, it is answered. */
function isRead(ctx: Koa.Context): boolean {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true;
  ctx.set('Allow', METHODS);
  if (ctx.method !== 'OPTIONS')
    return ctx.throw(405, `Method not allowed; allowed here: ${METHODS}`, { headers: { Allow: METHODS } });
  ctx.status = 200;
  ctx.body = '';
  return false;
}

function answer(ctx: Koa.Context, file: PageFile, asks: readonly FirstAsk[] | undefined): void {
  if (!isRead(ctx)) return;
  // A file has a policy of its own, or none: that of a worker would apply to the worker's own requests.
  ctx.state['isFile'] = true;
  const { encoding, bytes } = formFor(ctx, file);
  // Another `Link` needs another tag, as other bytes do: a 304 would keep the old one, whose requests are refused after signing out.
  const told = asks?.map((each) => file.asksFirst?.indexOf(each)).join('.');
  const etag = `"${[file.etag, encoding, told].filter((part) => part !== undefined).join('-')}"`;
  ctx.set({
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    ...(file.type.startsWith('text/html') && documentHeaders),
  });
  ctx.vary(asks === undefined ? 'Accept-Encoding' : 'Accept-Encoding, Cookie, Authorization');
  if (asks !== undefined && asks.length > 0)
    ctx.set('Link', asks.map(({ path }) => `<${path}>; rel=preload; as=fetch; crossorigin`).join(', '));
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
