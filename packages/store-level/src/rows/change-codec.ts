import {
  parseCarriedKey,
  parseGroupId,
  parsePersonId,
  parseTallyId,
  toDay,
  toTimestamp,
  type Change,
  type Day,
  type FiledScan,
  type NameChange,
  type ProvisionalChange,
  type ScanChange,
  type TallyId,
} from '@tallybook/domain';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';

/** The value of a change's row. The cursor is in the key. */
export interface StoredChange {
  readonly change: Change;
  /** When it was written, in seconds since 1970. */
  readonly writtenAt: number;
}

/*
 * The row of a change holds numbers, then texts, then the id of the tag, which needs no length. The first number is the kind, and
 * the second the time at which the change was written.
 */
const SCAN = 0;
const PROVISIONAL = 1;
const NAME = 2;
const DAY = 3;
const REPAIRED = 4;
const CORRECTION = 5;
const ERASED = 6;
/** The timeline of a tag. */
const TAG = 7;
const PERSON = 8;
const GROUP = 9;
const CARRIED = 10;

const DIGEST_BYTES = 16;

/** Bits of a scan. */
const ALREADY_COUNTED = 0x01;
const FILED = 0x02;
const ESTIMATED = 0x04;
/** The scan has a later time than the change was written. */
const LATER = 0x08;
const FLAGGED = 0x10;

const NAME_ACTIONS: readonly NameChange['action'][] = ['added', 'replaced', 'removed'];
const DAY_ACTIONS = ['removed', 'merged'] as const;

