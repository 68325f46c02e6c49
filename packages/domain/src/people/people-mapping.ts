import { isTallybookError } from '../errors.js';
import type {
  MappingSnapshot,
  MappingStore,
  NameChanges,
  PutOutcome,
  RestoreOutcome,
} from '../ports/names/mapping-store.js';
import type { Revision } from '../ports/revision.js';
import type { Mapping, Name } from '../values/name.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import type { PeopleService } from './people-service.js';

/**
 * The names of the present holders of tags, as programs know them that know nothing of persons. A tag without a timeline is written as
 * ever; what a name means for another one is decided by persons.
 */
export class PeopleMapping implements MappingStore {
  readonly #mapping: MappingStore;
  readonly #people: PeopleService;

  constructor(mapping: MappingStore, people: PeopleService) {
    this.#mapping = mapping;
    this.#people = people;
  }

  read(): Promise<Mapping> {
    return this.#mapping.read();
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.#mapping.snapshot();
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.#mapping.get(id);
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return unlessHeld(
      () => this.#mapping.put(id, name),
      () => this.#people.nameTag(id, name),
    );
  }

  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    return this.#mapping.restore(id, name, knownAt);
  }

  remove(id: TallyId): Promise<boolean> {
    return unlessHeld(
      () => this.#mapping.remove(id),
      async () => (await this.#people.nameTags(new Map([[id, undefined]]))).has(id),
    );
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return unlessHeld(
      () => this.#mapping.change(changes),
      () => this.#people.nameTags(changes),
    );
  }

  revision(): Promise<Revision> {
    return this.#mapping.revision();
  }
}

/** Writes names of tags without a timeline; if one has one, lets persons decide on all of them. */
async function unlessHeld<T>(write: () => Promise<T>, decide: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isTallybookError(error, 'TAG_HAS_TIMELINE')) throw error;
    return decide();
  }
}
