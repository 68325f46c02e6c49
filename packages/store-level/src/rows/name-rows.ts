import {
  compareStamps,
  isTallybookError,
  NO_STAMP,
  type Name,
  type NameStamp,
  type StampedName,
  type TallyId,
} from '@tallybook/domain';
import { decodeName, decodeRow, encodeName } from './codec.js';
import { nameKey, stampKey } from './keys.js';
import type { Rows } from './rows.js';
import { decodeStamp, encodeStamp } from './stamp-rows.js';

/*
 * How a name lies in rows: one with the name, if there is one, and one with its stamp, if there is one. The second alone is a
 * name that was removed.
 */

/** Puts an encoded name, or removes it, and tells the journal if that changes anything. */
export function setName(rows: Rows, id: TallyId, value: Buffer | undefined): void {
  const key = nameKey(id);
  const wasThere = rows.has(key);
  const isChange = value === undefined ? rows.delete(key) : rows.put(key, value);
  if (!isChange) return;
  const action = value === undefined ? 'removed' : wasThere ? 'replaced' : 'added';
  rows.tell({ kind: 'name', id, action });
}

/** Puts a name with its stamp; `stamp: undefined` says that nobody knew the time. */
export function setStampedName(rows: Rows, { id, name, stamp }: StampedName): void {
  setName(rows, id, name && encodeName(name));
  // A name with NO_STAMP needs no row for it.
  if (name !== undefined && stamp !== undefined && compareStamps(stamp, NO_STAMP) === 0)
    forgetStamp(rows, id);
  else rows.put(stampKey(id), encodeStamp(stamp));
}

/** Removes the stamp of a name, present or removed. */
export function forgetStamp(rows: Rows, id: TallyId): void {
  rows.delete(stampKey(id));
}

/** The name of a tag; `undefined` if there is none, or it is damaged, since a damaged one may be replaced. */
export function findName(rows: Rows, id: TallyId): Name | undefined {
  const key = nameKey(id);
  return unlessDamaged(() => {
    const value = rows.get(key);
    return value && decodeRow(key, () => decodeName(value));
  });
}

/** The name of a tag with its stamp; `undefined` without both. A damaged one counts as none: every other one is later. */
export function findStampedName(rows: Rows, id: TallyId): StampedName | undefined {
  const name = findName(rows, id);
  const stamp = readStamp(rows, id);
  const isNameDamaged = name === undefined && rows.has(nameKey(id));
  if (isNameDamaged || (name === undefined && stamp === undefined)) return undefined;
  return { id, name, stamp: stamp === undefined ? NO_STAMP : stamp.stamp };
}

/** The stamp that the next stamp of a name must follow; `undefined` if there is none. */
export function findStamp(rows: Rows, id: TallyId): NameStamp | undefined {
  return readStamp(rows, id)?.stamp;
}

/** The stamp in the row of a stamp, if there is a sound one. */
function readStamp(rows: Rows, id: TallyId): Pick<StampedName, 'stamp'> | undefined {
  const key = stampKey(id);
  return unlessDamaged(() => {
    const value = rows.get(key);
    return value && { stamp: decodeRow(key, () => decodeStamp(value)) };
  });
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
    throw error;
  }
}
