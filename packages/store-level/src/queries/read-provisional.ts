import { isTallybookError, type ProvisionalScan, type TallybookError } from '@tallybook/domain';
import { decodeProvisional, decodeRow } from '../rows/codec.js';
import { decodeInTurns } from './decode-in-turns.js';
import { provisionalRange, sequenceOfKey } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import type { RawSnapshot } from './read-day.js';
import { unseal } from '../rows/seal.js';

/**
 * All provisional scans, ascending by sequence.
 *
 * @param goBy Called for each damaged row, which is left out. Default: a damaged row makes the whole read fail.
 */
export async function readProvisional(
  level: RawLevel,
  snapshot?: RawSnapshot,
  goBy: (error: TallybookError) => void = refuse,
): Promise<readonly ProvisionalScan[]> {
  const rows = await level.iterator({ ...provisionalRange, snapshot }).all();
  // The keys have the order of the sequences.
  const scans = await decodeInTurns(rows, ([key, value]) => {
    try {
      return [decodeRow(key, () => decodeProvisional(sequenceOfKey(key), unseal(key, value)))];
    } catch (error) {
      if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
      goBy(error);
      return [];
    }
  });
  return scans.flat();
}

function refuse(error: TallybookError): never {
  throw error;
}
