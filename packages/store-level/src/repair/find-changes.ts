import { NumberReader } from '../leveldb-files/numbers.js';
import { isMeaningfulKey } from '../rows/row-kinds.js';
import { isSealed } from '../rows/seal.js';
import type { RowVersion } from '../leveldb-files/table-block.js';

/*
 * A batch in a log: the sequence number of its first change (8 bytes), the number of changes (4), and the changes. A change is
 * its kind, its key and, if it puts a row, the value. Key and value have their lengths before them.
 */
const SEQUENCE_BYTES = 6;
const COUNT_AT = 8;
const HEADER_BYTES = 12;
const CHANGE_BYTES_MIN = 3;
const DELETED = 0;
const PUT = 1;
/** No value is longer: a name has 200 characters at most. */
const VALUE_BYTES_MAX = 65_536;

/** Bounds, both excluded, of the sequence numbers in some bytes; `undefined` if unknown. */
export interface SequenceBounds {
  readonly after: number | undefined;
  readonly before: number | undefined;
  /** Whether numbers may be missing after `after`, for example because a log is lost. */
  readonly mayJump: boolean;
}

export interface FoundChanges {
  readonly versions: readonly RowVersion[];
  /** How many changes are lost according to the headers of the found batches. */
  readonly lost: number;
}

/** Larger than all sequence numbers of a store. */
const UNKNOWN = 2 ** 48;

/**
 * Finds changes in bytes of a log that are no sound record. A row counts if its seal is right, wherever it begins. A deletion
 * counts if it follows the beginning of its batch, or a row, without damage in between.
 *
 * An unknown sequence number counts as the smallest possible one, so the order of the changes is right.
 */
export function findChanges(bytes: Buffer, { after, before, mayJump }: SequenceBounds): FoundChanges {
  const versions: RowVersion[] = [];
  let sequence = after ?? 0;
  // How many changes were found so far, while no sequence number is known; `undefined` once one is known.
  let floating = after === undefined ? 0 : undefined;
  let lost = 0;
  // How many changes of the batch are left; unknown after a damaged header.
  let left = Infinity;
  // Whether the bytes here follow a sound header or change.
  let isCertain = false;
  const settle = (next: number): void => {
    for (let n = 0; n < (floating ?? 0); n++) {
      const version = versions[n];
      if (version !== undefined) versions[n] = { ...version, sequence: next - (floating ?? 0) + n };
    }
    floating = undefined;
  };
  const endBatch = (): void => {
    if (left !== Infinity) lost += left;
    left = Infinity;
  };
  for (let at = 0; at < bytes.length;) {
    const change = changeAt(bytes, at);
    if (change?.isSealed === true || (change !== undefined && isCertain && left > 0)) {
      if (left === 0) endBatch();
      left--;
      versions.push({ key: change.key, value: change.value, sequence: ++sequence, isDoubtful: true });
      if (floating !== undefined) floating++;
      at = change.end;
      isCertain = true;
      continue;
    }
    const header = headerAt(bytes, at, {
      after: floating === undefined ? sequence : undefined,
      before,
      mayJump: mayJump && versions.length === 0,
    });
    if (header !== undefined) {
      settle(header.first);
      endBatch();
      sequence = header.first - 1;
      left = header.count;
      at += HEADER_BYTES;
    } else {
      at++;
    }
    isCertain = header !== undefined;
  }
  endBatch();
  settle(before ?? UNKNOWN);
  return { versions, lost };
}

interface Change {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
  readonly end: number;
  readonly isSealed: boolean;
}

/** The change at an offset; `undefined` if no change can be there. */
function changeAt(bytes: Buffer, at: number): Change | undefined {
  const kind = bytes[at];
  if (kind !== PUT && kind !== DELETED) return undefined;
  try {
    const reader = new NumberReader(bytes.subarray(at + 1));
    const key = reader.take(reader.next());
    if (kind === DELETED) {
      if (!isMeaningfulKey(key)) return undefined;
      return { key, value: undefined, end: at + 1 + reader.offset, isSealed: false };
    }
    const length = reader.next();
    if (length > VALUE_BYTES_MAX) return undefined;
    const value = reader.take(length);
    return isSealed(key, value) ? { key, value, end: at + 1 + reader.offset, isSealed: true } : undefined;
  } catch {
    return undefined;
  }
}

/** The header of a batch at an offset; `undefined` if no header with a possible number is there. */
function headerAt(
  bytes: Buffer,
  at: number,
  { after, before, mayJump }: SequenceBounds,
): { readonly first: number; readonly count: number } | undefined {
  if (at + HEADER_BYTES > bytes.length) return undefined;
  // The number has eight bytes; no store reaches numbers that need the last two.
  if (bytes.readUInt16LE(at + SEQUENCE_BYTES) !== 0) return undefined;
  const first = bytes.readUIntLE(at, SEQUENCE_BYTES);
  const count = bytes.readUInt32LE(at + COUNT_AT);
  const end = first + count;
  if (first === 0 || count === 0 || count > changesIn(bytes.length - at)) return undefined;
  // At most as many numbers are missing as changes fit into the unreadable bytes.
  const latest = mayJump ? Infinity : (after ?? 0) + 1 + changesIn(at);
  if (after !== undefined && !(first > after && first <= latest)) return undefined;
  if (before !== undefined && !(end <= before && end + changesIn(bytes.length - at) >= before))
    return undefined;
  return { first, count };
}

/** How many changes fit into a number of bytes. */
function changesIn(bytes: number): number {
  return Math.floor(bytes / CHANGE_BYTES_MIN);
}
