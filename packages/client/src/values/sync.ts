import type { Name, TallyId } from './names.js';

// Messages between a station and its centre: docs/reference/sync-protocol.md. Times are seconds since 1970.

/**
 * When a name was given or taken away: compared by `ms`, then `counter`, then `node`. With an empty `node` it is the time of
 * arrival at the centre, because the time of the change is unknown.
 */
export interface NameStamp {
  readonly ms: number;
  readonly counter: number;
  readonly node: string;
}

/** The name of a tag, `null` if it was taken away; `stamp` is `null` if the time was unknown. */
export interface SyncedName {
  readonly kind: 'name';
  readonly id: TallyId;
  readonly name: Name | null;
  readonly stamp: NameStamp | null;
}

/** A correction as it is now. */
export interface SyncedCorrection {
  readonly kind: 'correction';
  readonly correction: object;
}

/** A person was erased. */
export interface SyncedErasure {
  readonly kind: 'erasure';
  readonly erasure: {
    readonly key: string;
    readonly digest: string;
    readonly from: number;
    readonly until: number;
    readonly expiresAt: number;
  };
}

/** A scan, whose day the station decided. */
export interface SyncedScan {
  readonly kind: 'scan';
  readonly day: number;
  readonly id: TallyId;
  readonly at: number;
  readonly reader?: string;
  /** Given if the scan was provisional before. */
  readonly filed?: {
    readonly sequence: number;
    readonly estimate?: { readonly earliest: number; readonly latest: number };
  };
}

/** Entries whose scans are not all known one by one, such as those of a backup. */
export interface SyncedEntries {
  readonly kind: 'entries';
  readonly day: number;
  readonly entries: readonly {
    readonly id: TallyId;
    readonly first: number;
    readonly last: number;
    readonly count: number;
  }[];
}

/** A day was removed. */
export interface SyncedDay {
  readonly kind: 'day';
  readonly day: number;
}

/** A batch of a station. */
export interface SyncBatch {
  readonly run: string;
  readonly after: number;
  readonly through: number;
  readonly isRestart?: true;
  /** Ascending by cursor; at most 1,000. The whole batch has at most 256 KiB. */
  readonly items: readonly ((SyncedScan | SyncedName | SyncedCorrection | SyncedEntries | SyncedErasure) & {
    readonly cursor: number;
  })[];
  readonly status: {
    readonly waiting: number;
    readonly oldestWaitingAt?: number;
    readonly provisional: number;
    readonly isClockTrusted: boolean;
    readonly version: string;
  };
}

/** Answer of the centre when the whole batch is durable. */
export interface SyncAnswer {
  readonly run: string;
  readonly acknowledged: number;
  readonly refused: readonly { readonly cursor: number; readonly code: string; readonly message: string }[];
  readonly superseded: readonly SyncedName[];
  readonly erasures: readonly SyncedErasure['erasure'][];
  readonly keepFrom?: number;
  readonly now: number;
}

/** A place in the changes of a centre. */
export interface SyncPosition {
  readonly origin: string;
  readonly cursor: number;
}

/** Changes after a place. */
export interface SyncChanges extends SyncPosition {
  readonly items: readonly (SyncedName | SyncedCorrection | SyncedErasure | SyncedDay)[];
  /** The key of the centre's erasures, in an answer to a request without a place. */
  readonly erasureKey?: string;
  readonly keepFrom?: number;
  readonly now: number;
}

/** A station of this centre, and its state. */
export interface Station {
  readonly name: string;
  readonly version: string;
  /** Time of its last batch. */
  readonly heardAt: number;
  /** Number of its changes that waited to be sent then. */
  readonly waiting: number;
  readonly oldestWaitingAt: number | null;
  /** Number of its scans that wait for a trusted clock. */
  readonly provisional: number;
  readonly isClockTrusted: boolean;
  readonly run: string;
  readonly acknowledged: number;
  /** The latest refused items. An item that was refused again counts as later. */
  readonly refused: readonly RefusedByCentre[];
}

/** An item of a station that the centre refused. */
export interface RefusedByCentre {
  readonly run: string;
  readonly cursor: number;
  readonly at: number;
  readonly code: string;
  readonly message: string;
}
