import type { EventEmitter } from 'node:events';
import { Gate, type Revision } from '@tallybook/domain';
import { LRUCache } from 'lru-cache';
import { EntityTags } from './entity-tags.js';
import { limitedOption, type Limits } from './limited-option.js';
import { RenderJob } from './render-job.js';
import { Rendering } from './rendering.js';
import { createRepresentation, headersOf, type Headers, type Representation } from './representation.js';
import type { Source } from './source.js';

export interface RenderingOptions {
  /** Memory for cached answers in bytes, 1..17179869184, default 8388608. A larger answer is streamed each time. */
  readonly maxCachedBytes?: number;
}

const limits: Limits<RenderingOptions> = { maxCachedBytes: [1, 17_179_869_184, 8_388_608] };

/** Data that are served as JSON. */
export interface Resource {
  /** Names the resource. */
  readonly key: string;
  /** Absent for data that are valid only for a moment and must not be cached. */
  readonly revision?: () => Promise<Revision>;
  /** Opens the present data for reading; `undefined` if the resource does not exist. */
  readonly open: () => Promise<Source | undefined>;
}

/** An answer that is too large to be held as a whole. */
export interface Stream {
  readonly headers: Headers;
  readonly rendering: Rendering;
}

/** A stream for one follower. The follower calls `leave` when it has everything or gives up. */
export interface JoinedStream extends Stream {
  readonly leave: () => void;
}

export type Answer = Representation | JoinedStream;

type Outcome = Representation | Stream | undefined;

interface Kept {
  readonly revision: Revision;
  readonly representation: Representation;
}

const MAX_ENTRIES = 1_000;
/** Estimated bytes of the key, tag and objects of one entry. */
const ENTRY_OVERHEAD_BYTES = 512;
/**
 * Largest number of resources that are read at a time. Each needs up to twice `maxCachedBytes`, and the memory of its
 * source.
 */
const READ_AT_A_TIME = 2;

/**
 * Renders a resource only once at a time. Caches the latest rendering while its revision is current.
 *
 * ```
 * request -> the cached rendering of the same revision
 *         -> the unfinished rendering of the same revision
 *         -> the next rendering for all waiting requests, which begins when the present one is done
 * ```
 *
 * A rendering that is too large for the cache is streamed from one snapshot, to all requests during that time. A
 * rendering for which nobody waits any more is cancelled.
 */
export class Renderings {
  readonly #maxBytes: number;
  readonly #kept: LRUCache<string, Kept>;
  /** Resources that were too large last time. They are not collected first, because that would render them twice. */
  readonly #large = new LRUCache<string, true>({ max: MAX_ENTRIES });
  readonly #tags = new EntityTags();
  readonly #reading = new Gate(READ_AT_A_TIME);
  readonly #turns = new Gate(1);
  /** The unfinished rendering and the next one of each resource. */
  readonly #current = new Map<string, RenderJob<Outcome>>();
  readonly #next = new Map<string, RenderJob<Outcome>>();
  /** The latest stream of each resource, while it has followers. */
  readonly #streams = new Map<string, { readonly revision: Revision; readonly stream: Stream }>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: RenderingOptions = {}) {
    const maxBytes = limitedOption('maxCachedBytes', options, limits);
    this.#maxBytes = maxBytes;
    this.#kept = new LRUCache({
      max: MAX_ENTRIES,
      maxSize: maxBytes + ENTRY_OVERHEAD_BYTES,
      sizeCalculation: ({ representation }) => representation.body.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** The cached answer of a revision; `undefined` if it has to be rendered. */
  kept(key: string, revision: Revision): Representation | undefined {
    const kept = this.#kept.get(key);
    return kept?.revision === revision ? kept.representation : undefined;
  }

  /** The tag of the answer of a revision, rendered or not. */
  tagOf(key: string, revision: Revision): string {
    return this.#tags.of(key, revision);
  }

  /**
   * The answer, not older than the revision; `undefined` if the resource does not exist, `'gone'` if the client is
   * gone. Rejects if reading fails.
   *
   * @param client Emits `close` when it no longer needs the answer.
   */
  async get(
    resource: Resource,
    revision: Revision | undefined,
    client: EventEmitter,
  ): Promise<Answer | undefined | 'gone'> {
    const under = this.#streams.get(resource.key);
    if (under !== undefined && under.revision === revision) return take(under.stream);
    return this.#jobFor(resource, revision).wait(client, take);
  }

  #jobFor(resource: Resource, revision: Revision | undefined): RenderJob<Outcome> {
    const { key } = resource;
    const current = this.#current.get(key);
    const isCurrent = revision !== undefined && current?.revision === revision && !current.isGivenUp;
    if (isCurrent) return current;
    const next = this.#next.get(key);
    if (next !== undefined) return next;
    const job = new RenderJob<Outcome>(async (self) => {
      await current?.outcome.catch(() => undefined);
      return this.#reading.run(() => this.#begin(resource, self));
    });
    this.#next.set(key, job);
    return job;
  }

  async #begin(resource: Resource, job: RenderJob<Outcome>): Promise<Outcome> {
    const { key } = resource;
    this.#next.delete(key);
    if (job.giveUp()) return undefined;
    this.#current.set(key, job);
    try {
      job.revision = await resource.revision?.();
      const source = await resource.open();
      return source && (await this.#render(resource, source, job));
    } finally {
      if (this.#current.get(key) === job) this.#current.delete(key);
    }
  }

  async #render(resource: Resource, source: Source, job: RenderJob<Outcome>): Promise<Outcome> {
    const { key } = resource;
    const rendering = new Rendering(source, this.#turns, () => {
      if (this.#streams.get(key)?.stream.rendering === rendering) this.#streams.delete(key);
      if (rendering.length <= this.#maxBytes) this.#large.delete(key);
    });
    const leave = rendering.join();
    // Leaves after the waiting clients have joined.
    void job.outcome.catch(() => undefined).then(() => setImmediate(leave));
    const revision = await settled(resource, job.revision);
    const collected = this.#large.has(key) ? 'too large' : await this.#collect(rendering, job);
    if (collected === 'given up') return undefined;
    const etag =
      resource.revision && (revision === undefined ? this.#tags.once(key) : this.tagOf(key, revision));
    if (collected !== 'too large') {
      const representation = createRepresentation(collected, etag);
      if (revision !== undefined) this.#kept.set(key, { revision, representation });
      return representation;
    }
    this.#large.set(key, true);
    const stream = { headers: headersOf(etag), rendering };
    if (revision !== undefined) this.#streams.set(key, { revision, stream });
    return stream;
  }

  async #collect(rendering: Rendering, job: RenderJob<Outcome>): Promise<Buffer | 'too large' | 'given up'> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of rendering.pieces()) {
      if (job.giveUp()) return 'given up';
      length += piece.length;
      if (length > this.#maxBytes) return 'too large';
      pieces.push(piece);
    }
    return Buffer.concat(pieces, length);
  }
}

/**
 * The revision of the opened data; `undefined` if the data changed during the opening, so that their revision is
 * unknown.
 */
async function settled(resource: Resource, before: Revision | undefined): Promise<Revision | undefined> {
  const after = await resource.revision?.();
  return after === before ? after : undefined;
}

function take(outcome: Outcome): Answer | undefined {
  return outcome !== undefined && 'rendering' in outcome
    ? { ...outcome, leave: outcome.rendering.join() }
    : outcome;
}
