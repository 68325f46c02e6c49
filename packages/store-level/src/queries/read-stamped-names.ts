import { compareTallyIds, isTallybookError, type TallybookError, type TallyId } from '@tallybook/domain';
import { NO_STAMP, type Stamp, type StampedName } from '@tallybook/domain';
import { decodeName, decodeRow } from '../rows/codec.js';
import { idOfNameKey, idOfStampKey, nameKey, nameRange, stampKey, stampRange } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import type { RawSnapshot } from './read-day.js';
import { unseal } from '../rows/seal.js';
import { decodeStamp } from '../rows/name-rows.js';

export interface StampReading {
  /** Reads rows as they were at one moment, one call at a time. */
  readonly read: <T>(work: (level: RawLevel, snapshot: RawSnapshot) => Promise<T>) => Promise<T>;
  /** Called for each damaged stamp. A damaged stamp counts as no stamp. */
  readonly goBy: (error: TallybookError) => void;
}

/** The stamped names of these ids, in their order. Rejects with `STORE_CORRUPT` if a name is damaged. */
export async function readStampedNames(
  reading: StampReading,
  ids: readonly TallyId[],
): Promise<readonly StampedName[]> {
  const rowsOf = (keyOf: (id: TallyId) => Buffer): Promise<readonly (Buffer | undefined)[]> =>
    reading.read((level, snapshot) => level.getMany(ids.map(keyOf), { snapshot }));
  const names = await rowsOf(nameKey);
  const stamps = await rowsOf(stampKey);
  return ids.flatMap((id, index) => toStampedName(id, names[index], stamps[index], reading));
}

/**
 * The stamped names after a tag, ascending by id: `limit` of them, fewer only at the end. Rejects as {@link readStampedNames}
 * does.
 */
export async function readStampedPage(
  reading: StampReading,
  after: TallyId | undefined,
  limit: number,
): Promise<readonly StampedName[]> {
  const rowsOf = async (
    range: typeof nameRange,
    keyOf: (id: TallyId) => Buffer,
    idOf: (key: Buffer) => TallyId,
  ): Promise<ReadonlyMap<TallyId, Buffer>> => {
    const rest = after === undefined ? range : { gt: keyOf(after), lt: range.lt };
    const rows = await reading.read((level, snapshot) => level.iterator({ ...rest, limit, snapshot }).all());
    return new Map(rows.map(([key, sealed]) => [decodeRow(key, () => idOf(key)), sealed]));
  };
  const names = await rowsOf(nameRange, nameKey, idOfNameKey);
  const stamps = await rowsOf(stampRange, stampKey, idOfStampKey);
  // The first names and the first stamps were read, so the first ids of both together are among them.
  const ids = [...new Set([...names.keys(), ...stamps.keys()])].sort(compareTallyIds).slice(0, limit);
  return ids.flatMap((id) => toStampedName(id, names.get(id), stamps.get(id), reading));
}

/** Empty if the tag has neither a name nor a stamp. */
function toStampedName(
  id: TallyId,
  name: Buffer | undefined,
  stamp: Buffer | undefined,
  { goBy }: StampReading,
): readonly StampedName[] {
  if (name === undefined && stamp === undefined) return [];
  const key = nameKey(id);
  return [
    {
      id,
      name: name && decodeRow(key, () => decodeName(unseal(key, name))),
      stamp: stamp === undefined ? NO_STAMP : stampOf(id, stamp, goBy),
    },
  ];
}

function stampOf(id: TallyId, sealed: Buffer, goBy: StampReading['goBy']): Stamp | undefined {
  const key = stampKey(id);
  try {
    return decodeRow(key, () => decodeStamp(unseal(key, sealed)));
  } catch (error) {
    if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
    goBy(error);
    return NO_STAMP;
  }
}
