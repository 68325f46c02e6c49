import type { BackupRecord } from './backup.js';
import type { ErasureStore } from '../ports/erasure-store.js';
import { afterErasure, type Erasure } from '../values/erasure.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type { TrustedTime } from '../../time/timekeeper.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';

/** The present time for an untrusted clock: then nothing lies in the future, and all data from after an erasure stays. */
const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** Leaves out records of persons who were erased, while a backup is read record by record. */
export class ErasedRecords {
  readonly #store: Pick<ErasureStore, 'isRefused' | 'add' | 'adoptKey'> | undefined;
  readonly #timekeeper: TrustedTime | undefined;
  /** The erasures of the backup that are not taken over yet. They come before all records that they concern. */
  #erasures: Erasure[] = [];
  #madeAt: Timestamp | undefined;
  #refused = 0;

  constructor(
    store: Pick<ErasureStore, 'isRefused' | 'add' | 'adoptKey'> | undefined,
    timekeeper: TrustedTime | undefined,
  ) {
    this.#store = store;
    this.#timekeeper = timekeeper;
  }

  /** When the backup was made, if it says so. */
  get madeAt(): Timestamp | undefined {
    return this.#madeAt;
  }

  /** How many records were left out. */
  get refused(): number {
    return this.#refused;
  }

  /** The part of a record that may be written; `undefined` if there is none. Rejects as the store does. */
  async sift(record: BackupRecord): Promise<BackupRecord | undefined> {
    if (record.kind === 'tallybook') this.#madeAt = record.madeAt;
    if (this.#store === undefined) return record;
    if (record.kind === 'erasure') {
      this.#erasures.push(record.erasure);
      return undefined;
    }
    const [first] = this.#erasures;
    if (record.kind !== 'tallybook' && first !== undefined) {
      const trusted = this.#timekeeper?.trust().isTrusted === true ? this.#timekeeper.now() : NEVER;
      // A store without erasures goes on under a key of the backup, so that the backup of any store has room in it.
      await this.#store.adoptKey(first.key);
      await this.#store.add(this.#erasures, trusted);
      this.#erasures = [];
    }
    const sifted = this.#sift(record, this.#store);
    if (sifted === undefined) this.#refused++;
    return sifted;
  }

  /** Counts a record that a store has left out. */
  refuse(): void {
    this.#refused++;
  }

  /**
   * Sifts a record once more, right before it is written: its person may have been erased since {@link sift}. It answers in the
   * same turn, so a later erasure finds the written record.
   */
  siftAgain<R extends BackupRecord>(record: R): R | undefined {
    if (this.#store === undefined) return record;
    const sifted = this.#sift(record, this.#store) as R | undefined;
    if (sifted === undefined) this.#refused++;
    return sifted;
  }

  #sift(record: BackupRecord, store: Refusals): BackupRecord | undefined {
    switch (record.kind) {
      case 'name':
        return store.isRefused(record.id, this.#madeAt) ? undefined : record;
      case 'entry': {
        const entry = afterErasure(record.entry, (at) => store.isRefused(record.entry.id, at));
        return entry && { ...record, entry };
      }
      case 'correction': {
        const { id, at } = record.correction;
        return store.isRefused(id, at) ? undefined : record;
      }
      case 'provisional': {
        const { id, filing } = record.scan;
        return store.isRefused(id, filing === undefined ? this.#madeAt : filing.at) ? undefined : record;
      }
      case 'tallybook':
      case 'erasure':
      case 'end':
        return record;
    }
  }
}
