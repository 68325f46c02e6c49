import { readdir } from 'node:fs/promises';
import type { PeopleStore, TallyId, Timestamp } from '@tallybook/domain';
import {
  ErasingStore,
  ErasureIndex,
  type DecideErasures,
  type ErasedScans,
  type KeptErasure,
  type Trace,
} from '@tallybook/domain/record';
import type { LevelDatabase } from '../../database/level-database.js';
import { decodeErasure, decodeSiteKey, encodeErasure } from '../../rows/erasure-rows.js';
import { erasureKey, erasureRange, siteKeyKey } from '../../rows/keys.js';
import { unseal } from '../../rows/seal.js';
import type { ErasedPeopleStore } from '../level-people-store.js';
import { eraseTag } from './erase-tag.js';
import { findTags } from './find-tags.js';
import { LevelView } from '../level-view.js';
import { traceTag } from './trace-tag.js';
import { tagDigests } from '../../rows/tag-digests.js';

/** Erases tags from all rows of a directory. Erasures are few, and all are in memory. */
export class LevelErasureStore extends ErasingStore {
  protected readonly index: ErasureIndex<KeptErasure> = new ErasureIndex<KeptErasure>(tagDigests);
  protected override readonly people: PeopleStore;
  readonly #database: LevelDatabase;
  #isKnown = false;

  constructor(database: LevelDatabase, people: ErasedPeopleStore) {
    super();
    this.people = people;
    this.#database = database;
    database.onOpening(() => {
      this.#isKnown = false;
      return this.onOpen();
    });
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    await using view = await this.run(() => LevelView.of(this.#database));
    yield* traceTag(view, id);
  }

  override formerFiles(): Promise<readonly string[]> {
    return this.run(async () => {
      const names = await readdir(this.#database.handle.directory);
      return names.filter((name) => /^(?:damaged-[0-9]+|rolled-back-.+\.jsonl)$/.test(name)).sort();
    });
  }

  protected override run<T>(operation: () => Promise<T>): Promise<T> {
    return this.#database.run(operation);
  }

  /** A damaged erasure is left out. Its tag is no longer refused, but the store gives notice of the damage. */
  protected async refresh(): Promise<void> {
    if (this.#isKnown) return;
    const [rows, siteKeys] = await this.#database.read((level) =>
      Promise.all([
        level.iterator(erasureRange).all(),
        // Not by its key: LevelDB merges a table that was searched for many keys in vain.
        level.iterator({ gte: siteKeyKey, lte: siteKeyKey }).all(),
      ]),
    );
    const { handle } = this.#database;
    const sound: KeptErasure[] = [];
    for (const [key, sealed] of rows)
      await handle.decoded(key, () => sound.push(decodeErasure(key, unseal(key, sealed))));
    for (const [key, sealed] of siteKeys)
      await handle.decoded(key, () => (this.index.key = decodeSiteKey(unseal(key, sealed))));
    this.index.replace(sound);
    this.#isKnown = true;
  }

  override async expire(now: Timestamp): Promise<number> {
    const expired = await super.expire(now);
    await this.#database.expireCopy(now);
    return expired;
  }

  protected change(decide: DecideErasures): Promise<void> {
    return this.#change(decide, []);
  }

  protected async eraseRows(tag: ErasedScans, end: DecideErasures): Promise<void> {
    await this.#database.lateWritesEnded();
    await eraseTag(this.#database, tag, (last) => this.#change(end, last));
  }

  protected async findTags(isWanted: (id: TallyId) => boolean): Promise<readonly TallyId[]> {
    await this.#database.lateWritesEnded();
    return findTags(this.#database, isWanted);
  }

  protected override scrubBytes(): Promise<boolean> {
    return this.#database.scrub((id) => this.index.of(id).length > 0);
  }

  /** Nobody else writes, so the changes are in the index before they are written. */
  async #change(decide: DecideErasures, erased: readonly Buffer[]): Promise<void> {
    const { index } = this;
    const { put = [], removed = [], told = [], key = index.key } = decide(index);
    const isNewKey = key !== index.key;
    for (const erasure of put) index.put(erasure);
    for (const erasure of removed) index.remove(erasure);
    index.key = key;
    const gone = [...erased, ...removed.map(erasureKey)];
    const keys = [...gone, ...put.map(erasureKey), ...(isNewKey ? [siteKeyKey] : [])];
    if (keys.length === 0) return;
    try {
      // An erasure must not be undone by going back to the copy.
      if (put.some(({ state }) => state === 'begun'))
        await this.#database.removeCopy('a person was erased since');
      await this.#database.write({
        keys,
        decide: (rows) => {
          for (const each of gone) rows.delete(each);
          for (const erasure of put) rows.put(erasureKey(erasure), encodeErasure(erasure));
          if (isNewKey) rows.put(siteKeyKey, Buffer.from(key, 'hex'));
          for (const digest of told) rows.tell({ kind: 'erased', digest });
        },
      });
    } catch (error) {
      // What was written, although the write failed, is known after this.
      this.#isKnown = false;
      await this.refresh().catch(() => undefined);
      throw error;
    }
  }
}
