import type { Entry } from './attendance-day.js';
import { type Day, toDay } from './day.js';
import { isTallybookError, kindOf, quote, TallybookError } from './errors.js';
import { type Name, parseName } from './name.js';
import { parseTallyId, type TallyId } from './tally-id.js';
import { toTimestamp } from './timestamp.js';

/** Version of the backup format that is written, and the only one that is read. */
export const BACKUP_VERSION = 1;

/** Longest line of a backup in UTF-16 code units; the longest that is written has about 500. */
export const BACKUP_LINE_MAX_LENGTH = 16_384;

/** What one line of a backup says. */
export type BackupRecord =
  | { readonly kind: 'tallybook'; readonly version: number }
  | { readonly kind: 'name'; readonly id: TallyId; readonly name: Name }
  | { readonly kind: 'entry'; readonly day: Day; readonly entry: Entry };

/** Writes one line of a backup, without the line end. */
export function formatBackupLine(record: BackupRecord): string {
  switch (record.kind) {
    case 'tallybook':
      return JSON.stringify(record);
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
  }
}

/**
 * Reads one line of a backup.
 *
 * @param line Without the line end.
 * @param number Of the line, from 1, for the error. Line 1 must be the head, and only line 1.
 * @throws {TallybookError} `INVALID_BACKUP` naming the line, with it in `details.line`.
 */
export function parseBackupLine(line: string, number: number): BackupRecord {
  if (line.length > BACKUP_LINE_MAX_LENGTH) {
    throw invalid(number, `must have at most ${BACKUP_LINE_MAX_LENGTH} characters; it has ${line.length}`);
  }
  const fields = parseObject(line, number);
  try {
    if ((fields['kind'] === 'tallybook') !== (number === 1)) throw headMisplaced(number);
    return toRecord(fields, number);
  } catch (error) {
    if (!isTallybookError(error) || error.code === 'INVALID_BACKUP') throw error;
    throw invalid(number, error.message, error);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // What JSON.parse throws quotes the line, which may hold a name, so it does not become the cause.
    throw invalid(number, 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(number, `must be a JSON object; got ${kindOf(value)}`);
  }
  return value as Fields;
}

function toRecord(fields: Fields, number: number): BackupRecord {
  switch (fields['kind']) {
    case 'tallybook':
      if (fields['version'] === BACKUP_VERSION) return { kind: 'tallybook', version: BACKUP_VERSION };
      throw invalid(
        number,
        `has format version ${quote(fields['version'])}; this program reads ${BACKUP_VERSION}`,
      );
    case 'name':
      return { kind: 'name', id: parseTallyId(fields['id']), name: parseName(fields) };
    case 'entry':
      return { kind: 'entry', day: toDay(fields['day']), entry: toEntry(fields, number) };
    default:
      throw invalid(number, `must have the kind "name" or "entry"; got ${quote(fields['kind'])}`);
  }
}

function toEntry(fields: Fields, number: number): Entry {
  const id = parseTallyId(fields['id']);
  const first = toTimestamp(fields['first']);
  const last = toTimestamp(fields['last']);
  const count = fields['count'];
  if (first > last) throw invalid(number, `has its first scan (${first}) after its last (${last})`);
  const fewest = first === last ? 1 : 2;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < fewest) {
    throw invalid(number, `must have a count of ${fewest} or more scans; got ${quote(count)}`);
  }
  return { id, first, last, count };
}

function headMisplaced(number: number): TallybookError {
  return number === 1
    ? invalid(number, 'must be {"kind":"tallybook","version":1}: this is no backup of a tallybook')
    : invalid(number, 'is a second head; only line 1 may have the kind "tallybook"');
}

function invalid(line: number, reason: string, cause?: unknown): TallybookError {
  const options = cause === undefined ? {} : { cause };
  return new TallybookError('INVALID_BACKUP', `line ${line}: ${reason}`, { ...options, details: { line } });
}
