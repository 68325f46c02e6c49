import { isTallybookError, type TallybookError } from '../../../errors.js';
import type { Day } from '../../../values/day.js';
import { nameOfErasure, type Erasure } from '../../../record/values/erasure.js';
import type { RefusedItem, ScanItem } from '../../values/sync.js';
import type { TallyId } from '../../../values/tally-id.js';
import type { MergeDependencies, MergeTerms } from './merge-parts.js';

const ERASED = 'the person was erased later';
/** The error of the store is not sent: it may hold personal data. */
const DAMAGED = 'its row at the centre is damaged; after a repair it is sent again';

type Numbered = Pick<RefusedItem, 'cursor'>;

/** Refused items of a batch, with reasons. */
export class Refusals {
  readonly #parts: Pick<MergeDependencies, 'erasures' | 'isRepairable'>;
  readonly #keepFrom: MergeTerms['keepFrom'];
  readonly #items: RefusedItem[] = [];
  /** The erasures to send to the station, because they refused an item or were cut. */
  readonly #erasures = new Map<string, Erasure>();

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
    this.#items.push({ cursor, code: 'TAG_ERASED', message: ERASED });
  }

  /** Refuses an erasure for which there is no room. */
  refuseErasure(
    { cursor }: Numbered,
    code: 'TOO_MANY_ERASURE_KEYS' | 'TOO_MANY_ERASURES',
    most: number,
  ): void {
    const what = code === 'TOO_MANY_ERASURES' ? 'erasures' : 'sites with erasures';
    const message = `no room for another erasure: the centre has ${most} ${what}; erase the person at the centre`;
    this.#items.push({ cursor, code, message });
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
