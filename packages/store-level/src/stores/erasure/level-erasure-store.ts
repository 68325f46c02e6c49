import { readdir } from 'node:fs/promises';
import { isTallybookError, type TallyId, type Timestamp } from '@tallybook/domain';
import {
  ErasureIndex,
  requireRoom,
  type Erasure,
  type ErasureRequest,
  type ErasureRoom,
  type ErasureStore,
  type KeptErasure,
  type Trace,
} from '@tallybook/domain/record';
import type { LevelDatabase } from '../../database/level-database.js';
import { decodeErasure, encodeErasure } from '../../rows/erasure-rows.js';
import { decodeRow } from '../../rows/codec.js';
import { erasureKey, erasureRange } from '../../rows/keys.js';
import { unseal } from '../../rows/seal.js';
import { eraseTag } from './erase-tag.js';
import { findTags } from './find-tags.js';
import { LevelView } from '../level-view.js';
import { traceTag } from './trace-tag.js';
import { tagDigests } from '../../rows/tag-digests.js';

/** All data of a tag is erased. */
const always = (): boolean => true;

/**
 * Erases tags from all rows of a directory. The row of an erasure is written first, so that the next opening goes on with an
 * erasure that was interrupted by a power cut. Erasures are few, and all are in memory.
 */
export class LevelErasureStore implements ErasureStore {
  readonly #database: LevelDatabase;
  #index = new ErasureIndex<KeptErasure>(tagDigests);
  /** Digests of the tags that are being erased at this moment. */
  readonly #busy = new Set<string>();

