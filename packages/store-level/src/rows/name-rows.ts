import {
  compareStamps,
  NO_STAMP,
  type Name,
  type Stamp,
  type StampedName,
  type TallyId,
} from '@tallybook/domain';
import { decodeName, decodeRow, encodeName, unlessDamaged } from './codec.js';
import { nameKey, stampKey } from './keys.js';
import type { Rows } from './rows.js';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';

/*
 * The rows of a name: one with the name, if there is one, and one with its stamp, if there is one. A stamp alone is a removed
 * name.
 */

/** Puts an encoded name, or removes it. If that changes anything, adds the change to the journal. */
function setName(rows: Rows, id: TallyId, value: Buffer | undefined): void {
  const key = nameKey(id);
  const wasThere = rows.has(key);
  const isChange = value === undefined ? rows.delete(key) : rows.put(key, value);
  if (!isChange) return;
  const action = value === undefined ? 'removed' : wasThere ? 'replaced' : 'added';
  rows.tell({ kind: 'name', id, action });
}

/** Puts a name with its stamp; `stamp: undefined` says that the time was unknown. */
export function setStampedName(rows: Rows, { id, name, stamp }: StampedName): void {
  setName(rows, id, name && encodeName(name));
  // NO_STAMP needs no row.
  if (name !== undefined && stamp !== undefined && compareStamps(stamp, NO_STAMP) === 0)
    rows.delete(stampKey(id));
  else rows.put(stampKey(id), encodeStamp(stamp));
}

/** Removes a name with its stamp. */
export function forgetName(rows: Rows, id: TallyId): void {
  setName(rows, id, undefined);
  rows.delete(stampKey(id));
}

export function keysOfNames(ids: Iterable<TallyId>): Buffer[] {
  return [...ids].flatMap((id) => [nameKey(id), stampKey(id)]);
}

/** A name in its rows as they were found. It is decoded when it is asked for: most writes replace it unread. */
class FoundName {
  readonly stamp: Stamp | undefined;
  readonly hasName: boolean;
  readonly #key: Buffer;
  readonly #value: Buffer | undefined;

  constructor(key: Buffer, value: Buffer | undefined, hasName: boolean, stamp: Stamp | undefined) {
    this.#key = key;
    this.#value = value;
    this.hasName = hasName;
    this.stamp = stamp;
  }

  get name(): Name | undefined {
    const value = this.#value;
    return value && unlessDamaged(() => decodeRow(this.#key, () => decodeName(value)));
  }
}

/** The name of a tag, or its removal; `undefined` if there is neither. A damaged stamp counts as none: every other stamp is later. */
export function findName(rows: Rows, id: TallyId): FoundName | undefined {
  const key = nameKey(id);
  const hasName = rows.has(key);
  const stamp = stampIn(rows, id);
  if (!hasName && stamp === undefined) return undefined;
  const value = hasName ? unlessDamaged(() => rows.get(key)) : undefined;
  return new FoundName(key, value, hasName, stamp === undefined ? NO_STAMP : stamp.stamp);
}

/** The stamp in its row, if the row is there and sound. */
function stampIn(rows: Rows, id: TallyId): Pick<StampedName, 'stamp'> | undefined {
  const key = stampKey(id);
  return unlessDamaged(() => {
    const value = rows.get(key);
    return value && { stamp: decodeRow(key, () => decodeStamp(value)) };
  });
}

/*
 * The stamp of a name is a row of its own: it can stay when the name is removed, and a store without stamps has no such rows. A
 * name without such a row has NO_STAMP.
 */
const UNKNOWN = 0;
const KNOWN = 1;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Encodes a stamp: a varint that says whether the time is known; if it is, the milliseconds and the counter as varints; then the
 * node in UTF-8.
 *
 * @param stamp `undefined`: the name was changed while the time was unknown.
 */
export function encodeStamp(stamp: Stamp | undefined): Buffer {
  if (stamp === undefined) return encodeNumbers(UNKNOWN);
  const { ms, counter, node } = stamp;
  const bytes = Buffer.from(node);
  return Buffer.concat([encodeNumbers(KNOWN, ms, counter, bytes.length), bytes]);
}

/** Throws if the value is no stamp. */
export function decodeStamp(value: Buffer): Stamp | undefined {
  const numbers = new NumberReader(value);
  const kind = numbers.next();
  if (kind !== KNOWN && kind !== UNKNOWN) throw new RangeError('there is no such kind of stamp');
  const [ms, counter, length] = kind === KNOWN ? [numbers.next(), numbers.next(), numbers.next()] : [0, 0, 0];
  const node = utf8.decode(numbers.take(length));
  numbers.end();
  return kind === KNOWN ? { ms, counter, node } : undefined;
}
