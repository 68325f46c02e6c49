import {
  compareTallyIds,
  createMapping,
  ManagedResource,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChange,
  type NameChanges,
  type PutOutcome,
  type Revision,
  type TallyId,
} from '@tallybook/domain';
import type { MemoryJournal } from './memory-journal.js';

/** A {@link MappingStore} in memory. What it holds lives as long as the `names` that it was given. */
export class MemoryMappingStore extends ManagedResource implements MappingStore {
  readonly #names: Map<TallyId, Name>;
  readonly #journal: MemoryJournal | undefined;
  #revision = 0;

  /** @param journal Is told of each change. */
  constructor(names: Map<TallyId, Name> = new Map<TallyId, Name>(), journal?: MemoryJournal) {
    super();
    this.#names = names;
    this.#journal = journal;
  }

  read(): Promise<Mapping> {
    return this.run(() => Promise.resolve(createMapping(this.#names)));
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.run(() => {
      const associations = [...createMapping(this.#names)];
      return Promise.resolve({
        page: (after, limit) => this.run(() => Promise.resolve(pageOf(associations, after, limit))),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    });
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.run(() => Promise.resolve(this.#names.get(id)));
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.run(() => {
      const outcome = this.#names.has(id) ? 'replaced' : 'added';
      this.#write([[id, name]]);
      return Promise.resolve(outcome);
    });
  }

  remove(id: TallyId): Promise<boolean> {
    return this.run(() => {
      const wasThere = this.#names.has(id);
      this.#write([[id, undefined]]);
      return Promise.resolve(wasThere);
    });
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.run(() => {
      const before = new Map<TallyId, Name>();
      for (const id of changes.keys()) {
        const had = this.#names.get(id);
        if (had !== undefined) before.set(id, had);
      }
      this.#write(changes);
      return Promise.resolve(before);
    });
  }

  revision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#revision)));
  }

  /** The name of a tag. For {@link MemoryErasureStore}. */
  nameOf(id: TallyId): Name | undefined {
    return this.#names.get(id);
  }

  /** All tags with a name. For {@link MemoryErasureStore}. */
  tags(): readonly TallyId[] {
    return [...this.#names.keys()];
  }

  /** Erases the name of a tag, without telling the journal. For {@link MemoryErasureStore}. */
  erase(id: TallyId): void {
    if (this.#names.delete(id)) this.#revision++;
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }

  #write(changes: Iterable<readonly [id: TallyId, name: Name | undefined]>): void {
    const told: NameChange[] = [];
    for (const [id, name] of changes) {
      const had = this.#names.get(id);
      if (had?.first === name?.first && had?.last === name?.last) continue;
      if (name === undefined) this.#names.delete(id);
      else this.#names.set(id, name);
      const action = name === undefined ? 'removed' : had === undefined ? 'added' : 'replaced';
      told.push({ kind: 'name', id, action });
    }
    this.#revision++;
    this.#journal?.append(...told);
  }
}

function pageOf(
  associations: readonly Association[],
  after: TallyId | undefined,
  limit: number,
): readonly Association[] {
  const start = after === undefined ? 0 : firstBehind(associations, after);
  return associations.slice(start, start + limit);
}

function firstBehind(associations: readonly Association[], after: TallyId): number {
  let [low, high] = [0, associations.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const id = associations[middle]?.[0];
    if (id !== undefined && compareTallyIds(id, after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
