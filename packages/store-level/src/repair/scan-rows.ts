import type { StoredRow } from '../leveldb-files/stored-rows.js';
import { isMeaningfulKey } from '../rows/row-kinds.js';
import { isSealed } from '../rows/seal.js';

/** The row at an offset, sound or not; `undefined` if none can be there. */
type RowAt = (bytes: Buffer, at: number) => StoredRow | undefined;

/**
 * Finds rows with the right checksum of their own, wherever they begin. A deletion has no checksum: it counts if it has a valid
 * key, and a row or another deletion comes directly before or after it.
 */
export function scanRows(bytes: Buffer, rowAt: RowAt): readonly StoredRow[] {
  const rows: StoredRow[] = [];
  let end = -1;
  for (let at = 0; at < bytes.length;) {
    const row = rowAt(bytes, at);
    const isFound =
      isSealedRow(row) || (isDeletion(row) && (at === end || isPossible(rowAt(bytes, row?.end ?? at))));
    if (row === undefined || !isFound) {
      at++;
      continue;
    }
    rows.push(row);
    at = row.end;
    end = at;
  }
  return rows;
}

function isPossible(row: StoredRow | undefined): boolean {
  return isSealedRow(row) || isDeletion(row);
}

function isSealedRow(row: StoredRow | undefined): boolean {
  return row?.value !== undefined && isSealed(row.key, row.value);
}

function isDeletion(row: StoredRow | undefined): boolean {
  return row !== undefined && row.value === undefined && isMeaningfulKey(row.key);
}
