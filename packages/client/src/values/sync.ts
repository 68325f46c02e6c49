import type { Name, TallyId } from './names.js';

// What a station and its centre say to each other: docs/reference/sync-protocol.md. Moments are seconds since 1970.

/**
 * When a name was given or taken away: compared by `ms`, then `counter`, then `node`. If `node` is empty, when it arrived, and nobody knows
 * when it was given.
 */
export interface NameStamp {
  readonly ms: number;
  readonly counter: number;
  readonly node: string;
}

/** The name of a tag, `null` if it was taken away; without a stamp if nobody knew the time. */
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

/** Somebody was erased. */
export interface SyncedErasure {
  readonly kind: 'erasure';
  readonly erasure: {
    readonly key: string;
    readonly digest: string;
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

/** Entries that are more than their scans, such as those of a backup. */
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
  /** Ascending by cursor; at most 1,000, and all of the batch at most 256 KiB. */
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
  readonly keepFrom?: number;
  readonly now: number;
}

/** A device that sends to this service, and how it is. */
export interface Station {
  readonly name: string;
  readonly version: string;
  /** When it was heard last. */
  readonly heardAt: number;
  /** How many of its changes waited to be sent then. */
  readonly waiting: number;
  readonly oldestWaitingAt: number | null;
  /** Its scans that wait for the right time. */
  readonly provisional: number;
  readonly isClockTrusted: boolean;
  readonly run: string;
  readonly acknowledged: number;
  /** The latest refused items, in the order of coming. */
  readonly refused: readonly RefusedByCentre[];
}

/** Something of a station that the centre will not take. */
export interface RefusedByCentre {
  readonly run: string;
  readonly cursor: number;
  readonly at: number;
  readonly code: string;
  readonly message: string;
}
