import { quote } from '@tallybook/domain';
import { JSON_MAX_BYTES } from '@tallybook/http-contract';
import type Koa from 'koa';
import { readBytes } from './read-bytes.js';

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
