import type { TallyId } from './names.js';
import type { SyncAnswer } from './sync.js';

/** Time of the service, and whether it is trusted. Times are seconds since 1970. */
export type ServiceTime = TrustedTime | DoubtedTime;

interface AnyTime {
  readonly time: number;
  /** The present day, in days since 1970-01-01. */
  readonly day: number;
  /** The IANA time zone of the days. */
  readonly zone: string;
  /** The time of day at which a day begins, in the zone, such as `04:00`. */
  readonly dayStart: string;
  /** The latest recorded scan. */
  readonly latestScan: number | null;
  /** A later scan, so far ahead that it is taken for a mistake. */
  readonly suspectScan?: number;
}

/** The clock of the service is trusted. */
export interface TrustedTime extends AnyTime {
  readonly isTrusted: true;
  /** It follows a time server, somebody set it, or there is no reason to doubt it. */
  readonly basis: 'synchronised' | 'set' | 'assumed';
}

/** The clock of the service may be wrong: scans are provisional. */
export interface DoubtedTime extends AnyTime {
  readonly isTrusted: false;
  readonly doubt: 'before-build' | 'not-synchronised' | 'before-last-scan';
}

/** Scans that were taken while the clock was not trusted. Times are seconds since 1970. */
export interface Provisional {
  /** Scans without a day yet, in the order of the taps. */
  readonly waiting: readonly WaitingScan[];
  /** Scans that were recorded under an estimated time. */
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
  /** The estimated time. */
  readonly at: number;
  readonly earliest: number;
  readonly latest: number;
}

/** Scans that wait in memory because the disk refuses them. */
export interface Backlog {
  readonly waiting: number;
  /** Maximum of `waiting`. */
  readonly limit: number;
  /**
   * Number of scans that were lost because there was no room: in this outage, or in the last one if there is none now.
   */
  readonly refused: number;
}

/** A scan that a device read. */
export interface PushedReading {
  readonly id: string;
  /**
   * Number that the device gave the scan, 1..2^53-1. Numbers ascend; a scan that was taken before is not taken again.
   */
  readonly n?: number;
  /** Time of the scan by the clock of the device, in seconds or milliseconds. Used if the service trusts this clock. */
  readonly at?: number;
  /** Age of the scan in milliseconds, up to a year. Default: 0. */
  readonly ageMs?: number;
}

/** Outcome of a pushed scan. */
export interface PushResult {
  readonly n: number | null;
  /**
   * `provisional`: on the disk until the clock is trusted. `waiting`: in memory until the disk can be written. `repeated`:
   * the same tap as a scan before. `refused`: never taken; `code` and `detail` say why.
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

/** State of a reader. Times are seconds since 1970. */
export interface ReaderState {
  readonly name: string;
  /** The scheme of its URL, such as `serial`; `null` if unknown. */
  readonly kind: string | null;
  /** `waiting`: the device is missing; the service keeps trying. */
  readonly connection: 'connected' | 'waiting';
  /** Time of the last change of the connection. */
  readonly since: number;
  /** Time of the first fault since the last reading or reconnection; `null` if there is none. */
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

/** State of the program. */
export interface ServiceStatus {
  readonly version: string;
  /** Seconds since 1970, by the present clock of the service. */
  readonly startedAt: number;
  /** `null` if the stores are in memory or in a database. */
  readonly storage: StorageState | null;
  /** In the order of the configuration. */
  readonly publishers: readonly PublisherState[];
  /** State of sending the record to the centre; `null` if there is no centre. */
  readonly upstream: UpstreamState | null;
}

/** State of sending the record to a centre. Times are seconds since 1970. */
export interface UpstreamState {
  /** Host of the centre. */
  readonly centre: string;
  /** `waiting`: the centre is not reached, or does not take the changes; the service keeps trying. */
  readonly connection: 'connected' | 'waiting';
  /** How many changes wait to be sent. */
  readonly waiting: number;
  readonly oldestWaitingAt: number | null;
  /** Time of its last answer; `null` if there was none since the start. */
  readonly lastContactAt: number | null;
  /** The latest items that the centre has refused since the start, in the order of sending. */
  readonly refused: SyncAnswer['refused'];
  /** Number of items that the centre has refused since the start. */
  readonly refusedCount: number;
  readonly lastFault: ReportedFault | null;
}

/** Space in bytes; `null` if unknown. */
export interface StorageState {
  /** Free space. */
  readonly freeBytes: number | null;
  /** Size of the files of the store. */
  readonly usedBytes: number | null;
}

export interface PublisherState {
  readonly name: string;
  /**
   * `waiting`: its receiver, such as a broker, is not reached, or does not take the changes; the service keeps trying.
   */
  readonly connection: 'connected' | 'waiting';
  /** Upper bound of the changes that wait to be published. */
  readonly waiting: number;
  /** Number of changes that the receiver refused, and that are kept to be sent again. */
  readonly setAside: number;
  /** Whether it sends nothing any more, because another attempt would get the same answer. */
  readonly isStopped: boolean;
  readonly lastFault: ReportedFault | null;
}

/** `ok`: nothing to do; `warn`: somebody should look; `fail`: it does not work. */
export type HealthStatus = 'ok' | 'warn' | 'fail';

/** Health of the service. */
export interface Health {
  /** Worst status of all parts. */
  readonly status: HealthStatus;
  /** Whether the service is open, and its store can read and write. */
  readonly isReady: boolean;
  readonly parts: readonly PartHealth[];
}

export interface PartHealth extends Finding {
  /** Name of the part, such as `store`, `disk`, `readers` or `clock`. There may be others. */
  readonly part: string;
  /** Findings of each thing, such as a reader. */
  readonly items?: readonly (Finding & { readonly name: string })[];
}

interface Finding {
  readonly status: HealthStatus;
  /** For people: what is wrong, and what to do. Absent without the right to see the service, as `items` is. */
  readonly detail?: string;
}
