import type {
  Mapping,
  MappingSnapshot,
  MappingStore,
  Name,
  NameChanges,
  PutOutcome,
  RestoreOutcome,
  Revision,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import { changeNames, restoreName } from '@tallybook/domain/record';
import { getNow } from '../level/raw-level.js';
import { decodeName, decodeRow } from '../rows/codec.js';
import { nameKey } from '../rows/keys.js';
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { LevelView } from './level-view.js';
import { namingOf, type Stamping, type WrittenNames } from './naming.js';
import type { TimelineTags } from './timeline-tags.js';
import { nameRows, readNames } from '../queries/read-names.js';
import { readRowPage } from '../queries/read-row-page.js';
import { unseal } from '../rows/seal.js';

/** Keeps names in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelMappingStore extends LevelFacet implements MappingStore {
  readonly #stamping: Stamping;
  readonly #timelines: TimelineTags;

  /** @param stamping Gives a stamp to each written name, in the same batch. */
  constructor(database: LevelDatabase, stamping: Stamping, timelines: TimelineTags) {
    super(database);
    this.#stamping = stamping;
    this.#timelines = timelines;
  }

  read(): Promise<Mapping> {
    return this.query(readNames);
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.database.run(async () => {
      const view = await LevelView.of(this.database);
      return {
        page: (after, limit) =>
          view.read((level, snapshot) => readRowPage(level, nameRows, { after, limit, snapshot })),
        [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
      };
    });
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.query(async (level) => {
      const key = nameKey(id);
      // On this thread: finding a row takes less time than a call to another thread, and every tap reads a name.
      const value = getNow(level, key);
      return value && decodeRow(key, () => decodeName(unseal(key, value)));
    });
  }

  async put(id: TallyId, name: Name): Promise<PutOutcome> {
    return (await this.#change(new Map([[id, name]]))).has(id) ? 'replaced' : 'added';
  }

  /** No other process erases here, so the caller's check for erasures is still valid. */
  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    return this.#write([id], (names) => restoreName(names, { id, name, knownAt }, this.#stamping));
  }

  async remove(id: TallyId): Promise<boolean> {
    return (await this.#change(new Map([[id, undefined]]))).has(id);
  }

  async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    const before = [...(await this.#change(changes))];
    return new Map(before.flatMap(([id, { name }]) => (name === undefined ? [] : [[id, name]])));
  }

  revision(): Promise<Revision> {
    return this.revisionOf(subjects.mapping);
  }

  #change(changes: NameChanges): Promise<ReturnType<typeof changeNames>> {
    return this.#write([...changes.keys()], (names) => changeNames(names, changes, this.#stamping));
  }

  #write<T>(ids: readonly TallyId[], decide: (names: WrittenNames) => T): Promise<T> {
    return this.commit(namingOf(ids, this.#timelines, decide));
  }
}
