import type { IncomingMessage } from 'node:http';
import { quote, TallybookError } from '@tallybook/domain';
import type { Action } from '@tallybook/domain/access';
import type Koa from 'koa';
import { isKnown } from '../answers/entity-tags.js';
import { loadOnce } from '../load-once.js';
import type { FirstAsk, LoadPage, PageFile } from './page.js';

const START = 'index.html';
const METHODS = 'GET, HEAD';
/**
 * Addresses that people type to set the service up, and their targets. All lead to the page, which asks for the setup
 * code or for a sign-in. The targets are relative, because a proxy may remove a prefix of the path.
 */
const typed: ReadonlyMap<string, string> = new Map([
  ['/setup', './'],
  ['/setup/', '../'],
]);

/** Directives of a Content-Security-Policy, with their sources. */
export type PagePolicy = Readonly<Record<string, string | undefined>>;

/** Allows only the files of the page: no inline script, and nothing from another host. */
const strictPolicy: PagePolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

const DIRECTIVE = /^[a-z]+(?:-[a-z]+)*$/;
/** Printable ASCII, without the characters that end a directive or a policy. */
const SOURCES = /^[ -+\--:<-~]*$/;

/** Headers of documents. Headers that browsers ignore over http with a warning are left out. */
function documentHeadersFor(changes: PagePolicy): Readonly<Record<string, string>> {
  const directives: string[] = [];
  for (const [directive, sources] of Object.entries({ ...strictPolicy, ...changes })) {
    if (sources === undefined) continue;
    if (!DIRECTIVE.test(directive) || !SOURCES.test(sources)) {
      throw new TallybookError(
        'INVALID_OPTION',
        `policy: a directive is lower-case letters and hyphens, its sources have no comma and no semicolon; got ${quote(`${directive} ${sources}`)}`,
      );
    }
    directives.push(`${directive} ${sources}`.trimEnd());
  }
  return {
    'Content-Security-Policy': directives.join('; '),
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** Gives a function that answers whether the sender of a request may do an action. */
type MayOf = (request: IncomingMessage) => (action: Action) => boolean;

interface PageOptions {
  readonly mayOf?: MayOf | undefined;
  readonly policy?: PagePolicy | undefined;
}

/**
 * Answers with the files of a page from memory. Paths never reach the file system.
 *
 * Other paths go on to the next middleware.
 *
 * `mayOf` decides which first requests the `Link` header names; by default everybody may do everything. `policy` replaces
 * directives of the strict policy.
 *
 * @throws {TallybookError} `INVALID_OPTION` if a directive is not one.
 */
export function servePage(
  load: LoadPage,
  { mayOf = () => () => true, policy = {} }: PageOptions = {},
): Koa.Middleware {
  const loadPage = loadOnce(load);
  const documentHeaders = documentHeadersFor(policy);
  return async (ctx, next) => {
    const isApi = /^\/api(?:\/|$)/.test(ctx.path);
    const page = isApi ? undefined : await loadPage();
    const place = page && typed.get(ctx.path);
    const file = page?.get(ctx.path === '/' ? START : ctx.path.slice(1));
    if (place !== undefined) redirect(ctx, place);
    else if (file !== undefined) answer(ctx, file, asksOf(ctx, file, mayOf), documentHeaders);
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

/** Whether a request reads. If not, this answers it. */
function isRead(ctx: Koa.Context): boolean {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true;
  ctx.set('Allow', METHODS);
  if (ctx.method !== 'OPTIONS')
    return ctx.throw(405, `Method not allowed; allowed here: ${METHODS}`, { headers: { Allow: METHODS } });
  ctx.status = 200;
  ctx.body = '';
  return false;
}

function answer(
  ctx: Koa.Context,
  file: PageFile,
  asks: readonly FirstAsk[] | undefined,
  documentHeaders: Readonly<Record<string, string>>,
): void {
  if (!isRead(ctx)) return;
  // Files have their own policy, or none: the policy of a worker would apply to the worker's own requests.
  ctx.state['isFile'] = true;
  const { encoding, bytes } = formFor(ctx, file);
  // Another `Link` needs another tag, as other bytes do: after a 304 the browser would keep the old `Link`, and after
  // signing out its requests are refused.
  const asked = asks?.map((each) => file.asksFirst?.indexOf(each)).join('.');
  const etag = `"${[file.etag, encoding, asked].filter((part) => part !== undefined).join('-')}"`;
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

/**
 * The smallest form that the client accepts. The order of the client is ignored, because all browsers name gzip first.
 */
function formFor(
  ctx: Koa.Context,
  { body, br, gzip }: PageFile,
): { readonly encoding?: 'br' | 'gzip'; readonly bytes: Uint8Array } {
  if (br !== undefined && ctx.acceptsEncodings('br') === 'br') return { encoding: 'br', bytes: br };
  if (gzip !== undefined && ctx.acceptsEncodings('gzip') === 'gzip') return { encoding: 'gzip', bytes: gzip };
  return { bytes: body };
}
