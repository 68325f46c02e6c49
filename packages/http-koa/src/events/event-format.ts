import type { AttendanceEvent, Name, NameCounts, Scan } from '@tallybook/domain';

type EventOf<K extends AttendanceEvent['kind']> = Extract<AttendanceEvent, { kind: K }>;

/** Keep-alive between events, so that no proxy takes the connection for dead. */
export const KEEP_ALIVE: Buffer = Buffer.from(': keep-alive\n\n');

/** Opens a stream: how long a client waits before it connects again. */
export function formatRetry(retryMs: number): Buffer {
  return Buffer.from(`retry: ${retryMs}\n\n`);
}

/** A tag was read. */
export function formatScan(cursor: string, { id }: Scan): Buffer {
  return formatEvent(cursor, 'msg', id);
}

/** A scan was recorded. */
export function formatAttendance(cursor: string, event: EventOf<'attendance'>): Buffer {
  const { id, day, at, reader } = event.scan;
  const { outcome, name, filed } = event;
  return formatJson(cursor, 'attendance', { id, day, at, outcome, name: holderOf(name), reader, filed });
}

/** A scan is kept until its day and time are known. */
export function formatProvisional(cursor: string, { scan, sequence, name }: EventOf<'provisional'>): Buffer {
  const { id, reader } = scan;
  const unknown = { day: null, at: null, outcome: 'provisional' };
  return formatJson(cursor, 'attendance', { id, ...unknown, name: holderOf(name), reader, sequence });
}

/** A scan could not be recorded. */
export function formatFailed(cursor: string, { scan, isKept }: EventOf<'failed'>): Buffer {
  const { id, reader } = scan;
  return formatJson(cursor, 'failed', { id, reader, isKept });
}

/** Names have changed. The event does not say which: clients read them again. */
export function formatNames(cursor: string, { added, changed, removed }: NameCounts): Buffer {
  return formatJson(cursor, 'names', { added, changed, removed });
}

function holderOf(name: Name | undefined): Name | null {
  return name === undefined ? null : { first: name.first, last: name.last };
}

function formatJson(cursor: string, event: string, data: object): Buffer {
  return formatEvent(cursor, event, JSON.stringify(data));
}

/** `data` is one line: a TallyId, or JSON as JSON.stringify writes it. */
function formatEvent(cursor: string, event: string, data: string): Buffer {
  return Buffer.from(`id: ${cursor}\nevent: ${event}\ndata: ${data}\n\n`);
}
