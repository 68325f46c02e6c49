import {
  isTallybookError,
  ManagedResource,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChanges,
  type PutOutcome,
  type Revision,
  type TallyId,
} from '@tallybook/domain';
import { decodeName, decodeRow, encodeName } from '../rows/codec.js';
import { nameKey } from '../rows/keys.js';
import type { LevelDatabase } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { LevelView } from './level-view.js';
import { readNamePage, readNames } from '../queries/read-names.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';

/** Keeps names in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelMappingStore extends ManagedResource implements MappingStore {
  readonly #database: LevelDatabase;

  constructor(database: LevelDatabase) {
    super();
    this.#database = database;
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
    const key = nameKey(id);
    return this.#write([key], (rows) => {
      const outcome = rows.has(key) ? 'replaced' : 'added';
      setName(rows, id, encodeName(name));
      return outcome;
    });
  }

  remove(id: TallyId): Promise<boolean> {
    const key = nameKey(id);
    return this.#write([key], (rows) => {
      const wasThere = rows.has(key);
      setName(rows, id, undefined);
      return wasThere;
    });
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    const encoded = [...changes].map(([id, name]) => ({
      id,
      key: nameKey(id),
      value: name && encodeName(name),
    }));
    const keys = encoded.map(({ key }) => key);
    return this.#write(keys, (rows) => {
      const before = new Map<TallyId, Name>();
      for (const { id, key, value } of encoded) {
        const had = readSound(rows, key);
        if (had !== undefined) before.set(id, had);
        setName(rows, id, value);
      }
      return before;
    });
  }

  async revision(): Promise<Revision> {
    if (this.status !== 'open') throw this.notOpen();
    return this.#database.revisions.of(subjects.mapping);
  }

  protected override onOpen(): Promise<void> {
    return this.#database.acquire();
  }

  protected override onClose(): Promise<void> {
    return this.#database.release();
  }

  #write<T>(keys: readonly Buffer[], decide: (rows: Rows) => T): Promise<T> {
    return this.run(async () => {
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

/** Puts an encoded name, or removes it, and tells the journal if that changes anything. */
function setName(rows: Rows, id: TallyId, value: Buffer | undefined): void {
  const key = nameKey(id);
  const wasThere = rows.has(key);
  const isChange = value === undefined ? rows.delete(key) : rows.put(key, value);
  if (!isChange) return;
  const action = value === undefined ? 'removed' : wasThere ? 'replaced' : 'added';
  rows.tell({ kind: 'name', id, action });
}

/** The name in a row; `undefined` if there is none, or it is damaged, since a damaged one may be replaced. */
function readSound(rows: Rows, key: Buffer): Name | undefined {
  if (!rows.has(key)) return undefined;
  try {
    const value = rows.get(key);
    return value && decodeRow(key, () => decodeName(value));
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
    throw error;
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
