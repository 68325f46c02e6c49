import { openAll, type Name, type TallyId } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import {
  MemoryJournal,
  MemoryMappingStore,
  MemoryPeopleStore,
  MemoryStampedNames,
  noChanges,
  noPeople,
  type MemoryPeople,
  type MemoryPeopleParts,
  type MemoryStamps,
  type PeopleStores,
  type PeopleSubject,
} from '@tallybook/testing';

/** Persons in memory, and the names beside them. Sabotage overrides the methods that make them. */
export class PeopleWorld {
  readonly changes = noChanges();
  readonly names = new Map<TallyId, Name>();
  readonly stamps: MemoryStamps = new Map();
  readonly data: MemoryPeople = noPeople();
  #close = (): Promise<void> => Promise.resolve();

  async subject(first: StampSource): Promise<PeopleSubject> {
    const open = async (source: StampSource): Promise<PeopleStores> => {
      await this.#close();
      const journal = new MemoryJournal(this.changes);
      const mapping = this.mapping(journal, source);
      const people = this.people({ mapping, journal, source });
      const stores = { journal, mapping, people, stampedNames: this.stampedNames(mapping) };
      const opened = await openAll(Object.values(stores));
      this.#close = () => opened.close();
      return stores;
    };
    return { ...(await open(first)), restart: open, cleanup: () => this.#close() };
  }

  people(parts: MemoryPeopleParts): MemoryPeopleStore {
    return new MemoryPeopleStore(this.data, parts);
  }

  mapping(journal: MemoryJournal, source: StampSource): MemoryMappingStore {
    const { stamps } = this;
    return new MemoryMappingStore(this.names, journal, { stamps, source, timelines: this.timelines() });
  }

  stampedNames(mapping: MemoryMappingStore): MemoryStampedNames {
    return new MemoryStampedNames(mapping);
  }

  /** The tags whose names the mapping does not write. */
  timelines(): ReadonlyMap<TallyId, unknown> {
    return this.data.timelines;
  }
}
