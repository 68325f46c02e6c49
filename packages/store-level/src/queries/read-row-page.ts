import type { RawLevel } from '../level/raw-level.js';
import { decodeRow } from '../rows/codec.js';
import type { PeopleRowKind } from '../rows/people-rows.js';
import { unseal } from '../rows/seal.js';
import type { RawSnapshot } from './read-day.js';

/** Bytes of rows after which a page ends, even if it has fewer rows than `limit`. */
const PAGE_BYTES = 65_536;

/** Reads the rows after an id, ascending, at most `limit`; empty only after the last one. */
export async function readRowPage<Id extends string, T>(
  level: RawLevel,
  { range, keyOf, decode }: Pick<PeopleRowKind<Id, T>, 'range' | 'keyOf' | 'decode'>,
  page: { readonly after: Id | undefined; readonly limit: number; readonly snapshot?: RawSnapshot },
): Promise<readonly T[]> {
  const { after, limit, snapshot } = page;
  const part = after === undefined ? range : { gt: keyOf(after), lt: range.lt };
  await using rows = level.iterator({ ...part, snapshot, highWaterMarkBytes: PAGE_BYTES });
  const found = await rows.nextv(limit);
  return found.map(([key, sealed]) => decodeRow(key, () => decode(key, unseal(key, sealed))));
}
