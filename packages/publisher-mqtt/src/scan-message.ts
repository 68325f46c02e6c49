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

/** What is told of a scan, in the words of the event stream over HTTP. */
export interface ScanMessage {
  readonly id: TallyId;
  /** `null` while they are not known. */
  readonly day: Day | null;
  readonly at: Timestamp | null;
  readonly outcome: RecordOutcome | 'provisional' | 'failed';
  /** `null` if only the record tells of the scan, which does not say where it was taken. */
  readonly reader: string | null;
  /** Left out unless names are published; `null` if the tag belongs to nobody yet. */
  readonly name?: Name | null;
  /** Of a provisional scan, by which it is known again when it is filed. */
  readonly sequence?: number;
  readonly filed?: FiledScan;
  /** Of a failed one: whether it is tried again, and its outcome follows. */
  readonly isKept?: boolean;
}

/** What is told of an event; `undefined` if nothing is, because it is not the outcome of a scan. */
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

/** What is told of the latest scan of an entry, if nothing but the record knows of it. */
export function describeEntry(day: Day, { id, last, count }: Entry): ScanMessage {
  return { id, day, at: last, outcome: count === 1 ? 'counted' : 'already-counted', reader: null };
}

function holder(name: Name | undefined, withNames: boolean): { readonly name?: Name | null } {
  if (!withNames) return {};
  return { name: name === undefined ? null : { first: name.first, last: name.last } };
}
