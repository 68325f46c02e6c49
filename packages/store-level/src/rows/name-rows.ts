import {
  compareStamps,
  isTallybookError,
  NO_STAMP,
  type Name,
  type NameStamp,
  type StampedName,
} from '@tallybook/domain';
import { decodeName, decodeRow, encodeName } from './codec.js';
import type { NameKeys } from './keys.js';
import type { Rows } from './rows.js';
import { decodeStamp, encodeStamp } from './stamp-rows.js';

/*
 * The rows of a name: one with the name, if there is one, and one with its stamp, if there is one. A stamp alone is a removed
 * name.
 */

/** A name with its stamp; without a name, a removed one. */
type NewName = Pick<StampedName, 'name' | 'stamp'>;

/** Puts an encoded name, or removes it. If that changes anything, adds the change to the journal. */
export function setName(rows: Rows, { id, name }: NameKeys, value: Buffer | undefined): void {
  const wasThere = rows.has(name);
  const isChange = value === undefined ? rows.delete(name) : rows.put(name, value);
  if (!isChange) return;
  const action = value === undefined ? 'removed' : wasThere ? 'replaced' : 'added';
  rows.tell({ kind: 'name', id, action });
}

/** Puts a name with its stamp; `stamp: undefined` says that the time was unknown. */
export function setStampedName(rows: Rows, keys: NameKeys, { name, stamp }: NewName): void {
  setName(rows, keys, name && encodeName(name));
  // NO_STAMP needs no row.
  if (name !== undefined && stamp !== undefined && compareStamps(stamp, NO_STAMP) === 0)
    forgetStamp(rows, keys);
  else rows.put(keys.stamp, encodeStamp(stamp));
}

/** Removes the stamp of a name, present or removed. */
export function forgetStamp(rows: Rows, { stamp }: NameKeys): void {
  rows.delete(stamp);
}

/** The name of a tag; `undefined` if there is none, or it is damaged: a damaged name may be replaced. */
export function findName(rows: Rows, { name: key }: NameKeys): Name | undefined {
  return unlessDamaged(() => {
    const value = rows.get(key);
    return value && decodeRow(key, () => decodeName(value));
  });
}

/** The name of a tag with its stamp; `undefined` if there is neither. A damaged stamp counts as none: every other stamp is later. */
export function findStampedName(rows: Rows, keys: NameKeys): StampedName | undefined {
  const name = findName(rows, keys);
  const stamp = readStamp(rows, keys);
  const isNameDamaged = name === undefined && rows.has(keys.name);
  if (isNameDamaged || (name === undefined && stamp === undefined)) return undefined;
  return { id: keys.id, name, stamp: stamp === undefined ? NO_STAMP : stamp.stamp };
}

/** The stamp before the next stamp of a name; `undefined` if there is none. */
export function findStamp(rows: Rows, keys: NameKeys): NameStamp | undefined {
  return readStamp(rows, keys)?.stamp;
}

/** The stamp in its row, if the row is there and sound. */
function readStamp(rows: Rows, { stamp: key }: NameKeys): Pick<StampedName, 'stamp'> | undefined {
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
