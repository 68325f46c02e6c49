import type { Change, Day, FiledScan, Name, RecordOutcome, TallyId, Timestamp } from '@tallybook/domain';

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

/** The publication of a change; `undefined` for a change of names, which is not published. */
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
      return undefined;
  }
}
