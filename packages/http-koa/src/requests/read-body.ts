import { quote } from '@tallybook/domain';
import { JSON_MAX_BYTES } from '@tallybook/http-contract';
import type Koa from 'koa';
import type { koaBody } from 'koa-body';
import { confirmRight } from '../held-right.js';
import { loadOnce } from '../load-once.js';

/** Reads the body of a request, with at most `maxBytes` bytes. */
export type ReadBytes = (ctx: Koa.Context, maxBytes: number) => Promise<Buffer>;

/** The used part of koa-body. */
interface KoaBody {
  readonly koaBody: typeof koaBody;
}

/**
 * Reads bodies with koa-body. The caller has checked the type.
 *
 * If a body is too large, the rest is received and dropped, so that the connection can be used again. Throws an HTTP error of 400,
 * 413 or 415, and 401 or 403 if the sender has lost the needed right meanwhile. Returns the bytes unchanged; none if there is no body.
 */
export const readBytes: ReadBytes = bytesReader(() => import('koa-body'));

/**
 * @param load Loads koa-body. It is called at the first body, not at the start. If it fails, the next body calls it
 * again.
 */
export function bytesReader(load: () => Promise<KoaBody>): ReadBytes {
  const loadKoaBody = loadOnce(load);
  const readers = new Map<number, Koa.Middleware>();
  const makeReader = async (maxBytes: number): Promise<Koa.Middleware> => {
    const loaded = await loadKoaBody();
    const reader = loaded.koaBody({
      // Reads bytes, one character for each. Otherwise koa-body would read any charset as UTF-8, and replace invalid UTF-8 by
      // U+FFFD. An empty encoding would give a buffer, but would keep each chunk until the end: 200 bytes for a chunk of one.
      textTypes: ['*/*'],
      textLimit: maxBytes,
      encoding: 'binary',
      json: false,
      urlencoded: false,
      multipart: false,
      onError: (error, ctx) => refuse(error, ctx, maxBytes),
    });
    readers.set(maxBytes, reader);
    return reader;
  };
  return async (ctx, maxBytes) => {
    refuseCodings(ctx);
    const reader = readers.get(maxBytes) ?? (await makeReader(maxBytes));
    await reader(ctx, done);
    await confirmRight(ctx);
    const { body } = ctx.request;
    return Buffer.from(typeof body === 'string' ? body : '', 'latin1');
  };
}

const done = (): Promise<void> => Promise.resolve();

/**
 * Refuses compressed bodies, because koa-body would decompress them. When a body is too large, its decompressor has no error
 * handler, and one more broken byte ends the process.
 */
export function refuseCodings(ctx: Koa.Context): void {
  const { headers } = ctx.req;
  const coding = headers['content-encoding'];
  if (coding === undefined) return;
  if (coding.trim().toLowerCase() !== 'identity') {
    ctx.throw(415, `the body must not be compressed; got the Content-Encoding ${quote(coding)}`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  // koa-body knows this value only in small letters.
  delete headers['content-encoding'];
}

function refuse(error: Error & { readonly status?: number }, ctx: Koa.Context, maxBytes: number): never {
  if (error.status === 413) {
    ctx.req.resume();
    return ctx.throw(413, `the body must have at most ${maxBytes} bytes`);
  }
  // The client may have gone before the arrived body was read.
  if (ctx.req.readableAborted) return ctx.throw(400, 'the body did not arrive as a whole');
  throw error;
}

const JSON_TYPE = 'application/json';

/** Reads the body of a request, which must be a JSON object. Throws an HTTP error of 400, 413 or 415. */
export async function readJsonObject(ctx: Koa.Context): Promise<Readonly<Record<string, unknown>>> {
  const value = await readJson(ctx);
  return isObject(value) ? value : ctx.throw(400, `the body must be a JSON object; got ${quote(value)}`);
}

/**
 * Reads the body of a request, which must be JSON. Throws an HTTP error of 400, 413 or 415.
 *
 * @param others Other allowed types, for the message that refuses a type.
 */
export async function readJson(
  ctx: Koa.Context,
  maxBytes: number = JSON_MAX_BYTES,
  others: readonly string[] = [],
): Promise<unknown> {
  requireJson(ctx, others);
  return parse(ctx, await readBytes(ctx, maxBytes));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireJson(ctx: Koa.Context, others: readonly string[]): void {
  const type = ctx.req.headers['content-type'];
  // The usual spelling needs no parsing.
  if (type === JSON_TYPE) return;
  // `ctx.is` returns null if there is no body. That is another mistake, and is reported later.
  if (ctx.is(JSON_TYPE) === false) {
    ctx.throw(415, `the body must be ${[JSON_TYPE, ...others].join(' or ')}; got ${quote(type)}`);
  }
  const { charset } = ctx.request;
  if (charset !== '' && !/^utf-?8$/i.test(charset)) {
    ctx.throw(415, `the body must be ${JSON_TYPE} in UTF-8; got the charset ${quote(charset)}`);
  }
}

function parse(ctx: Koa.Context, bytes: Buffer): unknown {
  if (bytes.length === 0) ctx.throw(400, 'the body must be JSON; it is empty');
  const text = decode(ctx, bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return ctx.throw(400, 'the body is not JSON');
  }
}

/** Throws if the bytes are not UTF-8. Drops a byte order mark, as RFC 8259 section 8.1 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(ctx: Koa.Context, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return ctx.throw(400, 'the body must be JSON in UTF-8; it has bytes that are not UTF-8');
  }
}
