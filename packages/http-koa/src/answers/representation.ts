import type Koa from 'koa';
import { commonHeaders } from './answer-errors.js';

/** Names and values alternately, for `writeHead`. */
type HeaderList = string[];

/** The headers of an answer. */
export interface Headers {
  /** `undefined` for data that are valid only for a moment. */
  readonly etag: string | undefined;
  /** Headers of the answer, without its length. */
  readonly record: Readonly<Record<string, string>>;
  /** All headers of the answer. */
  readonly full: HeaderList;
  /** Headers of a 304. */
  readonly unchanged: HeaderList;
}

/** A JSON answer, ready to be sent any number of times. */
export interface Representation {
  readonly headers: Headers;
  /** One piece, unless it has more than {@link WHOLE_BYTES}. */
  readonly pieces: readonly Buffer[];
  /** Number of bytes. */
  readonly length: number;
}

/**
 * Largest answer, in bytes, that is written at once. Larger answers are sent in pieces, each when the client has taken
 * the pieces before.
 */
export const WHOLE_BYTES = 131_072;

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
  return {
    etag,
    record: full,
    full: Object.entries(full).flat(),
    unchanged: Object.entries(unchanged).flat(),
  };
}

export function toRepresentation(pieces: readonly Buffer[], etag: string | undefined): Representation {
  const headers = headersOf(etag);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const full = [...headers.full, 'Content-Length', String(length)];
  const joined = length > WHOLE_BYTES ? pieces : [Buffer.concat(pieces, length)];
  return { pieces: joined, length, headers: { ...headers, full } };
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
