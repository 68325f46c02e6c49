import { TallybookError } from '../../errors.js';
import type { Erasure } from './erasure.js';

/** Most keys of the erasures of a store: the first tap of each tag costs a digest for each. */
export const ERASURE_KEYS_MAX = 1_024;
/** So long as a centre has fewer, it takes more of its stations. The rest is for backups, and for what its stations have of their own. */
export const CENTRE_KEYS_MAX = 512;
/** Most that a centre takes of one station: it has one, and each device in its place has another. */
export const STATION_KEYS_MAX = 16;

/** Most erasures of a store: each is held in memory. */
export const ERASURES_MAX = 100_000;
/** So long as a centre has fewer, it takes more of its stations. The rest is for those that are made there, and for backups. */
export const CENTRE_ERASURES_MAX = 50_000;

/** How much of a store a caller may fill. */
export interface ErasureRoom {
  /** Most keys that the store has then. */
  readonly keys: number;
  /** Most erasures that it has then. */
  readonly erasures: number;
}

/** All that a store has. */
export const STORE_ROOM: ErasureRoom = Object.freeze({ keys: ERASURE_KEYS_MAX, erasures: ERASURES_MAX });
/** What stations may fill of the store of their centre. */
export const CENTRE_ROOM: ErasureRoom = Object.freeze({
  keys: CENTRE_KEYS_MAX,
  erasures: CENTRE_ERASURES_MAX,
});

type ErasureName = Pick<Erasure, 'key' | 'digest'>;

/**
 * Room for a backup or another copy of what a store has: at least for all of it, since it may be from before there were such bounds, and
 * whoever cannot restore it loses the record too.
 */
export function roomForCopy(erasures: readonly ErasureName[]): ErasureRoom {
  return {
    keys: Math.max(STORE_ROOM.keys, new Set(erasures.map(({ key }) => key)).size),
    erasures: Math.max(STORE_ROOM.erasures, new Set(erasures.map(({ digest }) => digest)).size),
  };
}

/** What a store has, such as an `ErasureIndex`. */
export interface KnownErasures {
  readonly keys: ReadonlySet<string>;
  readonly size: number;
  has(name: ErasureName): boolean;
}

/**
 * Requires that there is room for erasures that are to be added. Those that are there take none.
 *
 * @param known Those that the store has.
 * @throws {TallybookError} `TOO_MANY_ERASURE_KEYS` or `TOO_MANY_ERASURES`.
 */
export function requireRoom(
  known: KnownErasures,
  erasures: readonly ErasureName[],
  room: ErasureRoom = STORE_ROOM,
): void {
  const added = erasures.filter((each) => !known.has(each));
  const keys = new Set(added.map(({ key }) => key).filter((key) => !known.keys.has(key)));
  if (keys.size > 0 && known.keys.size + keys.size > room.keys) {
    const details = { most: room.keys, known: known.keys.size, added: keys.size };
    throw new TallybookError(
      'TOO_MANY_ERASURE_KEYS',
      `erasures of ${details.most} devices can be kept: those of ${details.known} are here, and these are of ${details.added} more`,
      { details },
    );
  }
  const digests = new Set(added.map(({ digest }) => digest));
  if (digests.size > 0 && known.size + digests.size > room.erasures) {
    const details = { most: room.erasures, known: known.size, added: digests.size };
    throw new TallybookError(
      'TOO_MANY_ERASURES',
      `${details.most} erasures can be kept: ${details.known} are here, and these are ${details.added} more; each goes after 400 days`,
      { details },
    );
  }
}
