import { compareTallyIds, type TallyId } from '@tallybook/domain';
import { mergeNames } from '@tallybook/domain/record';
import type { StampedName } from '@tallybook/domain';
import type { StampedNames } from '@tallybook/domain/sync';
import type { MemoryMappingStore } from './memory-mapping-store.js';
import { MemoryStore } from './memory-store.js';

/** The {@link StampedNames} of a memory store. The data is in that store. */
export class MemoryStampedNames extends MemoryStore implements StampedNames {
  readonly #mapping: MemoryMappingStore;

  constructor(mapping: MemoryMappingStore) {
    super();
    this.#mapping = mapping;
  }

  merge(names: readonly StampedName[]): Promise<readonly StampedName[]> {
    return this.run(async () => {
      const taken: StampedName[] = [];
      const find = (id: TallyId): StampedName | undefined => this.#mapping.stampedOf(id);
      const stayed = mergeNames({ find, put: (name) => taken.push(name) }, names);
      this.#mapping.write(taken);
      return stayed;
    });
  }

  replace(names: readonly StampedName[]): Promise<void> {
    return this.run(async () =>
      this.#mapping.write([...new Map(names.map((name) => [name.id, name])).values()]),
    );
  }

  get(ids: readonly TallyId[]): Promise<readonly StampedName[]> {
    return this.run(() => Promise.resolve(this.#get(ids)));
  }

  page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]> {
    return this.run(() => {
      const all = [...this.#mapping.tags()].sort(compareTallyIds);
      const ids = all.filter((id) => after === undefined || compareTallyIds(id, after) > 0);
      return Promise.resolve(this.#get(ids.slice(0, limit)));
    });
  }

  #get(ids: readonly TallyId[]): readonly StampedName[] {
    return ids.flatMap((id) => this.#mapping.stampedOf(id) ?? []);
  }
}