  constructor(database: LevelDatabase) {
    this.#database = database;
    database.onOpening(() => this.#begin());
  }

  refusedUntil(id: TallyId): Timestamp | undefined {
    return this.#index.isEmpty ? undefined : this.#index.find(id)?.until;
  }

  list(): Promise<readonly KeptErasure[]> {
    return this.#database.run(() => Promise.resolve(this.#index.all));
  }

  erase({ ids, until, expiresAt, room }: ErasureRequest): Promise<readonly string[]> {
    return this.#database.run(async () => {
      const begun = ids.map((id): KeptErasure => {
        const { key, digest } = this.#index.nameOf(id);
        return latestOf({ key, digest, until, expiresAt, state: 'begun' }, this.#index.get({ key, digest }));
      });
      requireRoom(this.#index, begun, room);
      await this.#work(begun, async () => {
        for (const [index, id] of ids.entries()) {
          const erasure = begun[index];
          if (erasure !== undefined) await this.#erase(id, erasure, always);
        }
      });
      return begun.map(({ digest }) => digest);
    });
  }

  add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void> {
    return this.#database.run(async () => {
      const untaken = this.#index.untaken(erasures);
      requireRoom(this.#index, untaken, room);
      const added: KeptErasure[] = [];
      const resumed = new Set<string>();
      for (const { key, digest, until, expiresAt } of untaken) {
        const known = this.#index.get({ key, digest });
        const isBegun = known?.state === 'begun';
        if (known !== undefined && known.until >= until && !isBegun) continue;
        if (isBegun) resumed.add(digest);
        added.push(latestOf({ key, digest, until, expiresAt, state: 'begun' }, isBegun ? known : undefined));
      }
      await this.#work(added, () => this.#eraseFound(added, { resumed, now }));
    });
  }

  shorten(erasures: readonly Erasure[]): Promise<void> {
    return this.#database.run(async () => {
      const shorter = erasures.flatMap(({ key, digest, until, expiresAt }): KeptErasure[] => {
        const known = this.#index.get({ key, digest });
        if (known === undefined || known.state === 'begun' || known.until <= until) return [];
        return [{ ...known, until, expiresAt }];
      });
      for (const erasure of shorter) this.#index.put(erasure);
      await this.#write(shorter);
    });
  }

  expire(now: Timestamp): Promise<number> {
    return this.#database.run(async () => {
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
    return this.#database.run(async () => {
      await this.#resume();
      const due = this.#index.all.filter(({ state }) => state === 'removed');
      const isDone = await this.#database.scrub((id) => this.#index.find(id) !== undefined);
      if (isDone) await this.#setState(due, 'done');
      return isDone;
    });
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    await using view = await this.#database.run(() => LevelView.of(this.#database));
    yield* traceTag(view, id);
  }

  formerFiles(): Promise<readonly string[]> {
    return this.#database.run(async () => {
      const names = await readdir(this.#database.directory);
      return names.filter((name) => /^damaged-[0-9]+$/.test(name)).sort();
    });
  }

  async #begin(): Promise<void> {
    try {
      await this.#load();
      await this.#resume();
    } catch (error) {
      // On a full disk the erasure goes on at the next opening; until then its remaining rows can be read, as before.
      if (isTallybookError(error, 'STORE_WRITE_FAILED')) return;
      throw error;
    }
  }

  /** A damaged erasure is left out. Its tag is no longer refused, but the store gives notice of the damage. */
  async #load(): Promise<void> {
    const rows = await this.#database.read((level) => level.iterator(erasureRange).all());
    this.#index = new ErasureIndex(tagDigests);
    for (const [key, sealed] of rows) {
      try {
        this.#index.put(decodeRow(key, () => decodeErasure(key, unseal(key, sealed))));
      } catch (error) {
        if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
        await this.#database.noteDamage(error);
      }
    }
  }

  /** Continues interrupted erasures. */
  async #resume(): Promise<void> {
    const begun = this.#index.all.filter(({ state, digest }) => state === 'begun' && !this.#busy.has(digest));
    await this.#eraseFound(begun, { resumed: new Set(begun.map(({ digest }) => digest)) });
  }

  /** Writes the rows of begun erasures, then erases. */
  async #work(begun: readonly KeptErasure[], erase: () => Promise<void>): Promise<void> {
    for (const erasure of begun) {
      // The tag is refused before the row is written: otherwise new data of it could be written behind the erasure.
      this.#index.put(erasure);
      this.#busy.add(erasure.digest);
    }
    try {
      await this.#write(begun).catch(async (error: unknown) => {
        // Nobody is erased, unless the row was written although the write failed: then the next opening goes on.
        await this.#load().catch(() => undefined);
        throw error;
      });
      // After this, all earlier writes have ended, and are erased too; later ones are refused.
      await this.#database.lateWritesEnded();
      await erase();
    } finally {
      for (const { digest } of begun) this.#busy.delete(digest);
    }
  }

  /**
   * Erases data up to the time of each erasure. The ids of the tags are unknown and found by their digests. Later data belongs to
   * a new holder of the tag.
   *
   * @param resumed Digests of erasures that were begun before: their rows may be gone without a change in the journal.
   * @param now Data from after this moment is erased too.
   */
  async #eraseFound(
    erasures: readonly KeptErasure[],
    { resumed, now }: { readonly resumed: ReadonlySet<string>; readonly now?: Timestamp },
  ): Promise<void> {
    if (erasures.length === 0) return;
    const wanted = new ErasureIndex(tagDigests, erasures);
    const found = await findTags(this.#database, (id) => wanted.find(id) !== undefined);
    for (const id of found) {
      const erasure = wanted.find(id);
      if (erasure === undefined) continue;
      wanted.remove(erasure);
      const isGone = (at: Timestamp): boolean => at <= erasure.until || (now !== undefined && at > now);
      await this.#erase(id, erasure, isGone);
    }
    // The other tags had no data left.
    await this.#setState(wanted.all, 'removed', resumed);
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

  /**
   * Leaves out erasures that have changed meanwhile: an erasure may be shortened during scrubbing.
   *
   * @param told Digests of the erasures that get a change in the journal.
   */
  async #setState(
    erasures: readonly KeptErasure[],
    state: KeptErasure['state'],
    told?: ReadonlySet<string>,
  ): Promise<void> {
    const changed = erasures.flatMap((erasure) => {
      const known = this.#index.get(erasure);
      return known?.until === erasure.until && known.state === erasure.state ? [{ ...erasure, state }] : [];
    });
    await this.#write(changed, told);
    for (const erasure of changed) this.#index.put(erasure);
  }

  async #write(erasures: readonly KeptErasure[], told?: ReadonlySet<string>): Promise<void> {
    if (erasures.length === 0) return;
    await this.#database.write({
      keys: erasures.map(({ digest }) => erasureKey(digest)),
      decide: (rows) => {
        for (const erasure of erasures) {
          const { digest } = erasure;
          rows.put(erasureKey(digest), encodeErasure(erasure));
          if (told?.has(digest) === true) rows.tell({ kind: 'erased', digest });
        }
      },
    });
  }
}

/** The erasure, with the end of the known one if that is later. */
function latestOf(erasure: KeptErasure, known: KeptErasure | undefined): KeptErasure {
  if (known === undefined || known.until <= erasure.until) return erasure;
  return { ...erasure, until: known.until, expiresAt: known.expiresAt };
}
