import {
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
 * The row of a change holds numbers, then texts, then the id of the tag, which needs no length. The first number has the kind in
 * three bits, and four bits whose meaning depends on the kind. The second number is the time at which the change was written.
 */
const SCAN = 0;
const PROVISIONAL = 1;
const NAME = 2;
const DAY = 3;
const REPAIRED = 4;
const CORRECTION = 5;
const ERASED = 6;
/** A person, or the timeline of a tag. */
const PEOPLE = 7;
const KINDS = 8;

const DIGEST_BYTES = 16;

const ALREADY_COUNTED = 0x08;
const FILED = 0x10;
const ESTIMATED = 0x20;
/** The scan has a later time than the change was written. */
const LATER = 0x40;

const NAME_ACTIONS: readonly NameChange['action'][] = ['added', 'replaced', 'removed'];
const DAY_ACTIONS = ['removed', 'merged'] as const;
const PEOPLE_KINDS = ['tag', 'person'] as const;

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
      return Buffer.concat([encodeNumbers(NAME + KINDS * action, writtenAt), bytesOf(change.id)]);
    }
    case 'tag':
      return Buffer.concat([encodePeople(change.kind, writtenAt), bytesOf(change.id)]);
    case 'person':
      return Buffer.concat([encodePeople(change.kind, writtenAt), Buffer.from(change.person)]);
    case 'day':
      return encodeNumbers(DAY + KINDS * DAY_ACTIONS.indexOf(change.action), writtenAt, change.day);
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

function encodePeople(kind: (typeof PEOPLE_KINDS)[number], writtenAt: number): Buffer {
  return encodeNumbers(PEOPLE + KINDS * PEOPLE_KINDS.indexOf(kind), writtenAt);
}

/** Throws if the value is no change. */
export function decodeChange(value: Buffer): StoredChange {
  const numbers = new NumberReader(value);
  const head = numbers.next();
  const writtenAt = numbers.next();
  return { writtenAt, change: decodeKind(head, writtenAt, new FieldReader(numbers, value)) };
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
  const isKind = numbers.next() % KINDS === kind;
  numbers.next();
  return isKind ? toDay(numbers.next()) : undefined;
}

function encodeScan({ day, id, at, reader, outcome, filed }: ScanChange, writtenAt: number): Buffer {
  const { sequence, estimate } = filed ?? {};
  const head =
    SCAN +
    (outcome === 'already-counted' ? ALREADY_COUNTED : 0) +
    (sequence === undefined ? 0 : FILED) +
    (estimate === undefined ? 0 : ESTIMATED) +
    (at > writtenAt ? LATER : 0);
  const text = reader === undefined ? nothing : Buffer.from(reader);
  const numbers = [head, writtenAt, day, Math.abs(at - writtenAt)];
  if (sequence !== undefined) numbers.push(sequence);
  if (estimate !== undefined) numbers.push(estimate.earliest, estimate.latest);
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

function decodeKind(head: number, writtenAt: number, fields: FieldReader): Change {
  const kind = head % KINDS;
  if (kind === SCAN) return decodeScan(head, writtenAt, fields);
  const action = (head - kind) / KINDS;
  if (kind === PROVISIONAL && action === 0) return decodeProvisional(fields);
  if (kind === NAME) return { kind: 'name', id: fields.id(), action: choose(NAME_ACTIONS, action) };
  if (kind === DAY) {
    const day = toDay(fields.number());
    fields.end();
    return { kind: 'day', day, action: choose(DAY_ACTIONS, action) };
  }
  if (kind === PEOPLE) {
    return choose(PEOPLE_KINDS, action) === 'tag'
      ? { kind: 'tag', id: fields.id() }
      : { kind: 'person', person: parsePersonId(fields.rest()) };
  }
  if (head === ERASED) {
    const digest = fields.bytes(DIGEST_BYTES).toString('hex');
    fields.end();
    return { kind: 'erased', digest };
  }
  if (head === CORRECTION) {
    const [day, number] = [toDay(fields.number()), fields.number()];
    return { kind: 'correction', number, day, id: fields.id() };
  }
  if (head !== REPAIRED) throw new RangeError('there is no such kind of change');
  fields.end();
  return { kind: 'repaired' };
}

function decodeScan(head: number, writtenAt: number, fields: FieldReader): ScanChange {
  if (head >= LATER * 2) throw new RangeError('there is no such kind of scan');
  const has = (flag: number): boolean => (head & flag) !== 0;
  const day = toDay(fields.number());
  const distance = fields.number();
  const at = toTimestamp(has(LATER) ? writtenAt + distance : writtenAt - distance);
  const filed = has(FILED) ? decodeFiled(has(ESTIMATED), fields) : undefined;
  const length = fields.number();
  const reader = length === 0 ? undefined : fields.text(length - 1);
  const outcome = has(ALREADY_COUNTED) ? 'already-counted' : 'counted';
  return { kind: 'scan', day, id: fields.id(), at, reader, outcome, ...(filed && { filed }) };
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
