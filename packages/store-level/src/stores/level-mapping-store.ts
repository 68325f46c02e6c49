import {
  ManagedResource,
  nextStamp,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChanges,
  type PutOutcome,
  type Revision,
  type StampSource,
  type TallyId,
} from '@tallybook/domain';
import { decodeName, decodeRow, encodeName } from '../rows/codec.js';
import { nameKey, stampKey, stampRange } from '../rows/keys.js';
import { findName, findStamp, forgetStamp, setName, setStampedName } from '../rows/name-rows.js';
import type { LevelDatabase } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { LevelView } from './level-view.js';
import { readNamePage, readNames } from '../queries/read-names.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';

/** Keeps names in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelMappingStore extends ManagedResource implements MappingStore {
  readonly #database: LevelDatabase;
  readonly #stamps: StampSource | undefined;
  /** Whether names may have stamps, which a change has to look at. */
  #hasStamps = false;

  /**
   * @param stamps Stamps each name that is written, in the same batch. Without it such a name has no stamp any more, and nothing
   * is looked up or written where there was none.
   */
  constructor(database: LevelDatabase, stamps?: StampSource) {
    super();
    this.#database = database;
    this.#stamps = stamps;
  }

  read(): Promise<Mapping> {
    return this.run(() => this.#database.read((level) => readNames(level)));
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.run(async () => new LevelMappingSnapshot(await LevelView.of(this.#database)));
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.run(() =>
      this.#database.read(async (level) => {
        const key = nameKey(id);
        // At once: to find one row takes less time than to hand it to another thread, and every tap asks for one. Level's
        // types say that there is always a value.
        const value = level.getSync(key) as Buffer | undefined;
        return value === undefined ? undefined : decodeRow(key, () => decodeName(unseal(key, value)));
      }),
    );
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.#write([id], (rows) => {
      const outcome = rows.has(nameKey(id)) ? 'replaced' : 'added';
      this.#set(rows, id, name);
      return outcome;
    });
  }

  remove(id: TallyId): Promise<boolean> {
    return this.#write([id], (rows) => {
      const wasThere = rows.has(nameKey(id));
      this.#set(rows, id, undefined);
      return wasThere;
    });
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    // They are decided on later, when the caller may have changed them.
    const changed = [...changes];
    return this.#write([...changes.keys()], (rows) => {
      const before = new Map<TallyId, Name>();
      for (const [id, name] of changed) {
        const had = findName(rows, id);
        if (had !== undefined) before.set(id, had);
        this.#set(rows, id, name);
      }
      return before;
    });
  }

  async revision(): Promise<Revision> {
    if (this.status !== 'open') throw this.notOpen();
    return this.#database.revisions.of(subjects.mapping);
  }

  protected override async onOpen(): Promise<void> {
    await this.#database.acquire();
    try {
      this.#hasStamps = this.#stamps !== undefined || (await this.#holdsStamps());
    } catch (error) {
      await this.#database.release();
      throw error;
    }
  }

  protected override onClose(): Promise<void> {
    return this.#database.release();
  }

  async #holdsStamps(): Promise<boolean> {
    const [first] = await this.#database.read((level) => level.keys({ ...stampRange, limit: 1 }).all());
    return first !== undefined;
  }

  #set(rows: Rows, id: TallyId, name: Name | undefined): void {
    const hadName = rows.has(nameKey(id));
    if (this.#stamps === undefined) {
      setName(rows, id, name && encodeName(name));
      if (this.#hasStamps && (hadName || name !== undefined)) forgetStamp(rows, id);
      return;
    }
    // Nobody removed a name that there was not.
    if (name === undefined && !hadName) return;
    const ms = this.#stamps.now();
    const stamp =
      ms === undefined ? undefined : nextStamp(findStamp(rows, id), { ms, node: this.#stamps.node });
    setStampedName(rows, { id, name, stamp });
  }

  #write<T>(ids: readonly TallyId[], decide: (rows: Rows) => T): Promise<T> {
    return this.run(async () => {
      const keys = ids.flatMap((id) => (this.#hasStamps ? [nameKey(id), stampKey(id)] : [nameKey(id)]));
      let settle = (): void => undefined;
      try {
        return await this.#database.write({
          keys,
          decide: (rows) => {
            const result = decide(rows);
            if (rows.hasChanged) settle = this.#database.revisions.begin(subjects.mapping);
            return result;
          },
        });
      } finally {
        settle();
      }
    });
  }
}

class LevelMappingSnapshot implements MappingSnapshot {
  readonly #view: LevelView;

  constructor(view: LevelView) {
    this.#view = view;
  }

  page(after: TallyId | undefined, limit: number): Promise<readonly Association[]> {
    return this.#view.read((level, snapshot) => readNamePage(level, snapshot, { after, limit }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#view[Symbol.asyncDispose]();
  }
}
