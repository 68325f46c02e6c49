import { isMeaningfulKey } from '../rows/row-kinds.js';
import { isSealed } from '../rows/seal.js';
import { SUFFIX_BYTES, type RowVersion } from '../leveldb-files/table-block.js';

const DELETED = 0;
const PUT = 1;
/** No key is longer. */
const KEY_BYTES_MAX = 1_024;
/** Bytes of the longest number that states the length of a value: a name has 200 characters at most. */
const NUMBER_BYTES_MAX = 3;

interface Pair {
  /** The key, with its suffix. */
  readonly key: Buffer;
  readonly value: Buffer;
  readonly end: number;
}

/** A row, and its place in the bytes. */
export interface FoundRow {
  readonly version: RowVersion;
  readonly start: number;
  readonly end: number;
}

interface Restart {
  readonly at: number;
  readonly key: Buffer;
}

/**
 * Finds rows in bytes that were blocks of a table: rows with the right seal, wherever they begin, and deletions after such rows.
 *
 * A key shares its beginning with the key before it, which may be lost. Keys are in order, so an earlier key, or the next whole
 * key, has the same beginning. The seal shows which of them is right.
 *
 * @param around Keys before and after these bytes, as far as they are known.
 */
export function findRows(bytes: Buffer, around: readonly Buffer[] = []): readonly FoundRow[] {
  const rows: FoundRow[] = [];
  const restarts = restartsIn(bytes);
  // For an offset at which the next row may begin: a guess of the key before it.
  const guesses = new Map<number, Buffer>();
  let previous: Buffer = Buffer.alloc(0);
  let isCertain = false;
  let nextRestart = 0;
  for (let at = 0; at < bytes.length;) {
    while ((restarts[nextRestart]?.at ?? Infinity) < at) nextRestart++;
    const neighbours = [guesses.get(at), previous, restarts[nextRestart]?.key, ...around];
    let found: Pair | undefined;
    for (const neighbour of neighbours) {
      const pair = neighbour === undefined ? undefined : pairAt(bytes, at, neighbour);
      if (pair === undefined) continue;
      if (isRow(pair) || (isCertain && isDeletionAfter(previous, pair))) {
        found = pair;
        break;
      }
      if (!guesses.has(pair.end)) guesses.set(pair.end, pair.key);
    }
    isCertain = found !== undefined;
    if (found === undefined) {
      at++;
      continue;
    }
    rows.push({ version: toVersion(found), start: at, end: found.end });
    previous = found.key;
    at = found.end;
  }
  return rows;
}

/** The rows with whole keys, which share nothing with the key before: LevelDB writes every sixteenth key so. */
function restartsIn(bytes: Buffer): readonly Restart[] {
  const restarts: Restart[] = [];
  const nothing = Buffer.alloc(0);
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    const pair = pairAt(bytes, at, nothing);
    if (pair !== undefined && isRow(pair)) restarts.push({ at, key: pair.key });
  }
  return restarts;
}

/** The key and its value at an offset; `undefined` if none can be there. The key before must be long enough for the shared part. */
function pairAt(bytes: Buffer, at: number, before: Buffer): Pair | undefined {
  const shared = numberAt(bytes, at);
  if (shared === undefined || shared > before.length) return undefined;
  const lengthAt = at + bytesOf(shared);
  const keyLength = numberAt(bytes, lengthAt);
  if (keyLength === undefined || shared + keyLength <= SUFFIX_BYTES) return undefined;
  if (shared + keyLength > KEY_BYTES_MAX) return undefined;
  const valueLengthAt = lengthAt + bytesOf(keyLength);
  const valueLength = numberAt(bytes, valueLengthAt);
  if (valueLength === undefined) return undefined;
  const start = valueLengthAt + bytesOf(valueLength);
  const valueAt = start + keyLength;
  const end = valueAt + valueLength;
  if (end > bytes.length) return undefined;
  const kindAt = valueAt - SUFFIX_BYTES;
  const kind = kindAt >= start ? bytes[kindAt] : before[shared - (start - kindAt)];
  if (kind !== PUT && kind !== DELETED) return undefined;
  const key = Buffer.concat([before.subarray(0, shared), bytes.subarray(start, valueAt)]);
  return { key, value: bytes.subarray(valueAt, end), end };
}

/** The number at an offset; `undefined` if none can be there. A `NumberReader` would throw very often, which takes long. */
function numberAt(bytes: Buffer, at: number): number | undefined {
  let value = 0;
  for (let place = 0; place < NUMBER_BYTES_MAX; place++) {
    const byte = bytes[at + place];
    if (byte === undefined) return undefined;
    value += (byte % 0x80) * 0x80 ** place;
    if (byte < 0x80) return value;
  }
  return undefined;
}

/** How many bytes an encoded number takes. */
function bytesOf(number: number): number {
  return number < 0x80 ? 1 : number < 0x4000 ? 2 : NUMBER_BYTES_MAX;
}

function isRow({ key, value }: Pair): boolean {
  return kindOf(key) === PUT && isSealed(rowKey(key), value);
}

/** Whether a pair is a deleted row whose key can follow another key. */
function isDeletionAfter(before: Buffer, { key, value }: Pair): boolean {
  if (kindOf(key) !== DELETED || value.length > 0 || !isMeaningfulKey(rowKey(key))) return false;
  const order = rowKey(key).compare(rowKey(before));
  return order > 0 || (order === 0 && sequenceOf(key) < sequenceOf(before));
}

function toVersion({ key, value }: Pair): RowVersion {
  return {
    key: rowKey(key),
    value: kindOf(key) === DELETED ? undefined : value,
    sequence: sequenceOf(key),
    isDoubtful: true,
  };
}

function rowKey(key: Buffer): Buffer {
  return key.subarray(0, -SUFFIX_BYTES);
}

function kindOf(key: Buffer): number | undefined {
  return key.at(-SUFFIX_BYTES);
}

function sequenceOf(key: Buffer): number {
  return key.readUIntLE(key.length - SUFFIX_BYTES + 1, 6);
}
