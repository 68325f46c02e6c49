import { TallybookError, type Revision } from '@tallybook/domain';
import type { Gate } from '@tallybook/domain/record';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { confirmRight } from '../held-right.js';
import { limitedOption } from '../limits.js';
import { sendBusy } from '../problem.js';
import type { Deliveries } from './deliveries.js';
import { EntityTags, isKnown } from './entity-tags.js';
import {
  headersOf,
  toRepresentation,
  WHOLE_BYTES,
  type Headers,
  type Representation,
} from './representation.js';
import { sendPieces, SharedRead } from './send-pieces.js';

export interface AnswerOptions {
  /** Memory for cached answers in bytes, 1..17179869184, default 8388608. */
  readonly maxCachedBytes?: number;
}

/** Text in pieces. Each takes a few milliseconds and has about 64 KiB, so nobody waits long. */
export type Pieces = AsyncIterable<string> | Iterable<string>;

/** Data that are served as JSON. */
export interface Resource {
  /** Names the resource. */
  readonly key: string;
  /** Absent for data that are valid only for a moment and must not be cached. */
  readonly revision?: () => Promise<Revision>;
  /** Reads the present data; `undefined` if the resource does not exist. */
  readonly read: () => Promise<Pieces | undefined>;
  /** Sends the data in another way if they have more than `maxCachedBytes`. Default: they are held in memory while they are sent. */
  readonly stream?: (headers: Readonly<Record<string, string>>) => Promise<void>;
}

export interface AnswerParts {
  readonly deliveries: Deliveries;
  /** Resources are read in turn. */
  readonly reads: Gate;
  /** The client of a request, for its turn. */
  readonly clientOf: (ctx: Koa.Context) => string | undefined;
}

/** What was read: `undefined` if the resource does not exist. */
type Outcome = { readonly headers: Headers; readonly whole?: Representation } | undefined;

/** Estimated bytes of the key, tag and objects of one kept answer. */
const OVERHEAD_BYTES = 512;

/**
 * Answers with resources: from the cache if it has the same revision, else with the read of it that is under way, else with the
 * next read, which all waiting requests share. 304 if the client has the present state, 404 if there is none, 503 if memory is
 * short or its turn does not come.
 *
 * Answers are not written by Koa: its response would build the same headers again for every request, which took a fifth of the
 * time of a small answer.
 */
