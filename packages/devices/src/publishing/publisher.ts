import type {
  TallybookError,
  AttendanceService,
  Journal,
  Lifecycle,
  MappingStore,
  PeopleStore,
  Subscribable,
  Timekeeper,
  Change,
  Day,
  FiledScan,
  Name,
  RecordOutcome,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import type { DeviceConnection } from '../reconnection.js';

export interface PublisherDependencies {
  /** The changes to publish, and the position of each publisher by its name. */
  readonly journal: Journal;
  /** The names, for a publisher that publishes them. */
  readonly mapping: Pick<MappingStore, 'get'>;
  /** Absent: a tag has one name for all times. */
  readonly people?: Pick<PeopleStore, 'holderAt'>;
  readonly timekeeper: Timekeeper;
  /** Source of the scans that could not be recorded; the journal has none of them. */
  readonly attendance: Pick<AttendanceService, 'events'>;
}

/**
 * Publishes every change of the record except names, in order. After a failure, it publishes later.
 *
 * Open it after the stores and the journal, and before the attendance service; close it after the attendance service.
 * It never delays recording. Changes that happen while it is closed are published when it is open again. `open()`
 * rejects with `INVALID_OPTION` if a needed package is not installed, and as {@link Journal} does. A missing receiver
 * is a fault.
 */
export interface Publisher extends Lifecycle {
  /**
   * Unique on the device. The journal keeps its position under this name. Under a new name, only changes from then on
   * are published.
   */
  readonly name: string;
  /** The present state of the connection; `waiting` while the publisher is closed. */
  readonly connection: DeviceConnection;
  /**
   * Why it publishes nothing any more: its receiver gives an answer that another attempt will not change. No change is
   * skipped. `undefined` while it publishes. A publisher that a broker does not let in goes on trying to connect.
   */
  readonly stopped: TallybookError | undefined;
  /** Number of changes that its receiver refused, and that are kept to be sent again: 0..1000. */
  readonly setAside: number;
  /** `OUTPUT_FAILED`, with `details.reason`: each fault once until it is over. */
  readonly faults: Subscribable<TallybookError>;
  /** Each change of the connection. */
  readonly connections: Subscribable<DeviceConnection>;
  /**
   * Largest number of changes that may wait to be published: changes of names count too, though they are not published.
   * 0 while the journal cannot be read.
   */
  countWaiting(): Promise<number>;
  /** Begins to send the set-aside changes again, and goes on if it has stopped. */
  sendAgain(): void;
}

/** JSON in ASCII. It is the same in every encoding that a client may assume, and has one byte for each character. */
export function toAsciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The publication of a change. The id of a change never changes. */
export type Publication = ScanPublication | RecordPublication;

export interface ScanPublication {
  readonly kind: 'scan';
  /** Characters of `A-Z`, `a-z`, `0-9`, `_` and `-`. */
  readonly id: string;
  readonly data: ScanData;
}

export interface RecordPublication {
  readonly kind: 'record';
  /** As in {@link ScanPublication}. */
  readonly id: string;
  readonly data: RecordData;
}

/** A scan, with the fields of the event stream over HTTP. */
export interface ScanData {
  readonly id: TallyId;
  /** `null` until the day and the time are known. */
  readonly day: Day | null;
  readonly at: Timestamp | null;
  readonly outcome: RecordOutcome | 'provisional' | 'failed';
  /** `null` if it is not known. */
  readonly reader: string | null;
  /** Only if names are published; `null` if the tag has no name, or the name cannot be read. */
  readonly name?: Name | null;
  /** Only of a provisional scan: its number. The publication of the filed scan repeats it. */
  readonly sequence?: number;
  readonly filed?: FiledScan;
  /** Only of a failed scan: whether recording is tried again, so that another publication follows. */
  readonly isKept?: boolean;
  /** Whether the scan is published more than ten seconds after the tap, or the tap was before the last start. */
  readonly late: boolean;
}

/** A change that makes earlier publications of scans wrong. */
export interface RecordData {
  readonly event: 'day-removed' | 'day-merged' | 'day-corrected' | 'erased' | 'repaired';
  /** `null` if any day may have changed. */
  readonly day: Day | null;
  /** Only of `erased`: identifies the tag to those who know its id, and to nobody else. See `Erasure` of the domain. */
  readonly digest?: string;
}

/** Facts that a publication adds to its change. */
export interface PublicationContext {
  readonly id: string;
  readonly isLate: boolean;
  /** `undefined` if names are not published. */
  readonly name: Name | null | undefined;
}

/** The publication of a change; `undefined` for a change of names, persons, holders or carried rows, which is not published. */
export function describeChange(
  change: Change,
  { id, isLate, name }: PublicationContext,
): Publication | undefined {
  const rest = {
    ...(name !== undefined && { name: name && { first: name.first, last: name.last } }),
    late: isLate,
  };
  switch (change.kind) {
    case 'scan': {
      const { id: tag, day, at, outcome, reader = null, filed } = change;
      return {
        kind: 'scan',
        id,
        data: { id: tag, day, at, outcome, reader, ...(filed && { filed }), ...rest },
      };
    }
    case 'provisional': {
      const { id: tag, reader, sequence } = change;
      const data = {
        id: tag,
        day: null,
        at: null,
        outcome: 'provisional',
        reader,
        sequence,
        ...rest,
      } as const;
      return { kind: 'scan', id, data };
    }
    case 'day':
      return { kind: 'record', id, data: { event: `day-${change.action}`, day: change.day } };
    case 'erased':
      return { kind: 'record', id, data: { event: 'erased', day: null, digest: change.digest } };
    case 'correction':
      return { kind: 'record', id, data: { event: 'day-corrected', day: change.day } };
    case 'repaired':
      return { kind: 'record', id, data: { event: 'repaired', day: null } };
    case 'name':
    case 'person':
    case 'tag':
    case 'group':
    case 'carried':
      return undefined;
  }
}
