import { decodeChange } from './change-codec.js';
import {
  decodeBounds,
  decodeDay,
  decodeEntry,
  decodeFlags,
  decodeName,
  decodeProvisional,
  decodeSequence,
} from './codec.js';
import { decodeErasure, decodeSiteKey } from './erasure-rows.js';
import {
  AUDIT,
  CARRIED,
  CHANGE,
  CORRECTION,
  consumerOfKey,
  CREDENTIAL,
  cursorOfKey,
  DAY,
  dayOfDayKey,
  erasureOfKey,
  SITE_KEY,
  checkSiteKeyKey,
  ENTRY,
  ERASURE,
  idOfEntryKey,
  idOfNameKey,
  idOfStampKey,
  JOURNAL_BOUNDS,
  LATEST_SEQUENCE,
  MOMENT,
  NAME,
  GROUP,
  PERSON,
  POSITION,
  PROVISIONAL,
  RECEIPT,
  REFUSED,
  SCAN,
  scanOfKey,
  sequenceOfKey,
  STAMP,
  STATION,
  STORE,
  TIMELINE,
  USER,
} from './keys.js';
import { accessSecretKey, credentialRows, decodeAccessSecret, userRows } from './service/access-rows.js';
import { decodeAuditEntries, decodeAuditHead } from './service/audit-rows.js';
import { decodeReceipts } from './service/receipt-rows.js';
import { decodeRefused, decodeStation } from './service/station-rows.js';
import { decodeCorrection, correctionOfKey, latestNumberKey } from './correction-rows.js';
import { decodeStamp } from './name-rows.js';
import { carriedRows, groupRows, personRows, timelineRows } from './people-rows.js';
import { auditHeadKey, countOfAuditKey, numbersOfAuditKey, textOfKey } from './service/service-keys.js';

