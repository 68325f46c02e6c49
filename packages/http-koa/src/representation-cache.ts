import type { Revision } from '@tallybook/domain';
import { LRUCache } from 'lru-cache';
import { createRepresentation, type Representation } from './representation.js';

/** Something that is served as JSON and read anew only after it changed. */
export interface Resource {
  /** Names the resource in the cache. */
  readonly key: string;
  readonly revision: () => Promise<Revision>;
  /** Reads the resource and writes it as JSON; `undefined` if there is none. */
  readonly render: () => Promise<string | undefined>;
}

interface Kept {
  readonly revision: Revision;
  readonly representation: Representation;
}

interface Rendering {
  readonly revision: Revision;
  readonly representation: Promise<Representation | undefined>;
}

const MAX_ENTRIES = 1_000;
/** Key, tag and objects of one entry, about. */
const ENTRY_OVERHEAD_BYTES = 512;

/**
 * Keeps what was served last, for as long as the revision says that it is still true.
 *
 * The revision is taken before the data is read, so what is kept is never older than its revision. Requests for
 * the same revision that miss at the same time share one read; a request that saw a later revision does not.
 */
export class RepresentationCache {
  readonly #kept: LRUCache<string, Kept>;
  readonly #renderings = new Map<string, Rendering>();

  /** @param maxBytes What is kept takes up at most this much; a single larger representation is not kept. */
  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      max: MAX_ENTRIES,
      maxSize: maxBytes,
      sizeCalculation: ({ representation }) => representation.body.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** The representation of a resource, `undefined` if there is no such resource. Rejects as reading it does. */
  async get(resource: Resource): Promise<Representation | undefined> {
    const revision = await resource.revision();
    const kept = this.#kept.get(resource.key);
    if (kept?.revision === revision) return kept.representation;
    const rendering = this.#renderings.get(resource.key);
    if (rendering?.revision === revision) return rendering.representation;
    return this.#render(resource, revision);
  }

  async #render({ key, render }: Resource, revision: Revision): Promise<Representation | undefined> {
    const rendering = { revision, representation: represent(render) };
    this.#renderings.set(key, rendering);
    try {
      const representation = await rendering.representation;
      if (representation !== undefined) this.#kept.set(key, { revision, representation });
      return representation;
    } finally {
      if (this.#renderings.get(key) === rendering) this.#renderings.delete(key);
    }
  }
}

async function represent(render: Resource['render']): Promise<Representation | undefined> {
  const json = await render();
  return json === undefined ? undefined : createRepresentation(json);
}
