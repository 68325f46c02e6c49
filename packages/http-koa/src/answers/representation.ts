import type Koa from 'koa';
import { commonHeaders } from './answer-errors.js';

/** Names and values alternately, for `writeHead`. */
type HeaderList = string[];

/** The headers of an answer. */
export interface Headers {
  /** `undefined` for data that are valid only for a moment. */
  readonly etag: string | undefined;
  /** Headers of the answer, without its length. */
  readonly full: HeaderList;
  /** Headers of a 304. */
  readonly unchanged: HeaderList;
}

/** A JSON answer, ready to be sent any number of times. */
export interface Representation {
  readonly body: Buffer;
  readonly headers: Headers;
}

const emptyHeaders: HeaderList = Object.entries({ ...commonHeaders, 'Content-Length': '0' }).flat();

/** The headers of JSON: with a tag, of JSON with this strong tag; without a tag, of JSON that must not be cached. */
export function headersOf(etag: string | undefined): Headers {
  const caching: Record<string, string> =
    etag === undefined
      ? { 'Cache-Control': 'no-store' }
      : // Not everybody may see the answer, so no shared cache may keep it.
        { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Authorization' };
  const unchanged = { ...commonHeaders, ...caching };
  const full = { ...unchanged, 'Content-Type': 'application/json; charset=utf-8' };
  return { etag, full: Object.entries(full).flat(), unchanged: Object.entries(unchanged).flat() };
}

export function createRepresentation(body: Buffer, etag: string | undefined): Representation {
  const headers = headersOf(etag);
  const full = [...headers.full, 'Content-Length', String(body.length)];
  return { body, headers: { ...headers, full } };
}

/** Answers with a status and no body, without Koa. */
export function sendEmpty(ctx: Koa.Context, status: number): void {
  ctx.respond = false;
  ctx.res.writeHead(status, emptyHeaders).end();
}

/** Answers with text or JSON that must not be cached. */
export function sendState(ctx: Koa.Context, state: string | object): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = state;
}
