import type { TallyId, StampedName } from '@tallybook/domain';
import { mergeNames } from '@tallybook/domain/record';
import type { StampedNames } from '@tallybook/domain/sync';
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import { readStampedNames, readStampedPage, type StampReading } from '../queries/read-stamped-names.js';
import { LevelView } from './level-view.js';
import { namingOf, type WrittenNames } from './naming.js';
import type { TimelineTags } from './timeline-tags.js';

/** Names with their stamps, in the directory of a `LevelMappingStore`. A stamp is a row of its own beside the row of the name. */
export class LevelStampedNames extends LevelFacet implements StampedNames {
  readonly #timelines: TimelineTags;

  constructor(database: LevelDatabase, timelines: TimelineTags) {
    super(database);
    this.#timelines = timelines;
  }

  merge(names: readonly StampedName[]): Promise<readonly StampedName[]> {
    return this.#write(names, (stored) => mergeNames(stored, names));
  }

  async replace(names: readonly StampedName[]): Promise<void> {
    await this.#write(names, (stored) => {
      for (const name of names) stored.put(name);
    });
  }

  get(ids: readonly TallyId[]): Promise<readonly StampedName[]> {
    return this.#read((read) => readStampedNames(read, ids));
  }

  page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]> {
    return this.#read((read) => readStampedPage(read, after, limit));
  }

  /** A damaged stamp counts as none, and is noted for the next opening. */
  #read(work: (read: StampReading) => Promise<readonly StampedName[]>): Promise<readonly StampedName[]> {
    return this.run(() =>
      this.database.handle.goingBy(async (goBy) => {
        await using view = await LevelView.of(this.database);
        return await work({ read: (call) => view.read(call), goBy });
      }),
    );
  }

  #write<T>(names: readonly StampedName[], decide: (stored: WrittenNames) => T): Promise<T> {
    const ids = names.map(({ id }) => id);
    return this.commit(namingOf(ids, this.#timelines, decide));
  }
}
