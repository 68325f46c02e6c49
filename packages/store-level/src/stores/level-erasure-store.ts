import { readdir } from 'node:fs/promises';
import {
  isTallybookError,
  ManagedResource,
  type Erasure,
  type ErasureRequest,
  type ErasureStore,
  type KeptErasure,
  type TallyId,
  type Timestamp,
  type Trace,
} from '@tallybook/domain';
import type { LevelDatabase } from '../database/level-database.js';
import { decodeErasure, encodeErasure, ErasureIndex } from '../rows/erasure-rows.js';
import { decodeRow } from '../rows/codec.js';
import { erasureKey, erasureRange } from '../rows/keys.js';
import { unseal } from '../rows/seal.js';
import { eraseTag } from './erase-tag.js';
import { findTags } from './find-tags.js';
import { LevelView } from './level-view.js';
import { traceTag } from './trace-tag.js';

/** Everything goes. */
const always = (): boolean => true;

/**
 * Erases tags from all that a directory holds: a row for each erasure, which is written first, so that the next opening goes on
 * with what a power cut has interrupted. Erasures are few, and all are in memory.
 */
export class LevelErasureStore extends ManagedResource implements ErasureStore {
  readonly #database: LevelDatabase;
  #index = new ErasureIndex<KeptErasure>();

  constructor(database: LevelDatabase) {
    super();
    this.#database = database;
  }

  refusedUntil(id: TallyId): Timestamp | undefined {
    return this.#index.isEmpty ? undefined : this.#index.find(id)?.until;
  }

  list(): Promise<readonly KeptErasure[]> {
    return this.run(() => Promise.resolve(this.#index.all));
  }

  erase({ ids, until, expiresAt }: ErasureRequest): Promise<readonly string[]> {
    return this.run(async () => {
      const begun: KeptErasure[] = [];
      for (const id of ids) {
        const { key, digest } = this.#index.nameOf(id);
        const erasure = { key, digest, until, expiresAt, state: 'begun' } as const;
        // Before it is written: what comes from now on must not be written behind what is erased.
        this.#index.put(erasure);
        begun.push(erasure);
      }
      await this.#write(begun).catch(async (error: unknown) => {
        // Nobody is erased, unless the disk has taken it all the same: the next opening would know.
        await this.#load().catch(() => undefined);
        throw error;
      });
      for (const [index, id] of ids.entries()) {
        const erasure = begun[index];
        if (erasure !== undefined) await this.#erase(id, erasure, always);
      }
      return begun.map(({ digest }) => digest);
    });
  }

  add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
    return this.run(async () => {
      const added = erasures
        .filter((erasure) => (this.#index.get(erasure)?.until ?? -1) < erasure.until)
        .map(({ key, digest, until, expiresAt }): KeptErasure => {
          return { key, digest, until, expiresAt, state: 'removed' };
        });
      for (const erasure of added) this.#index.put(erasure);
      await this.#write(added);
      await this.#eraseFound(added, now);
    });
  }

  expire(now: Timestamp): Promise<number> {
    return this.run(async () => {
      const expired = this.#index.all.filter(({ expiresAt }) => expiresAt <= now);
      const keys = expired.map(({ digest }) => erasureKey(digest));
      await this.#database.write({
        keys,
        decide: (rows) => {
          for (const key of keys) rows.delete(key);
        },
      });
      for (const erasure of expired) this.#index.remove(erasure);
      return expired.length;
    });
  }

  scrub(): Promise<boolean> {
    return this.run(async () => {
      const due = this.#index.all.filter(({ state }) => state === 'removed');
      const isDone = await this.#database.scrub((id) => this.#index.find(id) !== undefined);
      if (isDone) await this.#setState(due, 'done');
      return isDone;
    });
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    await using view = await this.run(() => LevelView.of(this.#database));
    yield* traceTag(view, id);
  }

  formerFiles(): Promise<readonly string[]> {
    return this.run(async () => {
      const names = await readdir(this.#database.directory);
      return names.filter((name) => /^damaged-[0-9]+$/.test(name)).sort();
    });
  }

  protected override async onOpen(): Promise<void> {
    await this.#database.acquire();
    try {
      await this.#load();
      await this.#eraseFound(this.#index.all.filter(({ state }) => state === 'begun'));
    } catch (error) {
      // On a full disk it goes on at the next opening; until then what is left of it can be read, as before.
      if (isTallybookError(error, 'STORE_WRITE_FAILED')) return;
      await this.#database.release();
      throw error;
    }
  }

  protected override onClose(): Promise<void> {
    return this.#database.release();
  }

  /** A damaged one is left out. Its tag is not refused any more, but the store tells of the damage. */
  async #load(): Promise<void> {
    const rows = await this.#database.read((level) => level.iterator(erasureRange).all());
    this.#index = new ErasureIndex();
    for (const [key, sealed] of rows) {
      try {
        this.#index.put(decodeRow(key, () => decodeErasure(key, unseal(key, sealed))));
      } catch (error) {
        if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
        await this.#database.noteDamage(error);
      }
    }
  }

  /** Erases what there is of tags whose ids are not known any more. */
  async #eraseFound(erasures: readonly KeptErasure[], now?: Timestamp): Promise<void> {
    if (erasures.length === 0) return;
    const wanted = new ErasureIndex(erasures);
    const found = await findTags(this.#database, (id) => wanted.find(id) !== undefined);
    for (const id of found) {
      const erasure = wanted.find(id);
      if (erasure === undefined) continue;
      wanted.remove(erasure);
      const isGone = (at: Timestamp): boolean => at <= erasure.until || (now !== undefined && at > now);
      await this.#erase(id, erasure, now === undefined ? always : isGone);
    }
    // Of the others nothing was left.
    await this.#setState(
      wanted.all.filter(({ state }) => state === 'begun'),
      'removed',
    );
  }

  async #erase(id: TallyId, erasure: KeptErasure, isGone: (at: Timestamp) => boolean): Promise<void> {
    const removed = { ...erasure, state: 'removed' } as const;
    const key = erasureKey(erasure.digest);
    await eraseTag(
      this.#database,
      { id, isGone },
      {
        keys: [key],
        decide: (rows) => rows.put(key, encodeErasure(removed)),
        told: { kind: 'erased', digest: erasure.digest },
      },
    );
    this.#index.put(removed);
  }

  async #setState(erasures: readonly KeptErasure[], state: KeptErasure['state']): Promise<void> {
    const changed = erasures.map((erasure) => ({ ...erasure, state }));
    await this.#write(changed);
    for (const erasure of changed) this.#index.put(erasure);
  }

  async #write(erasures: readonly KeptErasure[]): Promise<void> {
    if (erasures.length === 0) return;
    await this.#database.write({
      keys: erasures.map(({ digest }) => erasureKey(digest)),
      decide: (rows) => {
        for (const erasure of erasures) rows.put(erasureKey(erasure.digest), encodeErasure(erasure));
      },
    });
  }
}
