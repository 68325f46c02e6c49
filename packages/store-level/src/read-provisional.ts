import type { ProvisionalScan } from '@tallybook/domain';
import { decodeProvisional, decodeRow } from './codec.js';
import { provisionalRange, sequenceOfKey } from './keys.js';
import type { RawLevel } from './raw-level.js';
import type { RawSnapshot } from './read-day.js';
import { unseal } from './seal.js';

/** All provisional scans, ascending by sequence. */
export async function readProvisional(
  level: RawLevel,
  snapshot?: RawSnapshot,
): Promise<readonly ProvisionalScan[]> {
  const rows = await level.iterator({ ...provisionalRange, snapshot }).all();
  // The order of the keys is that of the sequences.
  return rows.map(([key, value]) =>
    decodeRow(key, () => decodeProvisional(sequenceOfKey(key), unseal(key, value))),
  );
}
