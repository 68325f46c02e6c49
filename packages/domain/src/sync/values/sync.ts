import type { ErrorCode } from '../../errors.js';
import type { DetailedEntry } from '../../values/record/known-scans.js';
import type { FiledScan } from '../../values/record/reading.js';
import type { NewCorrection } from '../../record/values/correction.js';
import type { Day } from '../../values/day.js';
import type { Erasure } from '../../record/values/erasure.js';
import type { Name } from '../../values/name.js';
import type { Stamp } from '../../values/stamp.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

// All messages are plain JSON: they are sent as they are declared here.
//
// station centre journal -> SyncBatch ---- push ---------------> merged, then acknowledged: SyncAnswer applied <-
// SyncChanges <--- changes, snapshot --- journal

/**
 * Number of the protocol that this version speaks, sent with each request and each answer. A later number says what the sender knows,
 * not what the other side must know: both go on as the earlier one of the two.
 */
export const SYNC_PROTOCOL = 1;

/** A message with the protocol of its sender. */
export interface SyncMessage {
  /** Absent: 1. */
  readonly protocol?: number;
}

/** Maximum number of items in a batch, or in one answer with changes. */
export const SYNC_MAX_ITEMS = 1_000;
/** Maximum size of a batch as JSON, in UTF-8 bytes: 256 KiB. */
export const SYNC_MAX_BYTES = 262_144;
/** Maximum number of entries in an `entries` item. */
export const SYNC_MAX_ENTRIES = 500;
/** Maximum number of scans in an `entries` item of a station: with 500 entries, it is below half of a batch. */
export const SYNC_MAX_SCANS = 1_000;
/** Largest cursor of a run or of a centre: no journal comes so far. */
export const SYNC_MAX_CURSOR: number = 2 ** 48 - 1;
/** About the maximum length of an answer with changes as JSON, in UTF-16 code units. One change may be longer. */
export const SYNC_MAX_ANSWER_LENGTH = 1_000_000;
/** Maximum time that a centre holds a request for changes, in milliseconds. */
export const SYNC_MAX_WAIT_MS = 30_000;
/**
 * How far a stamp may lie ahead of the centre's clock, in milliseconds: 5 minutes. A later stamp is cut to the centre's time.
 */
export const STAMP_MAX_AHEAD_MS = 300_000;

/** A scan; without `reader` if it is not known any more. The station decided the day. */
export interface ScanItem {
  readonly kind: 'scan';
  readonly day: Day;
  readonly id: TallyId;
  readonly at: Timestamp;
  readonly reader?: string;
  /** Given if the scan was provisional before. */
  readonly filed?: FiledScan;
  /** Flags of the scan, see `KnownScan`; absent if 0. */
  readonly flags?: number;
}

/** The name of a tag without a timeline as it is now: that of its implicit person. */
export interface NameItem {
  readonly kind: 'name';
  readonly id: TallyId;
  /** `null`: the name was taken away. */
  readonly name: Name | null;
  /** `null`: the clock was not trusted; the centre gives it the stamp of its arrival. */
  readonly stamp: Stamp | null;
}

/** A person as they are now, with the stamps of their values: as `plainPerson` writes them, without what follows from others. */
export interface PersonItem {
  readonly kind: 'person';
  readonly person: Readonly<Record<string, unknown>>;
}

/** The timeline of a tag as it is now: as `plainTimeline` writes it. */
export interface TagItem {
  readonly kind: 'tag';
  readonly timeline: Readonly<Record<string, unknown>>;
}

/** A group as it is now: as `plainGroup` writes it. */
export interface GroupItem {
  readonly kind: 'group';
  readonly group: Readonly<Record<string, unknown>>;
}

/** A carried row as it is now: as `plainCarried` writes it. */
export interface CarriedItem {
  readonly kind: 'carried';
  readonly row: Readonly<Record<string, unknown>>;
}

/** A correction as it is now. */
export interface CorrectionItem {
  readonly kind: 'correction';
  readonly correction: NewCorrection;
}

/**
 * Entries of a day whose scans are not all known one by one, such as those of a backup, with the known ones. 1 to
 * {@link SYNC_MAX_ENTRIES}.
 */
export interface EntriesItem {
  readonly kind: 'entries';
  readonly day: Day;
  readonly entries: readonly DetailedEntry[];
}

