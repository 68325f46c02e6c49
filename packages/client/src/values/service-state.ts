import type { TallyId } from './names.js';
import type { SyncAnswer } from './sync.js';

/** Time of the service, and whether it is trusted. Moments are seconds since 1970. */
export type ServiceTime = TrustedTime | DoubtedTime;

interface AnyTime {
  readonly time: number;
  /** The present day, in days since 1970-01-01. */
  readonly day: number;
  /** The IANA time zone of the days. */
  readonly zone: string;
  /** The time of day at which a day begins, in the zone, such as `04:00`. */
  readonly dayStart: string;
  /** The latest scan that is recorded. */
  readonly latestScan: number | null;
  /** A later scan, so far ahead that it is taken for a mistake. */
  readonly suspectScan?: number;
}

/** The clock of the service is trusted. */
export interface TrustedTime extends AnyTime {
  readonly isTrusted: true;
  /** A time server says so, somebody set it, or there is no reason to doubt it. */
  readonly basis: 'synchronised' | 'set' | 'assumed';
}

/** The clock of the service may be wrong: scans are provisional. */
export interface DoubtedTime extends AnyTime {
  readonly isTrusted: false;
  readonly doubt: 'before-build' | 'not-synchronised' | 'before-last-scan';
}

/** Scans that were taken while the clock was not trusted. Moments are seconds since 1970. */
export interface Provisional {
  /** Those without a day yet, in the order of taking. */
  readonly waiting: readonly WaitingScan[];
  /** Those that are recorded under a time that is only guessed. */
  readonly estimated: readonly EstimatedScan[];
}

export interface WaitingScan {
  /** Place in the order of taking, from 1. */
  readonly sequence: number;
  readonly id: TallyId;
  readonly reader: string;
  /** Time that the untrusted clock showed. */
  readonly shown: number;
  /** The scan was not earlier than this. */
  readonly notBefore: number;
}

export interface EstimatedScan {
  /** Place in the order of taking, from 1. */
  readonly sequence: number;
  readonly id: TallyId;
  readonly reader: string;
  readonly day: number;
  /** The guess. */
  readonly at: number;
  readonly earliest: number;
  readonly latest: number;
}

/** Scans that wait in memory because the disk refuses them. */
export interface Backlog {
  readonly waiting: number;
  /** How many may wait. */
  readonly limit: number;
  /** How many were lost for lack of room, in this outage or else in the last. */
  readonly refused: number;
}

/** A scan that a device read. */
export interface PushedReading {
  readonly id: string;
  /** Number that the device gave it, 1..2^53-1. Numbers ascend; what was taken before is not taken again. */
  readonly n?: number;
  /** When it was read by the clock of the device, in seconds or milliseconds: taken where the service trusts it. */
  readonly at?: number;
  /** How many milliseconds ago it was read, up to a year. Default: 0. */
  readonly ageMs?: number;
}

/** Outcome of a pushed scan. */
export interface PushResult {
  readonly n: number | null;
  /**
   * `provisional`: on the disk until the clock is right. `waiting`: in memory until the disk can be written. `repeated`: the
   * same tap as one before. `refused`: it can never be taken, as `code` and `detail` say.
   */
  readonly outcome: 'counted' | 'already-counted' | 'provisional' | 'waiting' | 'repeated' | 'refused';
  readonly code?: string;
  readonly detail?: string;
}

/** Outcomes of pushed scans, in their order. The device may forget all of them. */
export interface PushResults {
  readonly acked: number;
  readonly results: readonly PushResult[];
}

/** State of a reader. Moments are seconds since 1970. */
export interface ReaderState {
  readonly name: string;
  /** The scheme of its URL, such as `serial`; `null` if it does not say. */
  readonly kind: string | null;
  /** `waiting`: the device is missing; the service keeps trying. */
  readonly connection: 'connected' | 'waiting';
  /** Time of the last change of the connection. */
  readonly since: number;
  /** When the present trouble began; `null` if there is none. */
  readonly faultySince: number | null;
  readonly lastReading: number | null;
  /** Number of faults by code. */
  readonly faults: Readonly<Record<string, number>>;
  readonly lastFault: ReportedFault | null;
}

/** The last fault. */
export interface ReportedFault {
  /** Stable. */
  readonly code: string;
  /** For people: what happened, and what to do. */
  readonly message: string;
  readonly at: number;
}

/** How the program itself is doing. */
export interface ServiceStatus {
  readonly version: string;
  /** Seconds since 1970, by the present clock of the service. */
  readonly startedAt: number;
  /** `null` if nothing is kept on a disk. */
  readonly storage: StorageState | null;
  /** In the order of the configuration. */
  readonly publishers: readonly PublisherState[];
  /** State of sending the record to the centre; `null` if it is sent to none. */
  readonly upstream: UpstreamState | null;
}

/** State of sending the record to a centre. Moments are seconds since 1970. */
export interface UpstreamState {
  /** The host. */
  readonly centre: string;
  /** `waiting`: it is not reached, or does not take what it gets, and is tried again and again. */
  readonly connection: 'connected' | 'waiting';
  /** How many changes wait to be sent. */
  readonly waiting: number;
  readonly oldestWaitingAt: number | null;
  /** When it answered last; `null` if it has not since the start. */
  readonly lastContactAt: number | null;
  /** The latest items that the centre has refused since the start, in the order of sending. */
  readonly refused: SyncAnswer['refused'];
  /** Number of items that the centre has refused since the start. */
  readonly refusedCount: number;
  /** Number of erasures that it did not take: they are sent again every hour, and until then these persons may come back there. */
  readonly heldErasures: number;
  readonly lastFault: ReportedFault | null;
}

/** In bytes; `null` if the file system does not say. */
export interface StorageState {
  /** Space that may still be written. */
  readonly freeBytes: number | null;
  /** Space that the files of the store take. */
  readonly usedBytes: number | null;
}

export interface PublisherState {
  readonly name: string;
  /** `waiting`: its receiver, such as a broker, is not there or does not take what it gets, and is tried again. */
  readonly connection: 'connected' | 'waiting';
  /** How many changes wait to be published, at most. */
  readonly waiting: number;
  readonly lastFault: ReportedFault | null;
}

/** `ok`: nothing to do; `warn`: somebody should look; `fail`: it does not do what it is for. */
export type HealthStatus = 'ok' | 'warn' | 'fail';

/** How the service is. */
export interface Health {
  /** The worst of all parts. */
  readonly status: HealthStatus;
  /** Whether it is open, and its store can read and write. */
  readonly isReady: boolean;
  readonly parts: readonly PartHealth[];
}

export interface PartHealth extends Finding {
  /** Such as `store`, `disk`, `readers` or `clock`. There may be others. */
  readonly part: string;
  /** Each thing that was looked at, such as each reader. */
  readonly items?: readonly (Finding & { readonly name: string })[];
}

interface Finding {
  readonly status: HealthStatus;
  /** For people: what is wrong, and what to do. Absent without the right to see the service, as `items` is. */
  readonly detail?: string;
}
