import { decompressBack, decompressFront } from '../leveldb-files/broken-snappy.js';
import { findRows, type FoundRow } from './find-rows.js';
import { elementAt, sizeOf } from '../leveldb-files/snappy.js';
import {
  mendBlock,
  PLAIN,
  rowsOf,
  SNAPPY,
  TRAILER_BYTES,
  type RowVersion,
} from '../leveldb-files/table-block.js';
import type { Rescue } from '../leveldb-files/table-file.js';

/** How many more places, at which the damage may end, are tried after the best place so far. */
const PATIENCE = 64;

/** Finds rows of damaged blocks by their seals. */
export const sealedRows: Rescue = { rowsOfDamaged, rowsOfGap };

/**
 * The rows of a damaged block with its trailer, in the order of their keys: all of them if only one bit is wrong, otherwise the
 * rows with the right seal.
 *
 * @param around Keys before and after the block, as far as they are known.
 */
function rowsOfDamaged(bytes: Buffer, around: readonly Buffer[] = []): readonly RowVersion[] {
  const mended = mendBlock(bytes);
  if (mended !== undefined) return rowsOf(mended);
  const plain = findRows(bytes, around);
  const content = bytes.subarray(0, -TRAILER_BYTES);
  const isPlain = bytes[content.length] === PLAIN && plain.length > 0;
  return joined([plain, ...(isPlain ? [] : rowsOfBroken(content, around))]);
}

/** The rows of damaged blocks whose beginnings are not known. */
function rowsOfGap(bytes: Buffer): readonly RowVersion[] {
  if (bytes.length <= TRAILER_BYTES) return [];
  const found = [rowsOfDamaged(bytes)];
  let start = 0;
  for (let end = endOfCompressed(bytes, start); end !== undefined; end = endOfCompressed(bytes, start)) {
    found.push(rowsOfDamaged(bytes.subarray(start, end + TRAILER_BYTES)));
    start = end + TRAILER_BYTES;
  }
  if (start > 0 && start + TRAILER_BYTES < bytes.length) found.push(rowsOfDamaged(bytes.subarray(start)));
  return inOrder(found.flat());
}

/** The rows of each possible content of a damaged compressed block. */
function rowsOfBroken(block: Buffer, around: readonly Buffer[]): readonly (readonly FoundRow[])[] {
  const front = decompressFront(block);
  const first = findRows(front, around);
  let end = 0;
  // Rows without a gap before them are certain. A row after a gap may be sound, but belong at another offset.
  for (const row of first) if (row.start === end) end = row.end;
  const candidates = [first];
  let most = 0;
  let tries = 0;
  for (const content of decompressBack(block, front, end)) {
    const rows = findRows(content, around);
    candidates.push(rows);
    tries = rows.length > most ? 0 : tries + 1;
    most = Math.max(most, rows.length);
    if (most > 0 && tries > PATIENCE) break;
  }
  return candidates;
}

/**
 * Joins the rows that several ways have found. A seal does not cover the sequence number. So the versions of a key are taken from
 * the way that finds most rows.
 */
function joined(ways: readonly (readonly FoundRow[])[]): readonly RowVersion[] {
  const found = new Map<string, readonly RowVersion[]>();
  for (const rows of [...ways].sort((a, b) => b.length - a.length)) {
    const byKey = new Map<string, RowVersion[]>();
    for (const { version } of rows) {
      const name = version.key.toString('latin1');
      byKey.set(name, [...(byKey.get(name) ?? []), version]);
    }
    for (const [name, versions] of byKey) if (!found.has(name)) found.set(name, versions);
  }
  return inOrder([...found.values()].flat());
}

function inOrder(versions: readonly RowVersion[]): readonly RowVersion[] {
  return [...versions].sort((a, b) => a.key.compare(b.key) || b.sequence - a.sequence);
}

/** The end of a compressed block that begins at an offset; `undefined` if it cannot be found. */
function endOfCompressed(bytes: Buffer, start: number): number | undefined {
  const { size, end } = sizeOf(bytes.subarray(start)) ?? { size: 0, end: 0 };
  let at = start + end;
  let filled = 0;
  while (filled < size) {
    const element = elementAt(bytes, at);
    if (element === undefined) return undefined;
    filled += element.length;
    at = element.end;
  }
  const isEnd = filled > 0 && filled === size && at + TRAILER_BYTES <= bytes.length;
  return isEnd && bytes[at] === SNAPPY ? at : undefined;
}
