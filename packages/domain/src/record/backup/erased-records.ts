import type { BackupRecord } from './backup.js';
import type { ErasureStore } from '../ports/erasure-store.js';
import { afterErasure, isOfErased, type Erasure } from '../values/erasure.js';
import { roomForCopy } from '../values/erasure-keys.js';
import type { TrustedTime } from '../../time/timekeeper.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';

/** The present time for an untrusted clock: then nothing lies in the future, and all data from after an erasure stays. */
const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** Leaves out records of persons who were erased, while a backup is read record by record. */
export class ErasedRecords {
  readonly #store: Pick<ErasureStore, 'refusedUntil' | 'add'> | undefined;
  readonly #timekeeper: TrustedTime | undefined;
  /** The erasures of the backup that are not taken over yet. They come before all records that they concern. */
  #erasures: Erasure[] = [];
  #madeAt: Timestamp | undefined;
  #refused = 0;

  constructor(
    store: Pick<ErasureStore, 'refusedUntil' | 'add'> | undefined,
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
    if (record.kind !== 'tallybook' && this.#erasures.length > 0) {
      const trusted = this.#timekeeper?.trust().isTrusted === true ? this.#timekeeper.now() : NEVER;
      await this.#store.add(this.#erasures, trusted, roomForCopy(this.#erasures));
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

  #sift(record: BackupRecord, store: Pick<ErasureStore, 'refusedUntil'>): BackupRecord | undefined {
    switch (record.kind) {
      case 'name':
        return isOfErased(this.#madeAt, store.refusedUntil(record.id)) ? undefined : record;
      case 'entry': {
        const entry = afterErasure(record.entry, store.refusedUntil(record.entry.id));
        return entry && { ...record, entry };
      }
      case 'correction': {
        const { id, at } = record.correction;
        return isOfErased(at, store.refusedUntil(id)) ? undefined : record;
      }
      case 'provisional': {
        const { id, filing } = record.scan;
        const until = store.refusedUntil(id);
        return isOfErased(filing === undefined ? this.#madeAt : filing.at, until) ? undefined : record;
      }
      case 'tallybook':
      case 'erasure':
      case 'end':
        return record;
    }
  }
}
