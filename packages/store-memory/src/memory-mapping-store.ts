import {
  createMapping,
  ManagedResource,
  type Mapping,
  type MappingStore,
  type Name,
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
