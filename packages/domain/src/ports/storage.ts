import type { Lifecycle } from '../lifecycle.js';
import type { ReceiptStore } from './devices/receipt-store.js';
import type { MappingStore } from './names/mapping-store.js';
import type { DayStore } from './record/day-store.js';
import type { Journal } from './record/journal.js';
import type { ProvisionalStore } from './record/provisional-store.js';
import type { SnapshotSource } from './record/snapshot-source.js';

/**
 * Everything that is stored, as one object with one lifecycle.
 *
 * Its parts are open while it is open, and share one journal and one snapshot. A part that a storage lacks is absent, never a
 * stub: what needs it is not offered. Other entrances of this package name further parts; a storage may have any of them.
 */
export interface Storage extends Lifecycle {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  /** The changes of all parts that belong to the record, in the order of their commits. */
  readonly journal: Journal;
  /** Snapshots of all parts that belong to the record. */
  readonly snapshots: SnapshotSource;
  /** Absent: scans without a trusted time are refused. */
  readonly provisional?: ProvisionalStore;
  /** Absent: a batch of readings that is sent again is recorded again. */
  readonly receipts?: ReceiptStore;
}
