import { NumberReader } from './numbers.js';
import type { RowVersion } from './table-block.js';

const HEADER_BYTES = 12;
const DELETED = 0;

/**
 * Reads a record of a log: a batch of changes. It begins with the sequence number of the first change (8 bytes) and the number of
 * changes (4). Reading stops at the first invalid change.
 */
export function readBatch(record: Buffer): readonly RowVersion[] {
  const versions: RowVersion[] = [];
  try {
    const first = record.readUIntLE(0, 6);
    const changes = new NumberReader(record.subarray(HEADER_BYTES));
    while (!changes.isAtEnd) {
      const kind = changes.next();
      const key = changes.take(changes.next());
      const value = kind === DELETED ? undefined : changes.take(changes.next());
      versions.push({ key, value, sequence: first + versions.length, isDoubtful: false });
    }
  } catch {
    // The changes before the damage are sound.
  }
  return versions;
}
