import { createHash, randomUUID } from 'node:crypto';
import type { Revision } from '@tallybook/domain';
import type Koa from 'koa';

/**
 * Tags of answers. They are made of the revision of the data, so the data need not be read.
 *
 * A revision is valid only for one store, and only until that store is closed. So a tag is valid for one run of the program,
 * and a client with a tag of an earlier run gets the whole answer.
 */
export class EntityTags {
  readonly #run = randomUUID();

  /** A strong tag, because a revision stands for one state of the data, and a key for one way to write it. */
  of(key: string, revision: Revision): string {
    return tagOfBytes(`${this.#run}\n${key}\n${revision}`);
  }

  /** A tag for data that changed while it was read. No other answer ever has this tag. */
  once(key: string): string {
    return this.of(key, randomUUID());
  }
}

/** A tag for bytes, different for all other bytes. */
export function tagOfBytes(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`;
}

/**
 * `this` if the client has the answer with this tag already; `any` for `If-None-Match: *`, with which any existing answer
 * counts as known; else `no`.
 *
 * `ctx.fresh` is not used: it is false for every request with `Cache-Control: no-cache`, and `fetch` adds that header to a
 * request with `If-None-Match`.
 *
 * @see RFC 9110 section 13.1.2: weak comparison.
 */
export function isKnown(ctx: Koa.Context, etag: string): 'this' | 'any' | 'no' {
  const known = ctx.req.headers['if-none-match'];
  if (known === undefined) return 'no';
  if (known === etag) return 'this';
  if (known === '*') return 'any';
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ? 'this' : 'no';
}
