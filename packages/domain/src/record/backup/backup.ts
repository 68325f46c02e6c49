import type { DetailedEntry } from '../../values/record/known-scans.js';
import { plainCorrection, toCorrection, type NewCorrection } from '../values/correction.js';
import { type Day, toDay } from '../../values/day.js';
import { isTallybookError, quote, TallybookError } from '../../errors.js';
import { type Name, parseKeptName } from '../../values/name.js';
import type { Filing, ProvisionalScan } from '../../values/record/provisional.js';
import {
  plainGroup,
  plainPerson,
  plainTimeline,
  toGroup,
  toPerson,
  toTimeline,
} from '../../values/people/plain-people.js';
import { plainCarried, toCarried, type CarriedRow } from '../../values/people/carried-row.js';
import type { Group } from '../../values/people/group.js';
import type { Person } from '../../values/people/person.js';
import type { Timeline } from '../../values/people/timeline.js';
import { parseTallyId, type TallyId } from '../../values/tally-id.js';
import { plainErasure, type Erasure } from '../values/erasure.js';
import { ValidFields, type Fields } from '../values/valid-fields.js';
import { toOutsideTime, type Timestamp } from '../../values/timestamp.js';

/** Version of the backup format. Another version is refused at the first line: it would restore another record. */
export const BACKUP_VERSION = 1;

/** Maximum length of a line of a backup in UTF-16 code units; the longest written line has about 9,000. */
export const BACKUP_LINE_MAX_LENGTH = 65_536;

/** Longest run of a device: more than 30 years. */
const MONOTONIC_MAX_MS = 1_000_000_000_000;

/** Counts of the records in a backup. */
export interface BackupCounts {
  /** Absent if 0. */
  readonly persons?: number;
  /** Lines of timelines: a long timeline has several. Absent if 0. */
  readonly tags?: number;
  /** Absent if 0. */
  readonly groups?: number;
  /** Absent if 0. */
  readonly carried?: number;
  /** Names of tags without a timeline. */
  readonly names: number;
  /** Lines of entries: an entry with very many known scans takes several. */
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
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'tag'; readonly timeline: Timeline }
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'carried'; readonly row: CarriedRow }
  | { readonly kind: 'name'; readonly id: TallyId; readonly name: Name }
  | { readonly kind: 'entry'; readonly day: Day; readonly entry: DetailedEntry }
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
    case 'person':
      return JSON.stringify({ kind: 'person', ...plainPerson(record.person, false) });
    case 'tag':
      return JSON.stringify({ kind: 'tag', ...plainTimeline(record.timeline, false) });
    case 'group':
      return JSON.stringify({ kind: 'group', ...plainGroup(record.group) });
    case 'carried':
      return JSON.stringify({ kind: 'carried', row: plainCarried(record.row) });
    case 'name':
      return JSON.stringify({
        kind: 'name',
        id: record.id,
        first: record.name.first,
        last: record.name.last,
      });
    case 'entry': {
      const { id, first, last, count, scans, flags } = record.entry;
      return JSON.stringify({ kind: 'entry', day: record.day, id, first, last, count, scans, flags });
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
      const { persons, tags, groups, carried, names, entries, corrections, provisional } = record.counts;
      return JSON.stringify({
        kind: 'end',
        ...{ persons, tags, groups, carried, names, entries, corrections, provisional },
      });
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
  const value = parseJson(line, number);
  try {
    const fields = valid.object(value, 'a record');
    if ((fields['kind'] === 'tallybook') !== (number === 1)) throw headMisplaced(number);
    return toRecord(fields);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    throw invalidBackup(number, error.message, error);
  }
}

const valid = new ValidFields(invalid);

function parseJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The error of JSON.parse quotes the line, which may hold a name, so it does not become the cause.
    throw invalidBackup(number, 'is not JSON');
  }
}

