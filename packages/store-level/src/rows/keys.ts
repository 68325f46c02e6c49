import {
  parseTallyId,
  toDay,
  toTimestamp,
  type Cursor,
  type Day,
  type ProvisionalScan,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { ErasureName } from '@tallybook/domain/record';

/*
 * Keys of the rows. Numbers are big-endian, so that LevelDB sorts keys by them.
 *
 *   00                                        format
 *   00  00  cursor (6)                        change in the journal
 *   00  01                                    identity of the store
 *   00  01  01                                key of the erasures that this store makes
 *   00  02                                    number of the latest commit
 *   00  03  consumer                          position of a consumer of the journal
 *   00  04                                    changes that the journal no longer has
 *   00  05  id (3-10)                         stamp of a name
 *   01  id (3-10)                             name
 *   02  day (4)                               day
 *   03  day (4)  id (3-10)                    entry
 *   04  day (4)  id length (1)  id  second (8)  scan
 *   05  sequence (8)                          provisional scan
 *   06  moment (8)  id length (1)  id  run    sequence of the provisional scan of that moment
 *   07                                        sequence of the latest provisional scan
 *   08  name                                  user
 *   09  id                                    session or token
 *   0A                                        number and hash of the latest audit entry
 *   0A  number (8)                            audit entry
 *   0A  number of the last (8)  count (1)     2 to 32 audit entries
 *   0B  device                                largest numbers that were taken of a device
 *   0C                                        corrections: see correction-keys.ts
 *   0D  name                                  station
 *   0E  name                                  refused items of a station
 *   0F  id (3-10)                             timeline of a tag
 *   10  id of the person, as text             person
 *   11  key (16)  digest (16)  from (8)       erasure
 *   12  id of the group, as text              group
 *   13  kind, space, id                       carried row
 *
 * An id at the end of a key needs no length.
 *
 * The changes of the journal come before all rows that are written with them. So a table of new rows begins after older changes,
 * and LevelDB does not write these again when it merges the table with older ones. Rows about a tag come before the erasures:
 * LevelDB notes the last key that it has written anew, and that key must not be of an erased tag.
 *
 * Keys that are made for each write take their bytes from Node's pool (`allocUnsafe`). `Buffer.alloc` keeps the bytes of a small
 * buffer inside V8, which moves them out when LevelDB asks for them. That takes longer than putting the row.
 */
export const STORE = 0x00;
export const GROUP = 0x12;
export const CARRIED = 0x13;
export const CHANGE = 0x00;
export const POSITION = 0x03;
export const JOURNAL_BOUNDS = 0x04;
export const STAMP = 0x05;
export const SITE_KEY = 0x01;
export const NAME = 0x01;
export const DAY = 0x02;
export const ENTRY = 0x03;
export const SCAN = 0x04;
export const PROVISIONAL = 0x05;
export const MOMENT = 0x06;
export const LATEST_SEQUENCE = 0x07;
export const USER = 0x08;
export const CREDENTIAL = 0x09;
export const AUDIT = 0x0a;
export const RECEIPT = 0x0b;
export const CORRECTION = 0x0c;
export const STATION = 0x0d;
export const REFUSED = 0x0e;
export const TIMELINE = 0x0f;
export const PERSON = 0x10;
export const ERASURE = 0x11;

const DAY_PREFIX_LENGTH = 5;
const SEQUENCE_KEY_LENGTH = 9;
const ID_OF_SCAN_AT = DAY_PREFIX_LENGTH + 1;
const CURSOR_LENGTH = 6;
const CHANGE_KEY_LENGTH = 2 + CURSOR_LENGTH;
/** Length of a digest, and of a key of erasures. */
export const DIGEST_LENGTH = 16;
const ERASURE_FROM_AT = 1 + 2 * DIGEST_LENGTH;
const ERASURE_KEY_LENGTH = ERASURE_FROM_AT + 8;

/** Keys from `gte` to `lt` (excluded). */
export interface KeyRange {
  readonly gte: Buffer;
  readonly lt: Buffer;
}

export const formatKey: Buffer = Buffer.of(STORE);
export const identityKey: Buffer = Buffer.of(STORE, 0x01);
export const commitKey: Buffer = Buffer.of(STORE, 0x02);

export const nameRange: KeyRange = { gte: Buffer.of(NAME), lt: Buffer.of(NAME + 1) };

export function nameKey(id: TallyId): Buffer {
  // Written in place, for speed: every tap and every name needs such keys.
  const key = Buffer.allocUnsafe(1 + id.length / 2);
  key[0] = NAME;
  key.write(id, 1, 'hex');
  return key;
}

/** Throws if the key does not end in an id. */
export function idOfNameKey(key: Buffer): TallyId {
  return parseTallyId(key.toString('hex', 1));
}

export const stampRange: KeyRange = { gte: Buffer.of(STORE, STAMP), lt: Buffer.of(STORE, STAMP + 1) };

export function stampKey(id: TallyId): Buffer {
  const key = Buffer.allocUnsafe(2 + id.length / 2);
  key[0] = STORE;
  key[1] = STAMP;
  key.write(id, 2, 'hex');
  return key;
}

export function isStampKey(key: Buffer): boolean {
  return key[0] === STORE && key[1] === STAMP;
}

/** Throws if the key does not end in an id. */
export function idOfStampKey(key: Buffer): TallyId {
  return parseTallyId(key.toString('hex', 2));
}

export function dayKey(day: Day): Buffer {
  return dayPrefix(DAY, day);
}

/** The rows of the days from one to another, both included. */
export function dayRange(from: Day, to: Day): KeyRange {
  return dayRangeOf(DAY, from, to);
}

/** The rows of a kind whose keys begin with the days from one to another, both included. */
export function dayRangeOf(kind: number, from: Day, to: Day): KeyRange {
  return { gte: dayPrefix(kind, from), lt: after(dayPrefix(kind, to)) };
}

/** Throws if the key is not exactly that of a day. */
export function dayOfDayKey(key: Buffer): Day {
  if (key.length !== DAY_PREFIX_LENGTH) throw new RangeError('the key of a day has five bytes');
  return toDay(key.readUInt32BE(1));
}

/** The day in the key of a day, an entry or a scan. */
export function dayOfKey(key: Buffer): Day {
  return toDay(key.readUInt32BE(1));
}

export function entryKey(day: Day, id: TallyId): Buffer {
  return Buffer.concat([dayPrefix(ENTRY, day), bytesOf(id)]);
}

/** The entries of a day. */
export function entryRange(day: Day): KeyRange {
  return startingWith(dayPrefix(ENTRY, day));
}

/** Throws if the key does not end in an id. */
export function idOfEntryKey(key: Buffer): TallyId {
  return parseTallyId(key.toString('hex', DAY_PREFIX_LENGTH));
}

export function scanKey(day: Day, id: TallyId, at: Timestamp): Buffer {
  const bytes = bytesOf(id);
  const second = Buffer.alloc(8);
  second.writeBigUInt64BE(BigInt(at));
  return Buffer.concat([dayPrefix(SCAN, day), Buffer.of(bytes.length), bytes, second]);
}

/** Throws if the key is not that of a scan. */
export function scanOfKey(key: Buffer): { readonly id: TallyId; readonly at: Timestamp } {
  const end = ID_OF_SCAN_AT + key.readUInt8(DAY_PREFIX_LENGTH);
  if (key.length !== end + 8) throw new RangeError('the key of a scan ends with its second');
  const id = parseTallyId(key.toString('hex', ID_OF_SCAN_AT, end));
  return { id, at: toTimestamp(Number(key.readBigUInt64BE(end))) };
}

/** The scans of a tag on a day. */
export function scanRangeOf(day: Day, id: TallyId): KeyRange {
  const bytes = bytesOf(id);
  const gte = Buffer.concat([dayPrefix(SCAN, day), Buffer.of(bytes.length), bytes]);
  // The eight bytes of a second follow; the first of them is always 0.
  return { gte, lt: Buffer.concat([gte, Buffer.of(0xff)]) };
}

/** The scans of a day. */
export const scanRange = (day: Day): KeyRange => startingWith(dayPrefix(SCAN, day));

export const provisionalRange: KeyRange = { gte: Buffer.of(PROVISIONAL), lt: Buffer.of(PROVISIONAL + 1) };

export function provisionalKey(sequence: number): Buffer {
  const key = Buffer.alloc(SEQUENCE_KEY_LENGTH, PROVISIONAL);
  key.writeBigUInt64BE(BigInt(sequence), 1);
  return key;
}

/** Throws if the key is not exactly that of a sequence. */
export function sequenceOfKey(key: Buffer): number {
  if (key.length !== SEQUENCE_KEY_LENGTH) throw new RangeError('a provisional scan has nine bytes of key');
  return Number(key.readBigUInt64BE(1));
}

/** The key by which a provisional scan is recognised. */
export function momentKey({ id, bootId, monotonicMs }: Omit<ProvisionalScan, 'sequence'>): Buffer {
  const bytes = bytesOf(id);
  const moment = Buffer.alloc(8);
  moment.writeDoubleBE(monotonicMs);
  return Buffer.concat([Buffer.of(MOMENT), moment, Buffer.of(bytes.length), bytes, Buffer.from(bootId)]);
}

export const momentRange: KeyRange = { gte: Buffer.of(MOMENT), lt: Buffer.of(MOMENT + 1) };

/** Throws if the key has no id. */
export function idOfMomentKey(key: Buffer): TallyId {
  return parseTallyId(key.toString('hex', 10, 10 + key.readUInt8(9)));
}

export const entriesRange: KeyRange = { gte: Buffer.of(ENTRY), lt: Buffer.of(ENTRY + 1) };

/** Beside the identity: a new store is a table of both, in which no other key is searched. */
export const siteKeyKey: Buffer = Buffer.of(STORE, SITE_KEY, 0x01);

/** Throws if the key is another one that begins like {@link siteKeyKey}. */
export function checkSiteKeyKey(key: Buffer): void {
  if (!key.equals(siteKeyKey)) throw new RangeError('the key of the row is another one');
}

export const erasureRange: KeyRange = { gte: Buffer.of(ERASURE), lt: Buffer.of(ERASURE + 1) };

export function isErasureKey(key: Buffer): boolean {
  return key[0] === ERASURE;
}

export function erasureKey({ key, digest, from }: ErasureName): Buffer {
  const its = Buffer.alloc(ERASURE_KEY_LENGTH);
  its[0] = ERASURE;
  its.write(key + digest, 1, 'hex');
  its.writeBigUInt64BE(BigInt(from), ERASURE_FROM_AT);
  return its;
}

/** Throws if the key is no key of an erasure. */
export function erasureOfKey(key: Buffer): ErasureName {
  if (key.length !== ERASURE_KEY_LENGTH) throw new RangeError('the key of an erasure has 41 bytes');
  return {
    key: key.toString('hex', 1, 1 + DIGEST_LENGTH),
    digest: key.toString('hex', 1 + DIGEST_LENGTH, ERASURE_FROM_AT),
    from: toTimestamp(Number(key.readBigUInt64BE(ERASURE_FROM_AT))),
  };
}

export const latestSequenceKey: Buffer = Buffer.of(LATEST_SEQUENCE);

export function changeKey(cursor: Cursor): Buffer {
  const key = Buffer.allocUnsafe(CHANGE_KEY_LENGTH);
  key[0] = STORE;
  key[1] = CHANGE;
  key.writeUIntBE(cursor, 2, CURSOR_LENGTH);
  return key;
}

/** The largest cursor that a key holds. */
const CURSOR_MAX = 2 ** (8 * CURSOR_LENGTH) - 1;

export function isChangeKey(key: Buffer): boolean {
  return key[0] === STORE && key[1] === CHANGE;
}

/** Throws if the key does not end with exactly a cursor. */
export function cursorOfKey(key: Buffer): Cursor {
  if (key.length !== CHANGE_KEY_LENGTH) throw new RangeError('a change has eight bytes of key');
  return key.readUIntBE(2, CURSOR_LENGTH);
}

/** The changes after a cursor, up to another cursor, which is included. */
export function changeRange(after: Cursor, last: Cursor = CURSOR_MAX): KeyRange {
  return {
    gte: Buffer.concat([changeKey(after), Buffer.of(0)]),
    lt: Buffer.concat([changeKey(last), Buffer.of(0)]),
  };
}

export function positionKey(consumer: string): Buffer {
  return Buffer.concat([Buffer.of(STORE, POSITION), Buffer.from(consumer)]);
}

export function isPositionKey(key: Buffer): boolean {
  return key[0] === STORE && key[1] === POSITION;
}

/** Throws if the key names no consumer. */
export function consumerOfKey(key: Buffer): string {
  if (key.length === 2) throw new RangeError('the key of a position ends with the name of a consumer');
  return key.toString('utf8', 2);
}

export const journalBoundsKey: Buffer = Buffer.of(STORE, JOURNAL_BOUNDS);

function bytesOf(id: TallyId): Buffer {
  return Buffer.from(id, 'hex');
}

function dayPrefix(kind: number, day: Day): Buffer {
  const prefix = Buffer.alloc(DAY_PREFIX_LENGTH, kind);
  prefix.writeUInt32BE(day, 1);
  return prefix;
}

function startingWith(prefix: Buffer): KeyRange {
  return { gte: prefix, lt: after(prefix) };
}

/** The prefix after a prefix of a kind and a day. After the last day of a kind, the next kind begins. */
function after(prefix: Buffer): Buffer {
  const next = Buffer.alloc(DAY_PREFIX_LENGTH);
  next.writeUIntBE(prefix.readUIntBE(0, DAY_PREFIX_LENGTH) + 1, 0, DAY_PREFIX_LENGTH);
  return next;
}
