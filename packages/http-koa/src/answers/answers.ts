import type Koa from 'koa';
import { confirmRight } from '../held-right.js';
import type { Deliveries } from './deliveries.js';
import { isKnown } from './entity-tags.js';
import { sendProblem } from './problem.js';
import type { JoinedStream, Renderings, Resource } from './renderings.js';
import { headersOf, type Headers, type Representation } from './representation.js';
import { sendPieces } from './send-pieces.js';

/**
 * Largest answer, in bytes, that is written at once. Larger answers are sent in pieces, each when the client has taken
 * the pieces before.
 */
const WHOLE_BYTES = 131_072;
const PIECE_BYTES = 65_536;
/** Estimate of the largest number of bytes that wait for one client of a stream. */
const FOLLOWER_BYTES = 262_144;
const RETRY_AFTER_SECONDS = '5';

/**
 * Answers with resources: 304 if the client has the current one, 404 if there is none, 503 if there is not enough memory.
 *
 * Answers are not written by Koa: its response would build the same headers again for every request, which took a fifth of the
 * time of a small answer.
 */
export class Answers {
  readonly #renderings: Renderings;
  readonly #deliveries: Deliveries;

  constructor(renderings: Renderings, deliveries: Deliveries) {
    this.#renderings = renderings;
    this.#deliveries = deliveries;
  }

  async send(ctx: Koa.Context, resource: Resource): Promise<void> {
    const revision = await resource.revision?.();
    if (revision !== undefined) {
      const kept = this.#renderings.kept(resource.key, revision);
      if (kept !== undefined) return this.sendWhole(ctx, kept);
      // The tag of the client comes from an earlier answer, so the resource exists. `*` does not show that.
      if (isKnown(ctx, this.#renderings.tagOf(resource.key, revision)) === 'this') {
        sendUnchanged(ctx, headersOf(this.#renderings.tagOf(resource.key, revision)));
        return;
      }
    }
    const answer = await this.#renderings.get(resource, revision, ctx.req);
    if (answer === undefined) return ctx.throw(404, 'Not found');
    if (answer === 'gone') ctx.respond = false;
    else if ('body' in answer) {
      await confirmRight(ctx);
      await this.sendWhole(ctx, answer);
    } else await this.#sendStream(ctx, answer).finally(answer.leave);
  }

  /** Answers with a finished representation. */
  async sendWhole(ctx: Koa.Context, representation: Representation): Promise<void> {
    const { body, headers } = representation;
    if (this.#sendHead(ctx, headers)) return;
    const { res: response } = ctx;
    if (body.length <= WHOLE_BYTES) {
      ctx.respond = false;
      response.writeHead(200, headers.full).end(body);
      this.#deliveries.watchUnsent(response);
      this.#deliveries.hold(response, representation, body.length);
      return;
    }
    this.#deliveries.watch(response);
    if (!this.#deliveries.hold(response, representation, body.length)) {
      refuse(ctx);
      return;
    }
    ctx.respond = false;
    response.writeHead(200, headers.full);
    await sendPieces(ctx, slicesOf(body));
  }

  async #sendStream(ctx: Koa.Context, { headers, rendering }: JoinedStream): Promise<void> {
    await confirmRight(ctx);
    if (this.#sendHead(ctx, headers)) return;
    const { res: response } = ctx;
    this.#deliveries.watch(response);
    const hasRoom =
      this.#deliveries.hold(response, rendering, rendering.heldBytes) &&
      this.#deliveries.hold(response, response, FOLLOWER_BYTES);
    if (!hasRoom) {
      refuse(ctx);
      return;
    }
    ctx.respond = false;
    response.writeHead(200, headers.full);
    await sendPieces(ctx, rendering.pieces());
  }

  /** Answers if headers are enough (304 or HEAD). Returns whether it answered. */
  #sendHead(ctx: Koa.Context, headers: Headers): boolean {
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
}

function sendUnchanged(ctx: Koa.Context, { unchanged }: Headers): void {
  ctx.respond = false;
  ctx.res.writeHead(304, unchanged).end();
}

function refuse(ctx: Koa.Context): void {
  const detail = 'too many large answers are under way; try again later';
  sendProblem(ctx, { status: 503, detail, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

function* slicesOf(body: Buffer): Generator<Buffer, void, undefined> {
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    yield body.subarray(start, start + PIECE_BYTES);
  }
}