function toRecord(fields: Fields): BackupRecord {
  switch (fields['kind']) {
    case 'tallybook':
      return toHead(fields);
    case 'erasure':
      return { kind: 'erasure', erasure: valid.erasure(fields) };
    case 'person':
      return { kind: 'person', person: toPerson(fields) };
    case 'tag':
      return { kind: 'tag', timeline: toTimeline(fields) };
    case 'group':
      return { kind: 'group', group: toGroup(fields) };
    case 'carried':
      return { kind: 'carried', row: toCarried(fields['row']) };
    case 'name':
      return { kind: 'name', id: parseTallyId(fields['id']), name: parseKeptName(fields) };
    case 'entry':
      return {
        kind: 'entry',
        day: toDay(fields['day']),
        entry: valid.entry(parseTallyId(fields['id']), fields),
      };
    case 'correction':
      return { kind: 'correction', correction: toCorrection(fields) };
    case 'provisional':
      return { kind: 'provisional', scan: toScan(fields) };
    case 'end':
      return { kind: 'end', counts: toCounts(fields) };
    default:
      throw invalid(
        `must have the kind "erasure", "person", "tag", "group", "carried", "name", "entry", "correction", "provisional" or "end"; got ${quote(fields['kind'])}`,
      );
  }
}

function toHead({ version, hasEnd = false, madeAt }: Fields): BackupRecord {
  if (version !== BACKUP_VERSION) {
    throw invalid(`has format version ${quote(version)}; this program reads version ${BACKUP_VERSION}`);
  }
  const made = madeAt === undefined ? {} : { madeAt: toOutsideTime(madeAt) };
  return { kind: 'tallybook', version, hasEnd: valid.boolean(hasEnd, 'hasEnd'), ...made };
}

function toScan(fields: Fields): Omit<ProvisionalScan, 'sequence'> {
  const { filing } = fields;
  return {
    id: parseTallyId(fields['id']),
    reader: valid.text(fields['reader'], 'reader'),
    bootId: valid.text(fields['bootId'], 'bootId'),
    monotonicMs: valid.number(fields['monotonicMs'], 'monotonicMs', [0, MONOTONIC_MAX_MS]),
    shown: toOutsideTime(fields['shown']),
    notBefore: toOutsideTime(fields['notBefore']),
    ...(filing === undefined ? {} : { filing: toFiling(filing) }),
  };
}

function toFiling(value: unknown): Filing {
  const { day, at, estimate, isRecorded } = valid.object(value, 'filing');
  return {
    day: toDay(day),
    at: toOutsideTime(at),
    ...(estimate === undefined ? {} : { estimate: valid.estimate(estimate, 'estimate') }),
    isRecorded: valid.boolean(isRecorded, 'isRecorded'),
  };
}

const ofPeople = ['persons', 'tags', 'groups', 'carried'] as const;

function toCounts(fields: Fields): BackupCounts {
  const count = (name: keyof BackupCounts): number => valid.count(fields[name], `the number of ${name}`);
  return {
    ...Object.fromEntries(
      ofPeople.filter((kind) => fields[kind] !== undefined).map((kind) => [kind, count(kind)]),
    ),
    names: count('names'),
    entries: count('entries'),
    corrections: count('corrections'),
    provisional: count('provisional'),
  };
}

/** Counts without those of people that are 0. */
export function withoutZeros({ persons, tags, groups, carried, ...counts }: BackupCounts): BackupCounts {
  const people = Object.entries({ persons, tags, groups, carried }).filter(([, count = 0]) => count > 0);
  return { ...Object.fromEntries(people), ...counts };
}

function headMisplaced(number: number): TallybookError {
  return number === 1
    ? invalid('must be {"kind":"tallybook","version":1}: this is no backup of Tallybook')
    : invalid('is a second head; only line 1 may have the kind "tallybook"');
}

/** The error for a line, without its number. */
function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_BACKUP', message);
}

/** The error for a bad line. Lines count from 1. */
export function invalidBackup(line: number, reason: string, cause?: unknown): TallybookError {
  const options = cause === undefined ? {} : { cause };
  return new TallybookError('INVALID_BACKUP', `line ${line}: ${reason}`, { ...options, details: { line } });
}
