import { createHash, randomUUID } from 'node:crypto';
import type { Revision } from '@tallybook/domain';
import type Koa from 'koa';

/**
 * Tags of answers, made of the revision of their data, so that nothing is read for them.
 *
 * A revision means nothing once its store was closed, and nothing to another store. So a tag is valid for one run, and a client
 * with a tag of an earlier run gets the answer anew.
 */
export class EntityTags {
  readonly #run = randomUUID();

  /** Strong, because a revision stands for one state of the data, and a key for one way to write it. */
  of(key: string, revision: Revision): string {
    return tagOfBytes(`${this.#run}\n${key}\n${revision}`);
  }

  /** A tag for data that was read while it changed: no other answer ever has it. */
  once(key: string): string {
    return this.of(key, randomUUID());
  }
}

/** A tag for bytes, different for all other bytes. */
export function tagOfBytes(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`;
}

/**
 * `this` if the client has the answer with this tag already; `any` if it wants no answer that exists (`If-None-Match: *`); else
 * `no`.
 *
 * Not `ctx.fresh`, which says no to every request with `Cache-Control: no-cache`: `fetch` adds that header by
 * itself to a request with `If-None-Match`.
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
