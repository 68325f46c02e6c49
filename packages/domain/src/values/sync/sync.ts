import type { Entry } from '../record/attendance-day.js';
import type { FiledScan } from '../record/attendance-event.js';
import type { NewCorrection } from '../record/correction.js';
import type { Day } from '../day.js';
import type { Erasure } from '../record/erasure.js';
import type { Name } from '../names/name.js';
import type { NameStamp } from '../names/name-stamp.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

// All of it is plain JSON: what is here is what is sent.
//
//     station                                            centre
//     journal -> SyncBatch    ---- push ---------------> merged, then acknowledged: SyncAnswer
//     applied <- SyncChanges  <--- changes, snapshot --- journal

/** Most items of a batch, or of the changes that are handed out at a time. */
export const SYNC_MAX_ITEMS = 1_000;
/** Most UTF-8 bytes of a batch as JSON: 256 KiB. */
export const SYNC_MAX_BYTES = 262_144;
/** Most entries in an item of entries. */
export const SYNC_MAX_ENTRIES = 500;
/** Longest that a centre holds a request for changes, in milliseconds. */
export const SYNC_MAX_WAIT_MS = 30_000;
/** How far a stamp may lie ahead of the centre's clock, in milliseconds: 5 minutes. A later one is cut to the centre's time. */
export const STAMP_MAX_AHEAD_MS = 300_000;

/** A scan; without `reader` if nobody knows it any more. The station decided the day. */
export interface ScanItem {
  readonly kind: 'scan';
  readonly day: Day;
  readonly id: TallyId;
  readonly at: Timestamp;
  readonly reader?: string;
  /** Given if the scan was provisional before. */
  readonly filed?: FiledScan;
}

/** The name of a tag as it is now. */
export interface NameItem {
  readonly kind: 'name';
  readonly id: TallyId;
  /** `null`: it was taken away. */
  readonly name: Name | null;
  /** `null`: the clock was not trusted; the centre gives it the stamp of its arrival. */
  readonly stamp: NameStamp | null;
}

/** A correction as it is now. */
export interface CorrectionItem {
  readonly kind: 'correction';
  readonly correction: NewCorrection;
}

/** Entries of a day that are more than their scans, such as those of a backup. 1 to {@link SYNC_MAX_ENTRIES}. */
export interface EntriesItem {
  readonly kind: 'entries';
  readonly day: Day;
  readonly entries: readonly Entry[];
}

/** Somebody was erased. */
export interface ErasureItem {
  readonly kind: 'erasure';
  readonly erasure: Erasure;
}

/** A day was removed, with its corrections. */
export interface DayItem {
  readonly kind: 'day';
  readonly day: Day;
}

/** Item from a station. */
export type UpItem = ScanItem | NameItem | CorrectionItem | EntriesItem | ErasureItem;
/** Item from a centre. */
export type DownItem = NameItem | CorrectionItem | ErasureItem | DayItem;

/** An item with the cursor of its change in the run of the station. Several may share one. */
export type SyncItem = UpItem & { readonly cursor: number };

/** State of a station. */
export interface StationStatus {
  /** About how many changes wait to be sent; never 0 if there are any. */
  readonly waiting: number;
  /** Since when the oldest of them waits; absent if none does, or nobody knows. */
  readonly oldestWaitingAt?: Timestamp;
  /** Scans that wait until the clock of the station is right. They are sent when they are filed. */
  readonly provisional: number;
  readonly isClockTrusted: boolean;
  /** Release of its program, 1 to 64 characters. */
  readonly version: string;
}

/** A batch of a station. Without items it only reports the state of the station. */
export interface SyncBatch {
  /** The origin of the journal whose cursors it has; or, while the whole record is sent, a name of its own. 1 to 64 characters. */
  readonly run: string;
  /** The changes up to this cursor were sent before, 0 or more. */
  readonly after: number;
  /** End of the changes in this batch: `after` or more. */
  readonly through: number;
  /** The whole record was sent before, so it does not matter what the centre has of this run. */
  readonly isRestart?: true;
  /** Ascending by cursor, each above `after` and up to `through`. */
  readonly items: readonly SyncItem[];
  readonly status: StationStatus;
}

/** An item that the centre did not take, and will not. It holds neither id nor name: these may be the wrong part. */
export interface RefusedItem {
  readonly cursor: number;
  /** An `ErrorCode`, or one of a later version. */
  readonly code: string;
  readonly message: string;
}

/** Answer of a centre when the whole batch is durable. */
export interface SyncAnswer {
  readonly run: string;
  /** The centre has this run up to here. */
  readonly acknowledged: number;
  readonly refused: readonly RefusedItem[];
  /** The names that these tags have at the centre instead of the sent ones. */
  readonly superseded: readonly NameItem[];
  /** Why items of erased tags were refused: the station has to erase them too. */
  readonly erasures: readonly Erasure[];
  /** Days before this one are not kept; absent if all are, or while the centre holds old days back. */
  readonly keepFrom?: Day;
  /** The time at the centre. */
  readonly now: Timestamp;
}

/** A place in the changes of a centre. */
export interface SyncPosition {
  /** The journal of the centre. */
  readonly origin: string;
  /** 0 or more. */
  readonly cursor: number;
}

/** Changes after a place. */
export interface SyncChanges extends SyncPosition {
  /** In their order; none if there was nothing that concerns a station. */
  readonly items: readonly DownItem[];
  /** Days before this one are not kept; absent if all are. */
  readonly keepFrom?: Day;
  /** The time at the centre. */
  readonly now: Timestamp;
}

/**
 * A part of all that a centre has to send, in this order: the head, with the place whose changes follow; the erasures, names
 * and corrections; and the end, without which it was cut short.
 */
export type SyncSnapshotPart =
  | ({ readonly kind: 'head'; readonly now: Timestamp; readonly keepFrom?: Day } & SyncPosition)
  | NameItem
  | CorrectionItem
  | ErasureItem
  | {
      readonly kind: 'end';
      /** How many items there were. */
      readonly items: number;
    };
