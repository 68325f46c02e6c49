import type { Lifecycle } from '../lifecycle.js';
import type { ReceiptStore } from './devices/receipt-store.js';
import type { MappingStore } from './names/mapping-store.js';
import type { PeopleStore } from './people/people-store.js';
import type { DayStore } from './record/day-store.js';
import type { Journal } from './record/journal.js';
import type { ProvisionalStore } from './record/provisional-store.js';
import type { Refusals } from './record/refusals.js';
import type { SnapshotSource } from './record/snapshot-source.js';

/**
 * Everything that is stored, as one object with one lifecycle.
 *
 * Its facets are open while it is open, and share one journal and one snapshot. A facet that a storage lacks is absent, never a
 * stub: what needs it is not offered. Further facets are in `RecordFacets`, `AccessFacets`, `PersonalFacets` and `SyncFacets`.
 *
 * Operations of facets reject with `NOT_OPEN` unless the storage is open, and with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`. `open()` also rejects with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`. `close()` waits
 * for operations in flight. An operation writes all or nothing; no transaction spans several operations or facets.
 */
export interface Storage extends Lifecycle {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  /** The changes of the record, in the order of their commits. */
  readonly journal: Journal;
  /** Snapshots of the whole record. */
  readonly snapshots: SnapshotSource;
  /** Absent: each tag is a person of its own, and only names are known. */
  readonly people?: PeopleStore;
  /** Absent: scans without a trusted time are refused. */
  readonly provisional?: ProvisionalStore;
  /** Absent: a batch of readings that is sent again is recorded again. */
  readonly receipts?: ReceiptStore;
  /** Absent: no person can be erased, and nothing is refused. `PersonalFacets` has all of it. */
  readonly erasures?: Refusals;
  /** Whether other servers use it at the same time. Default: no. */
  readonly isShared?: boolean;
  /** Whether the journal begins anew at each start, so that it keeps no positions. Default: no. */
  readonly isJournalVolatile?: boolean;
  /**
   * Checks the stored data in the background from the next opening on, and reports what is wrong with it, unless the storage
   * was made with a receiver of its own. Absent: it only rejects.
   */
  reportTo?(report: (error: unknown) => void): void;
}
