import { isTallybookError, type TallybookError } from '../../../errors.js';
import type { Day } from '../../../values/day.js';
import type { Erasure } from '../../../record/values/erasure.js';
import {
  CENTRE_ERASURES_MAX,
  CENTRE_KEYS_MAX,
  STATION_KEYS_MAX,
} from '../../../record/values/erasure-keys.js';
import type { RefusedItem, ScanItem } from '../../values/sync.js';
import type { Timestamp } from '../../../values/timestamp.js';
import type { MergeDependencies, MergeTerms } from './merge-parts.js';

const ERASED = 'the person was erased later';
/** The error of the store is not sent: it may hold personal data. */
const DAMAGED = 'its row at the centre is damaged; after a repair it is sent again';
const NO_ROOM = 'the store of the centre has no room for another erasure';
const CONFLICT = 'its digest is here under another key: one of the two erasures is forged';

type Numbered = Pick<RefusedItem, 'cursor'>;
/** Codes of a store without room for erasures. */
export type RoomCode = 'TOO_MANY_ERASURE_KEYS' | 'TOO_MANY_ERASURES';

/** Refused items of a batch, with reasons. */
export class Refusals {
  readonly #parts: Pick<MergeDependencies, 'erasures' | 'isRepairable'>;
  readonly #keepFrom: MergeTerms['keepFrom'];
  readonly #items: RefusedItem[] = [];
  /**
   * The ends (`until`) of the erasures to send to the station, because they refused an item or were cut. The erasures are found
   * by their ends, since only the store can find an erasure by its tag.
   */
  readonly #moments = new Set<Timestamp>();

  constructor(
    parts: Pick<MergeDependencies, 'erasures' | 'isRepairable'>,
    { keepFrom }: Pick<MergeTerms, 'keepFrom'>,
  ) {
    this.#parts = parts;
    this.#keepFrom = keepFrom;
  }

  get items(): readonly RefusedItem[] {
    return this.#items;
  }

  /** The erasures to send to the station. */
  async erasures(): Promise<readonly Erasure[]> {
    const known = this.#moments.size === 0 ? [] : await this.#parts.erasures.list();
    return known
      .filter(({ until }) => this.#moments.has(until))
      .map(({ key, digest, until, expiresAt }) => ({ key, digest, until, expiresAt }));
  }

  /** Sends the erasures with this `until` to the station. */
  tellErasure(until: Timestamp): void {
    this.#moments.add(until);
  }

  refuseErased({ cursor }: Numbered, until: Timestamp): void {
    this.tellErasure(until);
    this.#items.push({ cursor, code: 'TAG_ERASED', message: ERASED });
  }

  /** Refuses an erasure because there is no room for its key. The station keeps it, and sends it again. */
  refuseKey({ cursor }: Numbered, present: number): void {
    const most =
      present >= CENTRE_KEYS_MAX
        ? `erasures of ${present} devices are here, and ${CENTRE_KEYS_MAX} are the most that stations can bring`
        : `this station has brought erasures of ${STATION_KEYS_MAX} devices, the most that one may`;
    const message = `no room for an erasure of another device: ${most}`;
    this.#items.push({ cursor, code: 'TOO_MANY_ERASURE_KEYS', message });
  }

  /** Refuses an erasure because there is no room for it. The station keeps it, and sends it again. */
  refuseErasure({ cursor }: Numbered, present: number): void {
    const message = `no room for another erasure: ${present} are here, and ${CENTRE_ERASURES_MAX} are the most that stations can bring`;
    this.#items.push({ cursor, code: 'TOO_MANY_ERASURES', message });
  }

  /**
   * Refuses an erasure that the store refused although its list shows room. The station keeps it, and sends it again.
   */
  refuseByStore({ cursor }: Numbered, code: RoomCode): void {
    this.#items.push({ cursor, code, message: NO_ROOM });
  }

  /**
   * Refuses an erasure whose digest is here under another key: one of the two is forged, and it is unknown which. The station
   * keeps it, and its health shows it.
   */
  refuseConflict({ cursor }: Numbered): void {
    this.#items.push({ cursor, code: 'ERASURE_CONFLICT', message: CONFLICT });
  }

  /** Whether the day of an item is still kept. If not, the item is refused. */
  isKept({ cursor, day }: Numbered & { readonly day: Day }): boolean {
    if (this.#keepFrom === undefined || day >= this.#keepFrom) return true;
    const message = `day ${day} is not kept here: the first one is ${this.#keepFrom}`;
    this.#items.push({ cursor, code: 'DAY_NOT_KEPT', message });
    return false;
  }

  /** Whether the person of a scan was erased after it. If so, the item is refused. */
  isErased(item: Numbered, { id, at }: Pick<ScanItem, 'id' | 'at'>): boolean {
    const until = this.#parts.erasures.refusedUntil(id);
    if (until === undefined || at > until) return false;
    this.refuseErased(item, until);
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
      if (error.code !== 'STORE_CORRUPT') this.#items.push({ cursor, code: 'TAG_ERASED', message: ERASED });
      else if (this.#parts.isRepairable === true) {
        this.#items.push({ cursor, code: 'STORE_CORRUPT', message: DAMAGED });
      } else throw error;
      return undefined;
    }
  }
}

/** Whether an error concerns one item only: a row is damaged, or a person was erased a moment ago. */
export function isOfOneItem(error: unknown): error is TallybookError {
  return isTallybookError(error, 'STORE_CORRUPT') || isTallybookError(error, 'INVALID_CORRECTION');
}
