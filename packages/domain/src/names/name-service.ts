import type { MappingSnapshot, MappingStore, PutOutcome } from '../ports/names/mapping-store.js';
import type { Revision } from '../ports/revision.js';
import { parseName, type Mapping, type Name } from '../values/name.js';
import type { TallyId } from '../values/tally-id.js';

/** Reads and changes the names of tags. */
export class NameService {
  readonly #mapping: MappingStore;

  constructor(mapping: MappingStore) {
    this.#mapping = mapping;
  }

  /** The whole mapping. Rejects as {@link MappingStore} does. */
  read(): Promise<Mapping> {
    return this.#mapping.read();
  }

  /** The whole mapping a page at a time, for callers that cannot hold it in memory. Dispose of it. */
  snapshot(): Promise<MappingSnapshot> {
    return this.#mapping.snapshot();
  }

  /** The name of one tag, `undefined` if it has none. Rejects as {@link MappingStore} does. */
  nameOf(id: TallyId): Promise<Name | undefined> {
    return this.#mapping.get(id);
  }

  /** Changes whenever the result of {@link read} changes. */
  revision(): Promise<Revision> {
    return this.#mapping.revision();
  }

  /**
   * Gives a tag a name, durably.
   *
   * Rejects with `INVALID_NAME` if the name, which may be untrusted, is invalid, and as {@link MappingStore} does.
   */
  async assign(id: TallyId, name: unknown): Promise<PutOutcome> {
    return this.#mapping.put(id, parseName(name));
  }

  /** Removes the name of a tag, durably, and says whether it had one. */
  remove(id: TallyId): Promise<boolean> {
    return this.#mapping.remove(id);
  }

  /**
   * Gives several tags their names, durably, all or none. Rejects as {@link MappingStore} does.
   *
   * @returns The names before, of the tags that had one.
   */
  assignAll(names: ReadonlyMap<TallyId, Name>): Promise<ReadonlyMap<TallyId, Name>> {
    return this.#mapping.change(names);
  }
}
