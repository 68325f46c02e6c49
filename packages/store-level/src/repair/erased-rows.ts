import { ErasureIndex, type KeptErasure } from '@tallybook/domain/record';
import { decodeErasure } from '../rows/erasure-rows.js';
import { tagsOfRow } from '../rows/tag-of-row.js';
import type { SalvagedRow } from './salvage.js';
import { tagDigests } from '../rows/tag-digests.js';

type Dated = KeptErasure & { readonly sequence: number };

/** Recognises the rows of a damaged store that are of erased persons: rows older than the row of the erasure. */
export class ErasedRows {
  readonly #index: ErasureIndex<Dated>;

  /** @param rows The rows of all erasures. */
  constructor(rows: readonly SalvagedRow[]) {
    this.#index = new ErasureIndex(
      tagDigests,
      rows.map(({ key, value, sequence }) => ({ ...decodeErasure(key, value), sequence })),
    );
  }

  /**
   * Whether a row must not come back. Rows that were written after the erasure, or are about a later time, belong to the present
   * holder of the tag.
   */
  has({ key, value, sequence }: SalvagedRow): boolean {
    if (this.#index.isEmpty) return false;
    return tagsOfRow(key, value).some(({ id, at }) =>
      this.#index
        .of(id)
        .some(
          (erasure) =>
            sequence <= erasure.sequence && (at === undefined || (erasure.from <= at && at <= erasure.until)),
        ),
    );
  }
}
