import { TallybookError } from '../../errors.js';
import type { Erasure } from './erasure.js';

/** Most keys of the erasures of a store: the first tap of each tag costs a digest for each. */
export const ERASURE_KEYS_MAX = 1_024;
/** So long as a centre has fewer, it takes more of its stations. The rest is for backups, and for what its stations have of their own. */
export const CENTRE_KEYS_MAX = 512;
/** Most that a centre takes of one station: it has one, and each device in its place has another. */
export const STATION_KEYS_MAX = 16;

/**
 * Requires that a store has room for the keys of erasures that are to be added.
 *
 * @param known Those that it has.
 * @throws {TallybookError} `TOO_MANY_ERASURE_KEYS`.
 */
export function requireRoomForKeys(
  known: ReadonlySet<string>,
  erasures: readonly Pick<Erasure, 'key'>[],
): void {
  const added = new Set(erasures.map(({ key }) => key).filter((key) => !known.has(key)));
  if (added.size === 0 || known.size + added.size <= ERASURE_KEYS_MAX) return;
  throw new TallybookError(
    'TOO_MANY_ERASURE_KEYS',
    `erasures of ${ERASURE_KEYS_MAX} devices can be kept: those of ${known.size} are here, and these are of ${added.size} more`,
    { details: { most: ERASURE_KEYS_MAX, known: known.size, added: added.size } },
  );
}
