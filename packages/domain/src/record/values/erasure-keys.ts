import { TallybookError } from '../../errors.js';
import type { ErasureIndex } from './erasure-index.js';
import { nameOfErasure, type Erasure, type ErasureName } from './erasure.js';

/** Maximum number of keys in a store, its own included: the first tap of each tag costs a digest for each key. */
export const ERASURE_KEYS_MAX = 64;
/** Maximum number of erasures in a store: each is held in memory. */
export const ERASURES_MAX = 100_000;
/**
 * A centre with this many erasures takes no more from its stations. The rest is for erasures that are made at the centre, and
 * for backups.
 */
export const CENTRE_ERASURES_MAX = 50_000;

/**
 * Requires room for more erasures. Present erasures need no room.
 *
 * @throws {TallybookError} `TOO_MANY_ERASURE_KEYS` or `TOO_MANY_ERASURES`.
 */
export function requireRoom<E extends Erasure>(
  known: ErasureIndex<E>,
  erasures: readonly ErasureName[],
): void {
  const added = erasures.filter((each) => known.get(each) === undefined);
  const keys = new Set(added.map(({ key }) => key).filter((key) => !known.keys.has(key)));
  if (keys.size > 0 && known.keys.size + keys.size > ERASURE_KEYS_MAX) {
    const details = { most: ERASURE_KEYS_MAX, known: known.keys.size, added: keys.size };
    throw new TallybookError(
      'TOO_MANY_ERASURE_KEYS',
      `a store keeps erasures of at most ${details.most} sites: it has those of ${details.known}, and ${details.added} more would be added`,
      { details },
    );
  }
  const names = new Set(added.map(nameOfErasure));
  if (names.size > 0 && known.size + names.size > ERASURES_MAX) {
    const details = { most: ERASURES_MAX, known: known.size, added: names.size };
    throw new TallybookError(
      'TOO_MANY_ERASURES',
      `a store keeps at most ${details.most} erasures: it has ${details.known}, and ${details.added} more would be added; each ends after 400 days`,
      { details },
    );
  }
}
