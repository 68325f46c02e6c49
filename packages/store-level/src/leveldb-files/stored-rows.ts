/*
 * How LevelDB stores rows.
 *
 *   in a table  | 0 | length of the key + 8 | length of the value | key | kind (1) | sequence number (7) | value |
 *   in a log    | kind (1) | length of the key | key | length of the value | value |
 *
 * Lengths are varints. The first number of a row in a table says how many bytes of the key are those of the key before: none in
 * our tables. A deleted row has no value, and in a log no length of one.
 */

/** Bytes that a key in a table has in addition. */
const SUFFIX_BYTES = 8;
/** Bytes of a record before its rows: the sequence number of the first row (8), and the number of rows (4). */
const BATCH_HEADER_BYTES = 12;
const LENGTH_BYTES_MAX = 4;
const DELETED = 0;
const PUT = 1;

/** A row, and where it ends. */
export interface StoredRow {
  readonly key: Buffer;
  /** `undefined` if the row was deleted. */
  readonly value: Buffer | undefined;
  readonly sequence: number;
  readonly end: number;
}

/** A state of a row: the one with the largest `sequence` is the newest. */
export interface RowVersion extends Omit<StoredRow, 'end'> {
  /** Whether LevelDB's checksum of the bytes around the row is wrong. */
  readonly isDoubtful: boolean;
}

/** The row of a table at an offset; `undefined` if none can be there. */
export function tableRowAt(bytes: Buffer, at: number): StoredRow | undefined {
  if (bytes[at] !== 0) return undefined;
  const [keyLength, valueLengthAt] = lengthAt(bytes, at + 1);
  const [valueLength, start] = lengthAt(bytes, valueLengthAt);
  const valueAt = start + keyLength;
  const kindAt = valueAt - SUFFIX_BYTES;
  const end = valueAt + valueLength;
  const isDeleted = bytes[kindAt] === DELETED && valueLength === 0;
  if (!(kindAt > start && end <= bytes.length) || !(isDeleted || bytes[kindAt] === PUT)) return undefined;
  const value = isDeleted ? undefined : bytes.subarray(valueAt, end);
  return { key: bytes.subarray(start, kindAt), value, sequence: bytes.readUIntLE(kindAt + 1, 6), end };
}

/** The row of a log at an offset; `undefined` if none can be there. Its sequence number is not in its bytes. */
export function logRowAt(bytes: Buffer, at: number, sequence: number): StoredRow | undefined {
  const isDeleted = bytes[at] === DELETED;
  if (!isDeleted && bytes[at] !== PUT) return undefined;
  const [keyLength, start] = lengthAt(bytes, at + 1);
  const keyEnd = start + keyLength;
  const [valueLength, valueAt] = isDeleted ? [0, keyEnd] : lengthAt(bytes, keyEnd);
  const end = valueAt + valueLength;
  if (!(keyLength > 0 && end <= bytes.length)) return undefined;
  // A value has at least four bytes, its checksum. So this is a row whose kind is wrong.
  if (isDeleted && (bytes[end] ?? DELETED) > PUT) return undefined;
  const value = isDeleted ? undefined : bytes.subarray(valueAt, end);
  return { key: bytes.subarray(start, keyEnd), value, sequence, end };
}

/** The rows of a record of a log, up to the first invalid one. */
export function readBatch(record: Buffer): readonly RowVersion[] {
  const versions: RowVersion[] = [];
  if (record.length < BATCH_HEADER_BYTES) return versions;
  let sequence = record.readUIntLE(0, 6);
  let row = logRowAt(record, BATCH_HEADER_BYTES, sequence);
  for (; row !== undefined; row = logRowAt(record, row.end, ++sequence)) versions.push(toVersion(row));
  return versions;
}

/** A row of a sound place. */
export function toVersion({ key, value, sequence }: StoredRow): RowVersion {
  return { key, value, sequence, isDoubtful: false };
}

/** The varint at an offset, and the offset after it; `NaN` if none can be there, because a thrown error would take long. */
function lengthAt(bytes: Buffer, at: number): readonly [length: number, end: number] {
  let length = 0;
  for (let place = 0; place < LENGTH_BYTES_MAX; place++) {
    const byte = bytes[at + place] ?? NaN;
    length += (byte % 0x80) * 0x80 ** place;
    if (byte < 0x80) return [length, at + place + 1];
  }
  return [NaN, NaN];
}
