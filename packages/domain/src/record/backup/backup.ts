import { plainCorrection, toCorrection } from '../corrections/correction-fields.js';
import { ENTRY_COUNT_MAX, type Entry } from '../../values/record/attendance-day.js';
import type { NewCorrection } from '../values/correction.js';
import { type Day, toDay } from '../../values/day.js';
import { isTallybookError, kindOf, quote, TallybookError } from '../../errors.js';
import { type Name, parseKeptName } from '../../values/name.js';
import type { Estimate, Filing, ProvisionalScan } from '../../values/record/provisional.js';
import { parseTallyId, type TallyId } from '../../values/tally-id.js';
import { plainErasure, type Erasure } from '../values/erasure.js';
import { toOutsideTime, type Timestamp } from '../../values/timestamp.js';

/** Version of the backup format. Another version is refused at the first line: it would restore another record. */
export const BACKUP_VERSION = 1;

/** Maximum length of a line of a backup in UTF-16 code units; the longest written line has about 500. */
export const BACKUP_LINE_MAX_LENGTH = 16_384;

/** Longest run of a device: more than 30 years. */
const MONOTONIC_MAX_MS = 1_000_000_000_000;

/** Counts of the records in a backup. */
export interface BackupCounts {
  readonly names: number;
  readonly entries: number;
  readonly corrections: number;
  /** Provisional scans. */
  readonly provisional: number;
}

/** Content of one line of a backup. */
export type BackupRecord =
  | {
      readonly kind: 'tallybook';
      readonly version: number;
      /** Whether the last line must be an `end`. If so, a backup without it was cut short. */
      readonly hasEnd: boolean;
      /** When the backup was made, if the clock was trusted. Its names were given before. */
      readonly madeAt?: Timestamp;
    }
  | { readonly kind: 'erasure'; readonly erasure: Erasure }
  | { readonly kind: 'name'; readonly id: TallyId; readonly name: Name }
  | { readonly kind: 'entry'; readonly day: Day; readonly entry: Entry }
  | { readonly kind: 'correction'; readonly correction: NewCorrection }
  | { readonly kind: 'provisional'; readonly scan: Omit<ProvisionalScan, 'sequence'> }
  | { readonly kind: 'end'; readonly counts: BackupCounts };

/** Writes one line of a backup, without the line end. */
export function formatBackupLine(record: BackupRecord): string {
  switch (record.kind) {
    case 'tallybook': {
      const { version, hasEnd, madeAt } = record;
      return JSON.stringify({ kind: 'tallybook', version, ...(hasEnd ? { hasEnd } : {}), madeAt });
    }
    case 'erasure': {
      return JSON.stringify({ kind: 'erasure', ...plainErasure(record.erasure) });
    }
    case 'name':
      return JSON.stringify({
        kind: 'name',
        id: record.id,
        first: record.name.first,
        last: record.name.last,
      });
    case 'entry': {
      const { id, first, last, count } = record.entry;
      return JSON.stringify({ kind: 'entry', day: record.day, id, first, last, count });
    }
    case 'correction':
      return JSON.stringify(plainCorrection(record.correction));
    case 'provisional': {
      const { id, reader, bootId, monotonicMs, shown, notBefore, filing } = record.scan;
      return JSON.stringify({
        kind: 'provisional',
        ...{ id, reader, bootId, monotonicMs, shown, notBefore },
        ...(filing === undefined ? {} : { filing: plainFiling(filing) }),
      });
    }
    case 'end': {
      const { names, entries, corrections, provisional } = record.counts;
      return JSON.stringify({ kind: 'end', names, entries, corrections, provisional });
    }
  }
}

/** The fields of a filing in a fixed order, so that equal filings give equal lines. */
function plainFiling({ day, at, estimate, isRecorded }: Filing): Filing {
  if (estimate === undefined) return { day, at, isRecorded };
  const { earliest, latest } = estimate;
  return { day, at, estimate: { earliest, latest }, isRecorded };
}

/**
 * Reads one line of a backup.
 *
 * @param line Without the line end.
 * @param number Number of the line, from 1, for the error. Line 1 must be the head; no other line may be a head.
 * @throws {TallybookError} `INVALID_BACKUP` with the number of the line in the message and in `details.line`.
 */
export function parseBackupLine(line: string, number: number): BackupRecord {
  if (line.length > BACKUP_LINE_MAX_LENGTH) {
    throw invalidBackup(
      number,
      `must have at most ${BACKUP_LINE_MAX_LENGTH} characters; it has ${line.length}`,
    );
  }
  const fields = parseObject(line, number);
  try {
    if ((fields['kind'] === 'tallybook') !== (number === 1)) throw headMisplaced(number);
    return toRecord(fields, number);
  } catch (error) {
    if (!isTallybookError(error) || error.code === 'INVALID_BACKUP') throw error;
    throw invalidBackup(number, error.message, error);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The error of JSON.parse quotes the line, which may hold a name, so it does not become the cause.
    throw invalidBackup(number, 'is not JSON');
  }
  return toFields(value, '', number);
}

function toFields(value: unknown, subject: '' | 'filing ' | 'estimate ', number: number): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalidBackup(number, `${subject}must be a JSON object; got ${kindOf(value)}`);
}

