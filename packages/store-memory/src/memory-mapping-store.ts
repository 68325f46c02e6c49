import {
  compareTallyIds,
  createMapping,
  ManagedResource,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChanges,
  type PutOutcome,
  type Revision,
  type TallyId,
} from '@tallybook/domain';

/** A {@link MappingStore} in memory. What it holds lives as long as the `names` that it was given. */
export class MemoryMappingStore extends ManagedResource implements MappingStore {
  readonly #names: Map<TallyId, Name>;
  #revision = 0;

  constructor(names: Map<TallyId, Name> = new Map<TallyId, Name>()) {
    super();
    this.#names = names;
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
      this.#names.set(id, name);
      this.#revision++;
      return Promise.resolve(outcome);
    });
  }

  remove(id: TallyId): Promise<boolean> {
    return this.run(() => {
      this.#revision++;
      return Promise.resolve(this.#names.delete(id));
    });
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.run(() => {
      const before = new Map<TallyId, Name>();
      for (const [id, name] of changes) {
        const had = this.#names.get(id);
        if (had !== undefined) before.set(id, had);
        if (name === undefined) this.#names.delete(id);
        else this.#names.set(id, name);
      }
      this.#revision++;
      return Promise.resolve(before);
    });
  }

  revision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#revision)));
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
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