export class Answers {
  readonly #parts: AnswerParts;
  readonly #maxBytes: number;
  readonly #kept: LRUCache<string, { readonly revision: Revision; readonly outcome: NonNullable<Outcome> }>;
  readonly #tags = new EntityTags();
  /** The present read of each resource, and the next one. */
  readonly #current = new Map<string, SharedRead<Outcome>>();
  readonly #next = new Map<string, SharedRead<Outcome>>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(parts: AnswerParts, options: AnswerOptions = {}) {
    this.#parts = parts;
    this.#maxBytes = limitedOption('maxCachedBytes', options);
    this.#kept = new LRUCache({
      max: 1_000,
      maxSize: this.#maxBytes + OVERHEAD_BYTES,
      sizeCalculation: ({ outcome }) => (outcome.whole?.length ?? 0) + OVERHEAD_BYTES,
    });
  }

  async send(ctx: Koa.Context, resource: Resource): Promise<void> {
    const revision = await resource.revision?.();
    if (revision !== undefined) {
      const kept = this.#kept.get(resource.key);
      if (kept?.revision === revision) return this.#sendOutcome(ctx, resource, kept.outcome);
      // The tag of the client comes from an earlier answer, so the resource exists. `*` does not show that.
      const etag = this.#tags.of(resource.key, revision);
      if (isKnown(ctx, etag) === 'this') return void sendUnchanged(ctx, headersOf(etag));
    }
    const read = this.#readOf(ctx, resource, revision);
    const outcome = await read.wait(ctx.res, this.#parts.deliveries.waitMs);
    if (outcome === 'gone') ctx.respond = false;
    else if (outcome === 'late') sendBusy(ctx);
    else await confirmRight(ctx).then(() => this.#sendOutcome(ctx, resource, outcome));
  }

  /** Answers with a finished representation. */
  async sendWhole(ctx: Koa.Context, answer: Representation): Promise<void> {
    const { headers, pieces, length } = answer;
    if (sendHead(ctx, headers)) return;
    const { deliveries } = this.#parts;
    if (length <= WHOLE_BYTES) {
      ctx.respond = false;
      ctx.res.writeHead(200, headers.full).end(pieces[0]);
      deliveries.watchUnsent(ctx.res);
      return;
    }
    const giveBack = deliveries.take(answer, length);
    if (giveBack === undefined) return void sendBusy(ctx, 'too many large answers are under way');
    deliveries.watch(ctx.res);
    ctx.respond = false;
    ctx.res.writeHead(200, headers.full);
    await sendPieces(ctx, pieces).finally(giveBack);
  }

  async #sendOutcome(ctx: Koa.Context, { stream }: Resource, outcome: Outcome): Promise<void> {
    if (outcome === undefined) return ctx.throw(404, 'Not found');
    if (outcome.whole !== undefined) await this.sendWhole(ctx, outcome.whole);
    else if (!sendHead(ctx, outcome.headers)) await stream?.(outcome.headers.record);
  }

  #readOf(ctx: Koa.Context, resource: Resource, revision: Revision | undefined): SharedRead<Outcome> {
    const { key } = resource;
    const current = this.#current.get(key);
    if (revision !== undefined && current?.revision === revision && !current.isGivenUp) return current;
    const next = this.#next.get(key);
    if (next?.isGivenUp === false) return next;
    const { reads, clientOf } = this.#parts;
    const read: SharedRead<Outcome> = new SharedRead(
      (work) => reads.run(work, clientOf(ctx)),
      async () => {
        if (this.#next.get(key) === read) this.#next.delete(key);
        if (read.isGivenUp) return undefined;
        this.#current.set(key, read);
        try {
          return await this.#render(resource, read);
        } finally {
          if (this.#current.get(key) === read) this.#current.delete(key);
        }
      },
    );
    this.#next.set(key, read);
    return read;
  }

  async #render({ key, ...resource }: Resource, read: SharedRead<Outcome>): Promise<Outcome> {
    const before = (read.revision = await resource.revision?.());
    const found = await resource.read();
    if (found === undefined) return undefined;
    // If the data changed meanwhile, their revision is unknown. What was opened is released only by reading it.
    const after = await resource.revision?.().catch(() => undefined);
    const revision = after === before ? before : undefined;
    const etag =
      resource.revision && (revision === undefined ? this.#tags.once(key) : this.#tags.of(key, revision));
    const pieces = await this.#collect(found, read, resource.stream === undefined);
    if (pieces === 'given up') return undefined;
    const outcome =
      pieces === 'too large'
        ? { headers: headersOf(etag) }
        : { headers: headersOf(etag), whole: toRepresentation(pieces, etag) };
    if (revision !== undefined) this.#kept.set(key, { revision, outcome });
    return outcome;
  }

  async #collect(
    found: Pieces,
    read: SharedRead<Outcome>,
    isHeld: boolean,
  ): Promise<readonly Buffer[] | 'too large' | 'given up'> {
    const most = isHeld ? this.#parts.deliveries.maxBytes : this.#maxBytes;
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const text of found) {
      const piece = Buffer.from(text);
      length += piece.length;
      if (length > most && !isHeld) return 'too large';
      if (length > most)
        throw new TallybookError('NOT_ENOUGH_MEMORY', `the answer has more than ${most} bytes`);
      pieces.push(piece);
      await new Promise(setImmediate);
      if (read.isGivenUp) return 'given up';
    }
    return pieces;
  }
}

/** Answers if headers are enough (304 or HEAD). Returns whether it answered. */
function sendHead(ctx: Koa.Context, headers: Headers): boolean {
  const { etag } = headers;
  if (etag !== undefined && isKnown(ctx, etag) !== 'no') {
    sendUnchanged(ctx, headers);
    return true;
  }
  if (ctx.method !== 'HEAD') return false;
  ctx.respond = false;
  ctx.res.writeHead(200, headers.full).end();
  return true;
}

function sendUnchanged(ctx: Koa.Context, { unchanged }: Headers): void {
  ctx.respond = false;
  ctx.res.writeHead(304, unchanged).end();
}