/** A person was erased. */
export interface ErasureItem {
  readonly kind: 'erasure';
  readonly erasure: Erasure;
}

/** A day was removed, with its corrections. */
interface DayItem {
  readonly kind: 'day';
  readonly day: Day;
}

/** Item from a station. */
export type UpItem =
  | ScanItem
  | NameItem
  | PersonItem
  | TagItem
  | GroupItem
  | CarriedItem
  | CorrectionItem
  | EntriesItem
  | ErasureItem;
/** Item from a centre. */
export type DownItem =
  | NameItem
  | PersonItem
  | TagItem
  | GroupItem
  | CarriedItem
  | CorrectionItem
  | ErasureItem
  | DayItem;

/** An item with the cursor of its change in the run of the station. Several may share one. */
export type SyncItem = UpItem & { readonly cursor: number };

/** State of a station. */
export interface StationStatus {
  /** About how many changes wait to be sent; never 0 if there are any. */
  readonly waiting: number;
  /** Time since which the oldest change waits; absent if none waits, or the time is unknown. */
  readonly oldestWaitingAt?: Timestamp;
  /** Number of scans that wait until the clock of the station is trusted. They are sent when they are filed. */
  readonly provisional: number;
  readonly isClockTrusted: boolean;
  /** Release of its program, 1 to 64 characters. */
  readonly version: string;
}

/** A batch of a station. Without items it only reports the state of the station. */
export interface SyncBatch extends SyncMessage {
  /**
   * The origin of the journal that the cursors belong to; or, while the whole record is sent, a name for this transfer. 1 to 64
   * characters.
   */
  readonly run: string;
  /** The changes up to this cursor were sent before, 0 or more. */
  readonly after: number;
  /** End of the changes in this batch: `after` or more. */
  readonly through: number;
  /** The whole record was sent before, so the centre need not have earlier changes of this run. */
  readonly isRestart?: true;
  /** Ascending by cursor, each above `after` and up to `through`. */
  readonly items: readonly SyncItem[];
  readonly status: StationStatus;
}

/** An item that the centre refused. It holds neither id nor name, since one of these may be the invalid part. */
export interface RefusedItem {
  readonly cursor: number;
  /** An `ErrorCode`, or one of a later version. */
  readonly code: string;
  readonly message: string;
}

/** Answer of a centre when the whole batch is durable. */
export interface SyncAnswer extends SyncMessage {
  readonly run: string;
  /** The centre has the changes of this run up to this cursor. */
  readonly acknowledged: number;
  readonly refused: readonly RefusedItem[];
  /** The names that these tags have at the centre instead of the sent ones. */
  readonly superseded: readonly NameItem[];
  /** The erasures that refused an item, or whose end the centre has cut: the station has to apply them too. */
  readonly erasures: readonly Erasure[];
  /**
   * Days before this one are not kept; absent if all days are kept, or while the centre pauses the removal of old days.
   */
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
export interface SyncChanges extends SyncPosition, SyncMessage {
  /** In the order of the changes; none if no change concerns a station. */
  readonly items: readonly DownItem[];
  /** The key of the centre's erasures, in an answer to a request without a place. */
  readonly erasureKey?: string;
  /** Days before this one are not kept; absent if all days are kept. */
  readonly keepFrom?: Day;
  /** The time at the centre. */
  readonly now: Timestamp;
}

/**
 * A part of the snapshot of a centre. The order is: the head, with the place after which changes follow; the erasures, groups,
 * persons, timelines, carried rows, names and corrections; the end. Without the end, the snapshot was cut short.
 */
export type SyncSnapshotPart =
  | ({ readonly kind: 'head'; readonly now: Timestamp; readonly keepFrom?: Day } & SyncPosition & SyncMessage)
  | NameItem
  | PersonItem
  | TagItem
  | GroupItem
  | CarriedItem
  | CorrectionItem
  | ErasureItem
  | {
      readonly kind: 'end';
      /** Number of items in the snapshot. */
      readonly items: number;
    };

/** Added to a message of a centre when it is read: the error codes of items with a wrong value, which are left out. */
export interface LeftOut {
  readonly invalid?: readonly ErrorCode[];
}

/** A part of a snapshot as a station reads it. */
export type ReadSnapshotPart =
  | SyncSnapshotPart
  | { readonly kind: 'invalid'; readonly invalid: readonly ErrorCode[] };
