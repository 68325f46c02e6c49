import type { Association, Mapping, TallyId } from '@tallybook/domain';
import { decodeName, decodeRow } from '../rows/codec.js';
import { decodeInTurns } from './decode-in-turns.js';
import { idOfNameKey, nameKey, nameRange } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import type { RawSnapshot } from './read-day.js';
import { unseal } from '../rows/seal.js';

type NameRow = readonly [key: Buffer, value: Buffer];

/** Bytes of rows after which a page ends, even if it has fewer names than `limit`. */
const PAGE_BYTES = 65_536;

/** All names. */
export async function readNames(level: RawLevel): Promise<Mapping> {
  const rows = await level.iterator(nameRange).all();
  // The keys have the order of the ids.
  return new Map(await decodeInTurns(rows, decodeAssociation));
}

/** The names after a tag in the order of the ids, at most `limit`; empty only after the last name. */
export async function readNamePage(
  level: RawLevel,
  snapshot: RawSnapshot,
  after: TallyId | undefined,
  limit: number,
): Promise<readonly Association[]> {
  const range = after === undefined ? nameRange : { gt: nameKey(after), lt: nameRange.lt };
  const rows = level.iterator({ ...range, snapshot, highWaterMarkBytes: PAGE_BYTES });
  try {
    return (await rows.nextv(limit)).map(decodeAssociation);
  } finally {
    await rows.close();
  }
}

function decodeAssociation([key, value]: NameRow): Association {
  return decodeRow(key, () => [idOfNameKey(key), decodeName(unseal(key, value))]);
}
