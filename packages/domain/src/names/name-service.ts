import type { MappingSnapshot, MappingStore, PutOutcome } from '../ports/names/mapping-store.js';
import type { Revision } from '../ports/revision.js';
import { Emitter, type Subscribable } from '../subscribable.js';
import type { NameChange } from '../values/record/change.js';
import { isSameName, parseName, type Mapping, type Name } from '../values/name.js';
import type { TallyId } from '../values/tally-id.js';

/** Reads and changes the names of tags. */
export class NameService {
  /** Emits the changes, in order, when they are durable: tags, without names. */
  readonly changes: Subscribable<readonly NameChange[]>;
  readonly #changes = new Emitter<readonly NameChange[]>();
  readonly #mapping: MappingStore;

  constructor(mapping: MappingStore) {
    this.#mapping = mapping;
    this.changes = this.#changes;
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
    const outcome = await this.#mapping.put(id, parseName(name));
    this.#tell([{ kind: 'name', id, action: outcome }]);
    return outcome;
  }

  /** Removes the name of a tag, durably, and says whether it had one. */
  async remove(id: TallyId): Promise<boolean> {
    const wasThere = await this.#mapping.remove(id);
    if (wasThere) this.#tell([{ kind: 'name', id, action: 'removed' }]);
    return wasThere;
  }

  /**
   * Gives several tags their names, durably, all or none. Rejects as {@link MappingStore} does.
   *
   * @returns The names before, of the tags that had one.
   */
  async assignAll(names: ReadonlyMap<TallyId, Name>): Promise<ReadonlyMap<TallyId, Name>> {
    const before = await this.#mapping.change(names);
    const changes = [...names]
      .filter(([id, name]) => !isSameName(before.get(id), name))
      .map(([id]): NameChange => ({ kind: 'name', id, action: before.has(id) ? 'replaced' : 'added' }));
    this.#tell(changes);
    return before;
  }

  #tell(changes: readonly NameChange[]): void {
    if (changes.length > 0) this.#changes.emit(changes);
  }
}