const nothing = Buffer.alloc(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function encodeChange({ change, writtenAt }: StoredChange): Buffer {
  switch (change.kind) {
    case 'scan':
      return encodeScan(change, writtenAt);
    case 'provisional':
      return encodeProvisional(change, writtenAt);
    case 'name': {
      const action = NAME_ACTIONS.indexOf(change.action);
      return Buffer.concat([encodeNumbers(NAME, writtenAt, action), bytesOf(change.id)]);
    }
    case 'tag':
      return Buffer.concat([encodeNumbers(TAG, writtenAt), bytesOf(change.id)]);
    case 'person':
      return Buffer.concat([encodeNumbers(PERSON, writtenAt), Buffer.from(change.person)]);
    case 'group':
      return Buffer.concat([encodeNumbers(GROUP, writtenAt), Buffer.from(change.group)]);
    case 'carried':
      return Buffer.concat([encodeNumbers(CARRIED, writtenAt), Buffer.from(change.row ?? '')]);
    case 'day':
      return encodeNumbers(DAY, writtenAt, change.day, DAY_ACTIONS.indexOf(change.action));
    case 'erased':
      return Buffer.concat([encodeNumbers(ERASED, writtenAt), Buffer.from(change.digest, 'hex')]);
    case 'correction':
      return Buffer.concat([
        encodeNumbers(CORRECTION, writtenAt, change.day, change.number),
        bytesOf(change.id),
      ]);
    case 'repaired':
      return encodeNumbers(REPAIRED, writtenAt);
  }
}

/** Throws if the value is no change. */
export function decodeChange(value: Buffer): StoredChange {
  const numbers = new NumberReader(value);
  const kind = numbers.next();
  const writtenAt = numbers.next();
  return { writtenAt, change: decodeKind(kind, writtenAt, new FieldReader(numbers, value)) };
}

/** The day of the scan that a change is about; `undefined` if it is about something else. Throws if the value ends early. */
export function dayOfScan(value: Buffer): Day | undefined {
  return dayOfKind(SCAN, value);
}

/** The day of the correction that a change is about; `undefined` if it is about something else. Throws if the value ends early. */
export function dayOfCorrection(value: Buffer): Day | undefined {
  return dayOfKind(CORRECTION, value);
}

function dayOfKind(kind: number, value: Buffer): Day | undefined {
  const numbers = new NumberReader(value);
  const isKind = numbers.next() === kind;
  numbers.next();
  return isKind ? toDay(numbers.next()) : undefined;
}

function encodeScan(
  { day, id, at, reader, outcome, filed, flags = 0 }: ScanChange,
  writtenAt: number,
): Buffer {
  const { sequence, estimate } = filed ?? {};
  const bits =
    (outcome === 'already-counted' ? ALREADY_COUNTED : 0) +
    (sequence === undefined ? 0 : FILED) +
    (estimate === undefined ? 0 : ESTIMATED) +
    (at > writtenAt ? LATER : 0) +
    (flags === 0 ? 0 : FLAGGED);
  const text = reader === undefined ? nothing : Buffer.from(reader);
  const numbers = [SCAN, writtenAt, day, bits, Math.abs(at - writtenAt)];
  if (sequence !== undefined) numbers.push(sequence);
  if (estimate !== undefined) numbers.push(estimate.earliest, estimate.latest);
  if (flags !== 0) numbers.push(flags);
  // Length 0: no reader. Length 1: a reader with an empty name.
  numbers.push(reader === undefined ? 0 : text.length + 1);
  return Buffer.concat([encodeNumbers(...numbers), text, bytesOf(id)]);
}

function encodeProvisional(change: ProvisionalChange, writtenAt: number): Buffer {
  const [reader, bootId] = [Buffer.from(change.reader), Buffer.from(change.bootId)];
  const moment = Buffer.alloc(8);
  moment.writeDoubleBE(change.monotonicMs);
  return Buffer.concat([
    encodeNumbers(PROVISIONAL, writtenAt, change.sequence, reader.length, bootId.length),
    reader,
    bootId,
    moment,
    bytesOf(change.id),
  ]);
}

function decodeKind(kind: number, writtenAt: number, fields: FieldReader): Change {
  switch (kind) {
    case SCAN:
      return decodeScan(writtenAt, fields);
    case PROVISIONAL:
      return decodeProvisional(fields);
    case NAME: {
      const action = choose(NAME_ACTIONS, fields.number());
      return { kind: 'name', id: fields.id(), action };
    }
    case DAY: {
      const [day, action] = [toDay(fields.number()), choose(DAY_ACTIONS, fields.number())];
      fields.end();
      return { kind: 'day', day, action };
    }
    case ERASED: {
      const digest = fields.bytes(DIGEST_BYTES).toString('hex');
      fields.end();
      return { kind: 'erased', digest };
    }
    case CORRECTION: {
      const [day, number] = [toDay(fields.number()), fields.number()];
      return { kind: 'correction', number, day, id: fields.id() };
    }
    case TAG:
      return { kind: 'tag', id: fields.id() };
    case PERSON:
      return { kind: 'person', person: parsePersonId(fields.rest()) };
    case GROUP:
      return { kind: 'group', group: parseGroupId(fields.rest()) };
    case REPAIRED:
      fields.end();
      return { kind: 'repaired' };
    case CARRIED:
      return { kind: 'carried', row: parseCarriedKey(fields.rest()) };
    default:
      // Of a later version of this format: followers go on after it.
      return { kind: 'carried' };
  }
}

function decodeScan(writtenAt: number, fields: FieldReader): ScanChange {
  const day = toDay(fields.number());
  const bits = fields.number();
  if (bits >= FLAGGED * 2) throw new RangeError('there is no such kind of scan');
  const has = (bit: number): boolean => (bits & bit) !== 0;
  const distance = fields.number();
  const at = toTimestamp(has(LATER) ? writtenAt + distance : writtenAt - distance);
  const filed = has(FILED) ? decodeFiled(has(ESTIMATED), fields) : undefined;
  const flags = has(FLAGGED) ? { flags: fields.number() } : {};
  const length = fields.number();
  const reader = length === 0 ? undefined : fields.text(length - 1);
  const outcome = has(ALREADY_COUNTED) ? 'already-counted' : 'counted';
  return { kind: 'scan', day, id: fields.id(), at, reader, outcome, ...(filed && { filed }), ...flags };
}

function decodeFiled(isEstimated: boolean, fields: FieldReader): FiledScan {
  const sequence = fields.number();
  if (!isEstimated) return { sequence };
  const earliest = toTimestamp(fields.number());
  return { sequence, estimate: { earliest, latest: toTimestamp(fields.number()) } };
}

function decodeProvisional(fields: FieldReader): ProvisionalChange {
  const sequence = fields.number();
  const lengths = [fields.number(), fields.number()] as const;
  const [reader, bootId] = [fields.text(lengths[0]), fields.text(lengths[1])];
  const monotonicMs = fields.bytes(8).readDoubleBE();
  return { kind: 'provisional', sequence, id: fields.id(), reader, bootId, monotonicMs };
}

function choose<T>(actions: readonly T[], index: number): T {
  const action = actions[index];
  if (action === undefined) throw new RangeError('there is no such action');
  return action;
}

function bytesOf(id: TallyId): Buffer {
  return Buffer.from(id, 'hex');
}

/** Reads the fields after the first two numbers of a row. */
class FieldReader {
  readonly #numbers: NumberReader;
  readonly #value: Buffer;

  constructor(numbers: NumberReader, value: Buffer) {
    this.#numbers = numbers;
    this.#value = value;
  }

  number(): number {
    return this.#numbers.next();
  }

  bytes(length: number): Buffer {
    return this.#numbers.take(length);
  }

  text(length: number): string {
    return utf8.decode(this.bytes(length));
  }

  /** The rest of the row, as an id. */
  id(): TallyId {
    return parseTallyId(this.#value.toString('hex', this.#numbers.offset));
  }

  /** The rest of the row, as a text. */
  rest(): string {
    return utf8.decode(this.#value.subarray(this.#numbers.offset));
  }

  end(): void {
    this.#numbers.end();
  }
}
