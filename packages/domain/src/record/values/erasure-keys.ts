import { TallybookError } from '../../errors.js';
import type { Erasure } from './erasure.js';

/** Maximum number of erasure keys in a store: the first tap of each tag costs a digest for each key. */
export const ERASURE_KEYS_MAX = 1_024;
/**
 * A centre with this many keys takes no more from its stations. The rest is for backups, and for the keys that its stations made
 * themselves.
 */
export const CENTRE_KEYS_MAX = 512;
/**
 * Maximum number of keys that a centre takes from one station: it has one, and each device that replaces it has
 * another.
 */
export const STATION_KEYS_MAX = 16;

/** Maximum number of erasures in a store: each is held in memory. */
export const ERASURES_MAX = 100_000;
/**
 * A centre with this many erasures takes no more from its stations. The rest is for erasures that are made at the centre, and
 * for backups.
 */
export const CENTRE_ERASURES_MAX = 50_000;

/** How far a caller may fill a store. */
export interface ErasureRoom {
  /** Maximum number of keys in the store afterwards. */
  readonly keys: number;
  /** Maximum number of erasures in the store afterwards. */
  readonly erasures: number;
}

/** All the room of a store. */
const STORE_ROOM: ErasureRoom = Object.freeze({ keys: ERASURE_KEYS_MAX, erasures: ERASURES_MAX });
/** The room for stations in the store of their centre. */
export const CENTRE_ROOM: ErasureRoom = Object.freeze({
  keys: CENTRE_KEYS_MAX,
  erasures: CENTRE_ERASURES_MAX,
});

type ErasureName = Pick<Erasure, 'key' | 'digest'>;

/**
 * Room for a backup or another copy of a store: always enough for all of its erasures. The copy may be older than these bounds,
 * and a copy that cannot be restored loses the record too.
 */
export function roomForCopy(erasures: readonly ErasureName[]): ErasureRoom {
  return {
    keys: Math.max(STORE_ROOM.keys, new Set(erasures.map(({ key }) => key)).size),
    erasures: Math.max(STORE_ROOM.erasures, new Set(erasures.map(({ digest }) => digest)).size),
  };
}

/** The erasures of a store, such as an `ErasureIndex`. */
export interface KnownErasures {
  readonly keys: ReadonlySet<string>;
  readonly size: number;
  has(name: ErasureName): boolean;
}

/**
 * Requires room for more erasures. Present erasures need no room.
 *
 * @param known The erasures of the store.
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
      `a store keeps erasures of at most ${details.most} devices: it has those of ${details.known}, and ${details.added} more would be added`,
      { details },
    );
  }
  const digests = new Set(added.map(({ digest }) => digest));
  if (digests.size > 0 && known.size + digests.size > room.erasures) {
    const details = { most: room.erasures, known: known.size, added: digests.size };
    throw new TallybookError(
      'TOO_MANY_ERASURES',
      `a store keeps at most ${details.most} erasures: it has ${details.known}, and ${details.added} more would be added; each ends after 400 days`,
      { details },
    );
  }
}
