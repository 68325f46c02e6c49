import type {
  AttendanceEvent,
  Day,
  Entry,
  FiledScan,
  Name,
  RecordOutcome,
  TallyId,
  Timestamp,
} from '@tallybook/domain';

/** Data of a published scan, in the words of the event stream over HTTP. */
export interface ScanMessage {
  readonly id: TallyId;
  /** `null` while they are not known. */
  readonly day: Day | null;
  readonly at: Timestamp | null;
  readonly outcome: RecordOutcome | 'provisional' | 'failed';
  /** `null` for a scan from the record, which has no reader. */
  readonly reader: string | null;
  /** Only if names are published; `null` if the tag has no name. */
  readonly name?: Name | null;
  /** Only of a provisional scan: its number, which comes again when it is filed. */
  readonly sequence?: number;
  readonly filed?: FiledScan;
  /** Only of a failed scan: whether it is tried again, and another message follows. */
  readonly isKept?: boolean;
}

/** The message of an event; `undefined` if the event is not the outcome of a scan. */
export function describeOutcome(event: AttendanceEvent, withNames: boolean): ScanMessage | undefined {
  switch (event.kind) {
    case 'attendance': {
      const { id, day, at, reader } = event.scan;
      const { outcome, name, filed } = event;
      return { id, day, at, outcome, reader, ...holder(name, withNames), ...(filed && { filed }) };
    }
    case 'provisional': {
      const { id, reader } = event.scan;
      const { sequence, name } = event;
      const unknown = { day: null, at: null, outcome: 'provisional' } as const;
      return { id, ...unknown, reader, ...holder(name, withNames), sequence };
    }
    case 'failed': {
      const { id, reader } = event.scan;
      return { id, day: null, at: null, outcome: 'failed', reader, isKept: event.isKept };
    }
    case 'repeated':
    case 'scan':
    case 'name-unavailable':
    case 'trouble':
      return undefined;
  }
}

/** The message of the latest scan of an entry, for a scan from the record. */
export function describeEntry(day: Day, { id, last, count }: Entry): ScanMessage {
  return { id, day, at: last, outcome: count === 1 ? 'counted' : 'already-counted', reader: null };
}

function holder(name: Name | undefined, withNames: boolean): { readonly name?: Name | null } {
  if (!withNames) return {};
  return { name: name === undefined ? null : { first: name.first, last: name.last } };
}
