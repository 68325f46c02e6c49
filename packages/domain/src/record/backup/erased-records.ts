import type { BackupRecord } from './backup.js';
import type { ErasureStore } from '../ports/erasure-store.js';
import { isCarriedErased, personAfterErasures } from '../erased-people.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import { afterErasure, type Erasure } from '../values/erasure.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type { TrustedTime } from '../../time/timekeeper.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';

/** The present time for an untrusted clock: then nothing lies in the future, and all data from after an erasure stays. */
const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** What a backup needs to know about erased persons. */
export interface ErasureDependencies {
  /** Without one, an older backup brings erased persons back, and a new backup holds no erasures. */
  readonly erasures?: Pick<ErasureStore, 'isRefused' | 'list' | 'add' | 'adoptKey'>;
  /** Without one, backups that hold persons are refused. */
  readonly people?: PeopleStore;
  /** Gives the time of a new backup. */
  readonly timekeeper?: TrustedTime;
}

/** Leaves out records of persons who were erased, while a backup is read record by record. */
export class ErasedRecords {
  /** When the backup was made, if it says so. */
  madeAt: Timestamp | undefined;
  /** How many records were left out, here and by stores. */
  refused = 0;
  readonly #parts: ErasureDependencies;
  /** The erasures of the backup that are not taken over yet. They come before all records that they concern. */
  #erasures: Erasure[] = [];

  constructor(parts: ErasureDependencies) {
    this.#parts = parts;
  }

  /** The part of a record that may be written; `undefined` if there is none. Rejects as the store does. */
  async sift(record: BackupRecord): Promise<BackupRecord | undefined> {
    if (record.kind === 'tallybook') this.madeAt = record.madeAt;
    const { erasures, timekeeper } = this.#parts;
    if (erasures === undefined) return record;
    if (record.kind === 'erasure') {
      this.#erasures.push(record.erasure);
      return undefined;
    }
    const [first] = this.#erasures;
    if (record.kind !== 'tallybook' && first !== undefined) {
      const trusted = timekeeper?.trust().isTrusted === true ? timekeeper.now() : NEVER;
      // A store without erasures goes on under a key of the backup, so that the backup of any store has room in it.
      await erasures.adoptKey(first.key);
      await erasures.add(this.#erasures, trusted);
      this.#erasures = [];
    }
    return this.siftAgain(record);
  }

  /**
   * Sifts a record once more, right before it is written: its person may have been erased since {@link sift}. It answers in the
   * same turn, so a later erasure finds the written record.
   */
  siftAgain<R extends BackupRecord>(record: R): R | undefined {
    if (this.#parts.erasures === undefined) return record;
    const sifted = this.#sift(record, this.#parts.erasures) as R | undefined;
    if (sifted === undefined) this.refused++;
    return sifted;
  }

  #sift(record: BackupRecord, store: Refusals): BackupRecord | undefined {
    switch (record.kind) {
      case 'name':
        return store.isRefused(record.id, this.madeAt) ? undefined : record;
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
        return store.isRefused(id, filing === undefined ? this.madeAt : filing.at) ? undefined : record;
      }
      case 'person': {
        const { people } = this.#parts;
        const person = people
          ? personAfterErasures(record.person, { people, erasures: store })
          : record.person;
        return person && { kind: 'person', person };
      }
      case 'carried': {
        const { people } = this.#parts;
        return people && isCarriedErased(record.row, { people, erasures: store }) ? undefined : record;
      }
      // The merge takes erased holders out, when it knows who is named here.
      case 'tag':
      case 'group':
      case 'tallybook':
      case 'erasure':
      case 'end':
        return record;
    }
  }
}
