import { toCorrection } from '../../record/values/correction.js';
import { quote, TallybookError } from '../../errors.js';
import type { DetailedEntry } from '../../values/record/known-scans.js';
import type { FiledScan } from '../../values/record/reading.js';
import { toDay } from '../../values/day.js';
import { STAMP_COUNTER_MAX, STAMP_MS_MAX, type Stamp } from '../../values/stamp.js';
import { parseKeptName } from '../../values/name.js';
import {
  SYNC_MAX_ENTRIES,
  type DownItem,
  type EntriesItem,
  type NameItem,
  type ScanItem,
  type UpItem,
} from '../values/sync.js';
import { toPeopleItem, toRowItem, type RowItem } from './people-items.js';
import { parseTallyId, refuseBlank, type TallyId } from '../../values/tally-id.js';
import { toOutsideTime } from '../../values/timestamp.js';
import { ValidFields, type Fields } from '../../record/values/valid-fields.js';

export function invalidSync(message: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_SYNC', message, cause === undefined ? {} : { cause });
}

/** Throws `INVALID_SYNC`. */
export const valid: ValidFields = new ValidFields((message) => invalidSync(message));

/** Lengths of the name of a reader, and of the node of a stamp, in UTF-16 code units. */
const READER_LENGTHS = [0, 200] as const;
const NODE_LENGTHS = [0, 64] as const;

/** @throws {TallybookError} `INVALID_SYNC`, or the code of the value that is wrong. */
export function toUpItem(fields: Fields): UpItem {
  switch (fields['kind']) {
    case 'scan':
      return toScan(fields);
    case 'entries':
      return toEntries(fields);
    default:
      return (
        toShared(fields) ??
        unknownKind(fields, 'scan, entries, name, person, tag, group, carried, correction or erasure')
      );
  }
}

/** @throws {TallybookError} `INVALID_SYNC`, or the code of the value that is wrong. */
export function toDownItem(fields: Fields): DownItem {
  if (fields['kind'] === 'day') return { kind: 'day', day: toDay(fields['day']) };
  return (
    toShared(fields) ?? unknownKind(fields, 'name, person, tag, group, carried, correction, erasure or day')
  );
}

/** An item of a kind that goes both ways; `undefined` for another kind. */
function toShared(fields: Fields): Exclude<DownItem, { readonly kind: 'day' }> | undefined {
  switch (fields['kind']) {
    case 'name':
      return toName(fields);
    case 'person':
    case 'tag':
    case 'group':
    case 'carried':
      // It checks what is given.
      return toRowItem(toPeopleItem(fields as unknown as RowItem));
    case 'correction':
      return {
        kind: 'correction',
        correction: toCorrection(valid.object(fields['correction'], 'correction')),
      };
    case 'erasure':
      return { kind: 'erasure', erasure: valid.erasure(fields['erasure']) };
    default:
      return undefined;
  }
}

function unknownKind(fields: Fields, known: string): never {
  throw invalidSync(`kind must be ${known}; got ${quote(fields['kind'])}`);
}

function toScan({ day, id, at, reader, filed, flags = 0 }: Fields): ScanItem {
  const bits = valid.count(flags, 'flags');
  return {
    kind: 'scan',
    day: toDay(day),
    id: toScannedId(id),
    at: toOutsideTime(at),
    ...(reader !== undefined && { reader: valid.text(reader, 'reader', READER_LENGTHS) }),
    ...(filed !== undefined && { filed: toFiled(filed) }),
    ...(bits !== 0 && { flags: bits }),
  };
}

/** A reserved id too: a station may record for a person without a tag. */
function toScannedId(value: unknown): TallyId {
  return refuseBlank(parseTallyId(value));
}

function toFiled(value: unknown): FiledScan {
  const { sequence, estimate } = valid.object(value, 'filed');
  const filed = { sequence: valid.count(sequence, 'filed.sequence') };
  if (estimate === undefined) return filed;
  return { ...filed, estimate: valid.estimate(estimate, 'filed.estimate') };
}

export function toName({ id, name, stamp }: Fields): NameItem {
  return {
    kind: 'name',
    id: parseTallyId(id),
    name: name === null ? null : parseKeptName(name),
    stamp: stamp === null ? null : toStamp(stamp),
  };
}

function toStamp(value: unknown): Stamp {
  const { ms, counter, node } = valid.object(value, 'stamp');
  // Cut, not refused: the name may have been taken over from a place that is wrong.
  return {
    ms: Math.min(valid.count(ms, 'stamp.ms'), STAMP_MS_MAX),
    counter: Math.min(valid.count(counter, 'stamp.counter'), STAMP_COUNTER_MAX),
    node: valid.text(node, 'stamp.node', NODE_LENGTHS),
  };
}

function toEntries({ day, entries }: Fields): EntriesItem {
  const list = valid.list(entries, 'entries', SYNC_MAX_ENTRIES);
  if (list.length === 0) throw invalidSync('entries must have at least one element');
  return { kind: 'entries', day: toDay(day), entries: list.map(toEntry) };
}

function toEntry(value: unknown): DetailedEntry {
  const fields = valid.object(value, 'an entry');
  return valid.entry(toScannedId(fields['id']), fields);
}
