import type { Mapping } from '@tallybook/domain';
import { decodeName, decodeRow } from './codec.js';
import { idOfNameKey, nameRange } from './keys.js';
import type { RawLevel } from './raw-level.js';
import type { RawSnapshot } from './read-day.js';
import { unseal } from './seal.js';

/** All names. */
export async function readNames(level: RawLevel, snapshot?: RawSnapshot): Promise<Mapping> {
  const rows = await level.iterator({ ...nameRange, snapshot }).all();
  // The order of the keys is that of the ids.
  return new Map(
    rows.map(([key, value]) => decodeRow(key, () => [idOfNameKey(key), decodeName(unseal(key, value))])),
  );
}
