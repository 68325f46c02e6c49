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
import { nextStamp, restoredStamp, type NameStamp } from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import { getNow } from '../level/raw-level.js';
import { decodeName, decodeRow } from '../rows/codec.js';
import { nameKey, stampKey } from '../rows/keys.js';
import { findName, findStamp, findStampedName, setStampedName } from '../rows/name-rows.js';
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

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.#write([[id, name]], (rows) => (rows.has(nameKey(id)) ? 'replaced' : 'added'));
  }

  /** No other process erases here, so the caller's check for erasures is still valid. */
  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    const stampOf = (rows: Rows): NameStamp | undefined => {
      const [nowMs, node] = [this.#stamps.now(), this.#node];
      // A damaged name is replaced like any other, and the new stamp follows its stamp.
      const before = findStampedName(rows, id) ?? { name: undefined, stamp: findStamp(rows, id) };
      return restoredStamp(name, before, { knownAt, nowMs, node });
    };
    return this.#write([[id, name]], (rows) => (rows.has(nameKey(id)) ? 'replaced' : 'added'), stampOf);
  }

  remove(id: TallyId): Promise<boolean> {
    return this.#write([[id, undefined]], (rows) => rows.has(nameKey(id)));
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.#write([...changes], (rows) => {
      const before = new Map<TallyId, Name>();
      for (const id of changes.keys()) {
        const had = findName(rows, id);
        if (had !== undefined) before.set(id, had);
      }
      return before;
    });
  }

  revision(): Promise<Revision> {
    return this.revisionOf(subjects.mapping);
  }

  /**
   * @param look Reads the rows before the write.
   * @param stampOf Makes the stamp; `undefined` if the time is unknown. Default: the stamp of a change now.
   */
  #write<T>(
    changes: readonly (readonly [id: TallyId, name: Name | undefined])[],
    look: (rows: Rows) => T,
    stampOf = (rows: Rows, id: TallyId) => this.#stampNow(rows, id),
  ): Promise<T> {
    return this.commit({
      keys: changes.flatMap(([id]) => [nameKey(id), stampKey(id)]),
      decide: (rows) => {
        const before = look(rows);
        for (const [id, name] of changes) {
          // Removing a missing name leaves no stamp.
          if (name === undefined && !rows.has(nameKey(id))) continue;
          setStampedName(rows, { id, name, stamp: stampOf(rows, id) });
        }
        rows.touch(subjects.mapping);
        return before;
      },
    });
  }

  #stampNow(rows: Rows, id: TallyId): NameStamp | undefined {
    const ms = this.#stamps.now();
    return ms === undefined ? undefined : nextStamp(findStamp(rows, id), { ms, node: this.#node });
  }
}