/** A sound row, without its seal. */
export interface SavedRow {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** How many rows there are of each kind. */
export interface RowCounts {
  readonly names: number;
  readonly persons: number;
  /** Timelines of tags. */
  readonly timelines: number;
  readonly groups: number;
  /** Rows of kinds that a later version may know. */
  readonly carried: number;
  /** Days that have a record. */
  readonly days: number;
  readonly entries: number;
  /** Scans that are neither the first nor the last of their entry. */
  readonly scans: number;
  readonly corrections: number;
  /** Provisional scans. */
  readonly provisional: number;
  readonly users: number;
  /** Sessions and tokens. */
  readonly credentials: number;
  /** Entries of the audit trail. */
  readonly auditEntries: number;
  /** Devices that push readings. */
  readonly receipts: number;
  /** Stations that send to this service. */
  readonly stations: number;
}

interface RowKind {
  /** The count of these rows. Absent for rows that only describe other rows. */
  readonly name?: keyof RowCounts;
  /** Throws if a key is not one of this kind. */
  readonly checkKey: (key: Buffer) => unknown;
  /** Throws if a value is not one of this kind. */
  readonly check: (key: Buffer, value: Buffer) => unknown;
  /** How many things a row counts as, by its valid key. Default: one. */
  readonly countOf?: (key: Buffer) => number;
}

const correction: RowKind = {
  name: 'corrections',
  checkKey: correctionOfKey,
  check: (key, value) => decodeCorrection(correctionOfKey(key), value),
};

/** The kinds of rows, by the first byte of the key. A repair saves the kinds that are listed here. */
const kinds: ReadonlyMap<number, RowKind> = new Map<number, RowKind>([
  [NAME, { name: 'names', checkKey: idOfNameKey, check: (_, value) => decodeName(value) }],
  [DAY, { name: 'days', checkKey: dayOfDayKey, check: (_, value) => decodeDay(value) }],
  [
    ENTRY,
    { name: 'entries', checkKey: idOfEntryKey, check: (key, value) => decodeEntry(idOfEntryKey(key), value) },
  ],
  [SCAN, { name: 'scans', checkKey: scanOfKey, check: (_, value) => decodeFlags(value) }],
  [
    PROVISIONAL,
    {
      name: 'provisional',
      checkKey: sequenceOfKey,
      check: (key, value) => decodeProvisional(sequenceOfKey(key), value),
    },
  ],
  // The key has a moment, then the length of an id.
  [MOMENT, { checkKey: (key) => key.readUInt8(9), check: (_, value) => decodeSequence(value) }],
  [CORRECTION, correction],
  [LATEST_SEQUENCE, { checkKey: () => undefined, check: (_, value) => decodeSequence(value) }],
  [USER, { name: 'users', checkKey: textOfKey, check: userRows.decode }],
  [
    AUDIT,
    {
      name: 'auditEntries',
      checkKey: numbersOfAuditKey,
      check: decodeAuditEntries,
      countOf: countOfAuditKey,
    },
  ],
  [RECEIPT, { name: 'receipts', checkKey: textOfKey, check: (_, value) => decodeReceipts(value) }],
  [STATION, { name: 'stations', checkKey: textOfKey, check: (_, value) => decodeStation(value) }],
  [REFUSED, { checkKey: textOfKey, check: (_, value) => decodeRefused(value) }],
  [CREDENTIAL, { name: 'credentials', checkKey: textOfKey, check: credentialRows.decode }],
  [TIMELINE, { name: 'timelines', checkKey: timelineRows.idOf, check: timelineRows.decode }],
  [PERSON, { name: 'persons', checkKey: personRows.idOf, check: personRows.decode }],
  [GROUP, { name: 'groups', checkKey: groupRows.idOf, check: groupRows.decode }],
  [CARRIED, { name: 'carried', checkKey: carriedRows.idOf, check: carriedRows.decode }],
  [ERASURE, { checkKey: erasureOfKey, check: (key, value) => decodeErasure(key, value) }],
]);

/**
 * The kinds of rows whose keys begin with the byte `STORE`, by the second byte of the key. A repair saves these; it writes the
 * rows that describe the store anew.
 */
const kindsOfStore: ReadonlyMap<number, RowKind> = new Map<number, RowKind>([
  [CHANGE, { checkKey: cursorOfKey, check: (_, value) => decodeChange(value) }],
  [POSITION, { checkKey: consumerOfKey, check: (_, value) => decodeSequence(value) }],
  [STAMP, { checkKey: idOfStampKey, check: (_, value) => decodeStamp(value) }],
  [SITE_KEY, { checkKey: checkSiteKeyKey, check: (_, value) => decodeSiteKey(value) }],
  [JOURNAL_BOUNDS, { checkKey: () => undefined, check: (_, value) => decodeBounds(value) }],
]);

/** The end of the audit trail: its key is shorter than that of an entry. */
const auditHead: RowKind = { checkKey: () => undefined, check: (_, value) => decodeAuditHead(value) };
const latestNumber: RowKind = { checkKey: () => undefined, check: (_, value) => decodeSequence(value) };
const accessSecret: RowKind = { checkKey: () => undefined, check: (_, value) => decodeAccessSecret(value) };

function ruleOf(key: Buffer): RowKind | undefined {
  const [first = -1, second = -1] = key;
  if (key.equals(auditHeadKey)) return auditHead;
  if (key.equals(latestNumberKey)) return latestNumber;
  if (key.equals(accessSecretKey)) return accessSecret;
  return first === STORE ? kindsOfStore.get(second) : kinds.get(first);
}

/** The count that a row belongs to; `undefined` if it is not counted. */
export function kindOf(key: Buffer): keyof RowCounts | undefined {
  return ruleOf(key)?.name;
}

/** Whether a row has a valid key and a valid value: right checksums do not show a mistake in the writing program. */
export function isMeaningful({ key, value }: SavedRow): boolean {
  const kind = ruleOf(key);
  try {
    kind?.checkKey(key);
    kind?.check(key, value);
    return kind !== undefined;
  } catch {
    return false;
  }
}

/** Whether a row of a store can have this key. */
export function isMeaningfulKey(key: Buffer): boolean {
  const kind = ruleOf(key);
  try {
    kind?.checkKey(key);
    return kind !== undefined;
  } catch {
    return false;
  }
}

/** Counts of a store that holds nothing. */
export const noRows: RowCounts = Object.fromEntries(
  [...kinds.values()].flatMap(({ name }) => (name === undefined ? [] : [[name, 0]])),
) as Record<keyof RowCounts, number>;

/** Counts what is in rows, by their kinds. */
export class RowCounter {
  readonly #counts: { -readonly [K in keyof RowCounts]: number } = { ...noRows };

  get counts(): RowCounts {
    return { ...this.#counts };
  }

  /** Counts a row, if its kind is counted. Its key must be valid. */
  add(key: Buffer): void {
    const { name, countOf } = ruleOf(key) ?? {};
    if (name !== undefined) this.#counts[name] += countOf?.(key) ?? 1;
  }
}
