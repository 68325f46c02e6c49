import { USER, CREDENTIAL, AUDIT, RECEIPT, STATION, REFUSED, type KeyRange } from '../keys.js';

const AUDIT_KEY_LENGTH = 9;

/** The rows of users, and after them those of credentials. */
export const accessRange: KeyRange = { gte: Buffer.of(USER), lt: Buffer.of(CREDENTIAL + 1) };

export const receiptRange: KeyRange = { gte: Buffer.of(RECEIPT), lt: Buffer.of(RECEIPT + 1) };

/** The rows of stations, and after them those of refused items. */
export const stationRange: KeyRange = { gte: Buffer.of(STATION), lt: Buffer.of(REFUSED + 1) };

/** A key that ends with a text in UTF-8. */
export function textKey(kind: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(kind), Buffer.from(text)]);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws if the key does not end with a text. */
export function textOfKey(key: Buffer): string {
  if (key.length === 1) throw new RangeError('the key ends with a text');
  return utf8.decode(key.subarray(1));
}

export const auditHeadKey: Buffer = Buffer.of(AUDIT);

/** Most audit entries of a row: so many are lost together if it is damaged. */
export const AUDIT_ROW_MAX = 32;

/** The audit entries of a row. */
export interface AuditNumbers {
  /** Number of the last one. */
  readonly last: number;
  /** How many there are: 1 to {@link AUDIT_ROW_MAX}. */
  readonly count: number;
}

/**
 * @param last Number of the last entry of the row.
 * @param count How many entries the row has: 1 to {@link AUDIT_ROW_MAX}.
 */
export function auditKey(last: number, count = 1): Buffer {
  const key = Buffer.allocUnsafe(count === 1 ? AUDIT_KEY_LENGTH : AUDIT_KEY_LENGTH + 1);
  key[0] = AUDIT;
  // Without a `BigInt`, which takes longer than the rest.
  key.writeUInt32BE(Math.floor(last / 0x1_0000_0000), 1);
  key.writeUInt32BE(last % 0x1_0000_0000, 5);
  if (count > 1) key[AUDIT_KEY_LENGTH] = count;
  return key;
}

/** The rows with audit entries after a number. The first one may begin with entries before it. */
export function auditRange(after: number): KeyRange {
  return { gte: auditKey(after + 1), lt: Buffer.of(AUDIT + 1) };
}

/** How many audit entries a row has. Gives a number for every key, damaged or not. */
export function countOfAuditKey(key: Buffer): number {
  return key[AUDIT_KEY_LENGTH] ?? 1;
}

/** Throws if the key is not one of audit entries. */
export function numbersOfAuditKey(key: Buffer): AuditNumbers {
  const count = countOfAuditKey(key);
  const last = Number(key.readBigUInt64BE(1));
  const isSound = count >= 1 && count <= Math.min(last, AUDIT_ROW_MAX) && key.equals(auditKey(last, count));
  if (!isSound) throw new RangeError(`the key is not one of 1 to ${AUDIT_ROW_MAX} audit entries`);
  return { last, count };
}
