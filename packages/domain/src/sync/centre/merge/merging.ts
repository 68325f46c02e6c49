import type { CorrectionStore } from '../../../record/ports/correction-store.js';
import type { Cursor } from '../../../ports/record/journal.js';
import type { Day } from '../../../values/day.js';
import type { DayStore } from '../../../ports/record/day-store.js';
import type { GuestLimit } from '../../../record/guest-limit.js';
import type { ErasureStore } from '../../../record/ports/erasure-store.js';
import type { LookUpParts } from '../../items/look-up-tags.js';
import type { RefusedItem, ScanItem, SyncItem } from '../../values/sync.js';
import type { PeopleStore } from '../../../ports/people/people-store.js';
import type { StampedNames } from '../../ports/stamped-names.js';
import type { SyncNotes } from '../../sync-notes.js';
import type { TallyId } from '../../../values/tally-id.js';
import type { TrustedTime } from '../../../time/timekeeper.js';
import { isTallybookError, type TallybookError } from '../../../errors.js';
import { nameOfErasure, type Erasure } from '../../../record/values/erasure.js';

export interface MergeDependencies extends Pick<LookUpParts, 'clock' | 'pause'> {
  /** The record without corrections: not a `CorrectedDayStore`. */
  readonly days: DayStore;
  readonly stamped: StampedNames;
  readonly people?: PeopleStore | undefined;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'isRefused' | 'of' | 'add' | 'shorten' | 'list' | 'key'>;
  readonly timekeeper: TrustedTime;
  /** Whether a second person has to approve corrections here. Default: false. */
  readonly needsApproval?: boolean;
  /**
   * Whether a repair of these stores makes each station send its record again. Only then are items for a damaged row refused,
   * because otherwise no station would send them again. Default: false.
   */
  readonly isRepairable?: boolean;
}

/** Conditions for merging a batch. */
export interface MergeTerms {
  /** The cursor up to which the station was acknowledged before. */
  readonly acknowledged: Cursor;
  /** Days before this one are refused. */
  readonly keepFrom: Day | undefined;
  /** Guests before it whom nobody here knows are refused. */
  readonly guests?: GuestLimit | undefined;
  /**
   * Notes each change as soon as it is made. If a later change fails, the batch comes again; then the earlier changes
   * change nothing, and are not noted.
   */
  readonly notes: Pick<SyncNotes, 'note'>;
}

/** Shared by the merges of all kinds of items. */
export interface Merging {
  readonly parts: MergeDependencies;
  readonly terms: MergeTerms;
  readonly refusals: Refusals;
}

/** The items of a kind. */
export type Of<K extends SyncItem['kind']> = Extract<SyncItem, { readonly kind: K }>;

const ERASED = 'the person was erased later';
/** The error of the store is not sent: it may hold personal data. */
const DAMAGED = 'its row at the centre is damaged; after a repair it is sent again';

type Numbered = Pick<RefusedItem, 'cursor'>;

/** Refused items of a batch, with reasons. */
export class Refusals {
  readonly #parts: Pick<MergeDependencies, 'erasures' | 'isRepairable'>;
  readonly #keepFrom: Day | undefined;
  readonly items: RefusedItem[] = [];
  /** The erasures to send to the station, because they refused an item or were cut. */
  readonly #erasures = new Map<string, Erasure>();

  constructor(parts: MergeDependencies, { keepFrom }: MergeTerms) {
    this.#parts = parts;
    this.#keepFrom = keepFrom;
  }

  get erasures(): readonly Erasure[] {
    return [...this.#erasures.values()];
  }

  /** Sends an erasure to the station. */
  tellErasure(erasure: Erasure): void {
    this.#erasures.set(nameOfErasure(erasure), erasure);
  }

  /** @param ids The erased tags of the item. */
  refuseErased({ cursor }: Numbered, ...ids: readonly TallyId[]): void {
    for (const id of ids) for (const erasure of this.#parts.erasures.of(id)) this.tellErasure(erasure);
    this.items.push({ cursor, code: 'TAG_ERASED', message: ERASED });
  }

  /** Refuses an erasure for which there is no room. */
  refuseErasure(
    { cursor }: Numbered,
    code: 'TOO_MANY_ERASURE_KEYS' | 'TOO_MANY_ERASURES',
    most: number,
  ): void {
    const what = code === 'TOO_MANY_ERASURES' ? 'erasures' : 'sites with erasures';
    const message = `no room for another erasure: the centre has ${most} ${what}; erase the person at the centre`;
    this.items.push({ cursor, code, message });
  }

  /** Refuses a person or a timeline, because the storage here knows none. */
  refusePerson({ cursor }: Numbered): void {
    this.items.push({ cursor, code: 'INVALID_SYNC', message: 'the centre has no store of persons' });
  }

  /** Whether the day of an item is still kept. If not, the item is refused. */
  isKept({ cursor, day }: Numbered & { readonly day: Day }): boolean {
    if (this.#keepFrom === undefined || day >= this.#keepFrom) return true;
    const message = `day ${day} is not kept here: the first one is ${this.#keepFrom}`;
    this.items.push({ cursor, code: 'DAY_NOT_KEPT', message });
    return false;
  }

  /** Whether the person of a scan was erased after it. If so, the item is refused. */
  isErased(item: Numbered, { id, at }: Pick<ScanItem, 'id' | 'at'>): boolean {
    if (!this.#parts.erasures.isRefused(id, at)) return false;
    this.refuseErased(item, id);
    return true;
  }

  /**
   * Writes an item. Refuses it if its row is damaged and can be repaired, or if another server has erased its person meanwhile.
   */
  async unlessDamaged<T>({ cursor }: Numbered, write: () => Promise<T>): Promise<T | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!isOfOneItem(error)) throw error;
      if (error.code !== 'STORE_CORRUPT') this.items.push({ cursor, code: 'TAG_ERASED', message: ERASED });
      else if (this.#parts.isRepairable === true) {
        this.items.push({ cursor, code: 'STORE_CORRUPT', message: DAMAGED });
      } else throw error;
      return undefined;
    }
  }
}

/** Whether an error concerns one item only: a row is damaged, or a person was erased a moment ago. */
export function isOfOneItem(error: unknown): error is TallybookError {
  return isTallybookError(error, 'STORE_CORRUPT') || isTallybookError(error, 'INVALID_CORRECTION');
}
