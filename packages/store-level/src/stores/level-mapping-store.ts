import {
  ManagedResource,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChanges,
  type PutOutcome,
  type RestoreOutcome,
  type Revision,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { nextStamp, restoredStamp, type NameStamp, type StampedName } from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import { getNow } from '../level/raw-level.js';
import { decodeName, decodeRow, encodeName } from '../rows/codec.js';
import { nameKey, stampKey, stampRange } from '../rows/keys.js';
import {
  findName,
  findStamp,
  findStampedName,
  forgetStamp,
  setName,
  setStampedName,
} from '../rows/name-rows.js';
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

  /**
   * @param stamps Gives a stamp to each written name, in the same batch. Without it, a written name loses its stamp; while the
   * store has no stamps, nothing is looked up or written for them.
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
        // On this thread: finding a row takes less time than a call to another thread, and every tap reads a name.
        const value = getNow(level, key);
        return value === undefined ? undefined : decodeRow(key, () => decodeName(unseal(key, value)));
      }),
    );
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.#write([[id, name]], (rows) => (rows.has(nameKey(id)) ? 'replaced' : 'added'));
  }

  /** No other process erases here, so the caller's check for erasures is still valid. */
  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    const stampOf: StampOf = (rows, stamps) => {
      const [nowMs, { node }] = [stamps.now(), stamps];
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

  async revision(): Promise<Revision> {
    if (this.status !== 'open') throw this.notOpen();
    return this.#database.revisions.of(subjects.mapping);
  }

  protected override async onOpen(): Promise<void> {
    await this.#database.acquire();
    try {
      if (this.#stamps !== undefined || (await this.#holdsStamps())) this.#database.expectStamps();
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

  /**
   * @param look Reads the rows before the write.
   * @param stampOf Makes the stamp. Default: the stamp of a change now.
   */
  #write<T>(
    changes: readonly (readonly [id: TallyId, name: Name | undefined])[],
    look: (rows: Rows) => T,
    stampOf: StampOf = stampNow,
  ): Promise<T> {
    return this.run(() => {
      const isStamped = this.#database.mayHaveStamps;
      return this.#database.write({
        keys: changes.flatMap(([id]) => (isStamped ? [nameKey(id), stampKey(id)] : [nameKey(id)])),
        decide: (rows) => {
          const before = look(rows);
          for (const [id, name] of changes) {
            if (this.#stamps !== undefined) setStamped(rows, { id, name }, stampOf(rows, this.#stamps, id));
            else setUnstamped(rows, id, name, isStamped);
          }
          rows.touch(subjects.mapping);
          return before;
        },
      });
    });
  }
}

/** Makes the stamp of a written name; `undefined` if the time is unknown. */
type StampOf = (rows: Rows, stamps: StampSource, id: TallyId) => NameStamp | undefined;

const stampNow: StampOf = (rows, stamps, id) => {
  const ms = stamps.now();
  return ms === undefined ? undefined : nextStamp(findStamp(rows, id), { ms, node: stamps.node });
};

function setStamped(
  rows: Rows,
  { id, name }: Pick<StampedName, 'id' | 'name'>,
  stamp: NameStamp | undefined,
): void {
  // Removing a missing name leaves no stamp.
  if (name === undefined && !rows.has(nameKey(id))) return;
  setStampedName(rows, { id, name, stamp });
}

/** @param isStamped Whether there may be the stamp of a former name. */
function setUnstamped(rows: Rows, id: TallyId, name: Name | undefined, isStamped: boolean): void {
  const hadName = rows.has(nameKey(id));
  setName(rows, id, name && encodeName(name));
  if (isStamped && (hadName || name !== undefined)) forgetStamp(rows, id);
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
