import type { AttendanceEvent, Scan } from '@tallybook/domain';

/** Between events, so that nobody on the way takes the connection for dead. */
export const KEEP_ALIVE: Buffer = Buffer.from(': keep-alive\n\n');

/** Opens a stream: how long a client waits before it connects again. */
export function formatRetry(retryMs: number): Buffer {
  return Buffer.from(`retry: ${retryMs}\n\n`);
}

/** A tag was read. */
export function formatScan(cursor: string, { id }: Scan): Buffer {
  return formatEvent(cursor, 'msg', id);
}

/** It is written down. */
export function formatAttendance(
  cursor: string,
  { scan, outcome, name }: Extract<AttendanceEvent, { kind: 'attendance' }>,
): Buffer {
  const { id, day, at, reader } = scan;
  const holder = name === undefined ? null : { first: name.first, last: name.last };
  return formatEvent(cursor, 'attendance', JSON.stringify({ id, day, at, outcome, name: holder, reader }));
}

/** `data` is one line: a TallyId, or JSON as JSON.stringify writes it. */
function formatEvent(cursor: string, event: string, data: string): Buffer {
  return Buffer.from(`id: ${cursor}\nevent: ${event}\ndata: ${data}\n\n`);
}
