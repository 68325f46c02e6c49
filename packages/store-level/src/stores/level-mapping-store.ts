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
import type { StampSource } from '@tallybook/domain/sync';
import { getNow } from '../level/raw-level.js';
import { decodeName, decodeRow } from '../rows/codec.js';
import { nameKey } from '../rows/keys.js';
import { keysOfNames, namesIn } from '../rows/name-rows.js';
import type { LevelDatabase } from '../database/level-database.js';
import { LevelFacet } from '../database/level-facet.js';
import { subjects } from '../database/revisions.js';
import { LevelView } from './level-view.js';
import { readNamePage, readNames } from '../queries/read-names.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';

/** Keeps names in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelMappingStore extends LevelFacet implements MappingStore {
  readonly #stamps: StampSource;
  /** The origin of the journal. */
  #node = '';

  /** @param stamps Gives a stamp to each written name, in the same batch. */
  constructor(database: LevelDatabase, stamps: StampSource) {
    super(database);
    this.#stamps = stamps;
    database.onOpening(async () => {
      this.#node = await database.read((_, { origin }) => Promise.resolve(origin));
    });
  }

  read(): Promise<Mapping> {
    return this.query(readNames);
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.database.run(async () => {
      const view = await LevelView.of(this.database);
      return {
        page: (after, limit) => view.read((level, snapshot) => readNamePage(level, snapshot, after, limit)),
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
    return this.#write([id], (rows) => restoreName(namesIn(rows), { id, name, knownAt }, this.#stamping));
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

  get #stamping(): { readonly stamps: StampSource; readonly node: string } {
    return { stamps: this.#stamps, node: this.#node };
  }

  #change(changes: NameChanges): Promise<ReturnType<typeof changeNames>> {
    return this.#write(changes.keys(), (rows) => changeNames(namesIn(rows), changes, this.#stamping));
  }

  #write<T>(ids: Iterable<TallyId>, decide: (rows: Rows) => T): Promise<T> {
    return this.commit({
      keys: keysOfNames(ids),
      decide: (rows) => {
        rows.touch(subjects.mapping);
        return decide(rows);
      },
    });
  }
}
