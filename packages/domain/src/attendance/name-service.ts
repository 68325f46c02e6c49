import type { Mapping } from '../values/mapping.js';
import { parseName } from '../values/name.js';
import type { MappingSnapshot, MappingStore, PutOutcome } from '../ports/mapping-store.js';
import type { Revision } from '../ports/revision.js';
import { parseTallyId } from '../values/tally-id.js';

/** Says which tag belongs to whom. */
export class NameService {
  readonly #mapping: MappingStore;

  constructor(mapping: MappingStore) {
    this.#mapping = mapping;
  }

  /** The whole mapping. Rejects as {@link MappingStore} does. */
  read(): Promise<Mapping> {
    return this.#mapping.read();
  }

  /** The same a page at a time, for those who must not hold all of it. Dispose of it. */
  snapshot(): Promise<MappingSnapshot> {
    return this.#mapping.snapshot();
  }

  /** Changes whenever what {@link read} returns changes. */
  revision(): Promise<Revision> {
    return this.#mapping.revision();
  }

  /**
   * Gives a tag to somebody, durably. Both arguments may be untrusted.
   *
   * Rejects with `INVALID_TALLY_ID` or `INVALID_NAME` if one of them is not valid, and as {@link MappingStore} does.
   */
  async assign(id: unknown, name: unknown): Promise<PutOutcome> {
    return this.#mapping.put(parseTallyId(id), parseName(name));
  }

  /** Takes a tag from whom it belongs to and says whether it belonged to somebody. */
  async remove(id: unknown): Promise<boolean> {
    return this.#mapping.remove(parseTallyId(id));
  }
}