function toRecord(fields: Fields, number: number): BackupRecord {
  switch (fields['kind']) {
    case 'tallybook':
      return toHead(fields, number);
    case 'erasure':
      return { kind: 'erasure', erasure: toErasure(fields, number) };
    case 'name':
      return { kind: 'name', id: parseTallyId(fields['id']), name: parseKeptName(fields) };
    case 'entry':
      return { kind: 'entry', day: toDay(fields['day']), entry: toEntry(fields, number) };
    case 'correction':
      return { kind: 'correction', correction: toCorrection(fields) };
    case 'provisional':
      return { kind: 'provisional', scan: toScan(fields, number) };
    case 'end':
      return { kind: 'end', counts: toCounts(fields, number) };
    default:
      throw invalidBackup(
        number,
        `must have the kind "erasure", "name", "entry", "correction", "provisional" or "end"; got ${quote(fields['kind'])}`,
      );
  }
}

const HALF_DIGEST = /^[0-9a-f]{32}$/;

function toErasure({ key, digest, from, until, expiresAt }: Fields, number: number): Erasure {
  const isDigest = (value: unknown): value is string => typeof value === 'string' && HALF_DIGEST.test(value);
  if (!isDigest(key) || !isDigest(digest)) {
    throw invalidBackup(number, 'must have a key and a digest of 32 hexadecimal digits in lower case');
  }
  return {
    ...{ key, digest, from: toOutsideTime(from) },
    ...{ until: toOutsideTime(until), expiresAt: toOutsideTime(expiresAt) },
  };
}

function toHead({ version, hasEnd = false, madeAt }: Fields, number: number): BackupRecord {
  if (version !== BACKUP_VERSION) {
    throw invalidBackup(
      number,
      `has format version ${quote(version)}; this program reads version ${BACKUP_VERSION}`,
    );
  }
  const made = madeAt === undefined ? {} : { madeAt: toOutsideTime(madeAt) };
  return { kind: 'tallybook', version, hasEnd: toBoolean(hasEnd, 'hasEnd', number), ...made };
}

function toEntry(fields: Fields, number: number): Entry {
  const id = parseTallyId(fields['id']);
  const first = toOutsideTime(fields['first']);
  const last = toOutsideTime(fields['last']);
  const count = fields['count'];
  if (first > last) throw invalidBackup(number, `has its first scan (${first}) after its last (${last})`);
  const fewest = first === last ? 1 : 2;
  const isCount = typeof count === 'number' && Number.isInteger(count);
  if (!isCount || count < fewest || count > ENTRY_COUNT_MAX) {
    const allowed = `${fewest} to ${ENTRY_COUNT_MAX}`;
    throw invalidBackup(number, `must have a count of ${allowed} scans; got ${quote(count)}`);
  }
  return { id, first, last, count };
}

function toScan(fields: Fields, number: number): Omit<ProvisionalScan, 'sequence'> {
  const { monotonicMs, filing } = fields;
  if (typeof monotonicMs !== 'number' || !(monotonicMs >= 0 && monotonicMs <= MONOTONIC_MAX_MS)) {
    throw invalidBackup(
      number,
      `must have a monotonicMs of 0 to ${MONOTONIC_MAX_MS} milliseconds; got ${quote(monotonicMs)}`,
    );
  }
  return {
    id: parseTallyId(fields['id']),
    reader: toText(fields['reader'], 'reader', number),
    bootId: toText(fields['bootId'], 'bootId', number),
    monotonicMs,
    shown: toOutsideTime(fields['shown']),
    notBefore: toOutsideTime(fields['notBefore']),
    ...(filing === undefined ? {} : { filing: toFiling(filing, number) }),
  };
}

function toFiling(value: unknown, number: number): Filing {
  const { day, at, estimate, isRecorded } = toFields(value, 'filing ', number);
  return {
    day: toDay(day),
    at: toOutsideTime(at),
    ...(estimate === undefined ? {} : { estimate: toEstimate(estimate, number) }),
    isRecorded: toBoolean(isRecorded, 'isRecorded', number),
  };
}

function toEstimate(value: unknown, number: number): Estimate {
  const fields = toFields(value, 'estimate ', number);
  const earliest = toOutsideTime(fields['earliest']);
  const latest = toOutsideTime(fields['latest']);
  if (earliest <= latest) return { earliest, latest };
  throw invalidBackup(number, `has an estimate whose earliest (${earliest}) is after its latest (${latest})`);
}

function toCounts(fields: Fields, number: number): BackupCounts {
  const count = (name: keyof BackupCounts): number => {
    const value = fields[name];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw invalidBackup(number, `must have the number of ${name}, 0 or more; got ${quote(value)}`);
  };
  return {
    names: count('names'),
    entries: count('entries'),
    corrections: count('corrections'),
    provisional: count('provisional'),
  };
}

function toBoolean(value: unknown, name: string, number: number): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidBackup(number, `must have true or false as ${name}; got ${quote(value)}`);
}

function toText(value: unknown, name: string, number: number): string {
  if (typeof value === 'string') return value;
  throw invalidBackup(number, `must have text as ${name}; got ${quote(value)}`);
}

function headMisplaced(number: number): TallybookError {
  return number === 1
    ? invalidBackup(number, 'must be {"kind":"tallybook","version":1}: this is no backup of Tallybook')
    : invalidBackup(number, 'is a second head; only line 1 may have the kind "tallybook"');
}

/** The error for a bad line. Lines count from 1. */
export function invalidBackup(line: number, reason: string, cause?: unknown): TallybookError {
  const options = cause === undefined ? {} : { cause };
  return new TallybookError('INVALID_BACKUP', `line ${line}: ${reason}`, { ...options, details: { line } });
}
