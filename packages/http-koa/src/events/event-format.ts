import type {
  AttendanceEvent,
  CorrectionChange,
  DayChange,
  Name,
  ProvisionalChange,
  Scan,
  ScanChange,
} from '@tallybook/domain';
import type { NameCounts } from '@tallybook/domain/record';

/** Keep-alive between events, so that no proxy ends an idle connection. */
export const KEEP_ALIVE: Buffer = Buffer.from(': keep-alive\n\n');

/**
 * The beginning of a stream: the time after which a client connects again, and the id of the last event before this
 * stream. With that id, a client that loses the stream before its first event misses nothing.
 */
export function formatGreeting(retryMs: number, id: string | undefined): Buffer {
  return Buffer.from(id === undefined ? `retry: ${retryMs}\n\n` : `retry: ${retryMs}\nid: ${id}\n\n`);
}

/** A tag was read. */
export function formatScan({ id }: Pick<Scan, 'id'>): Buffer {
  return formatEvent(undefined, 'msg', id);
}

/** A scan could not be recorded. */
export function formatFailed({ scan, isKept }: Extract<AttendanceEvent, { kind: 'failed' }>): Buffer {
  const { id, reader } = scan;
  return formatJson(undefined, 'failed', { id, reader, isKept });
}

/** A scan was recorded. */
export function formatAttendance(eventId: string, change: ScanChange, name: Name | undefined): Buffer {
  const { id, day, at, outcome, reader = null, filed } = change;
  return formatJson(eventId, 'attendance', { id, day, at, outcome, name: holderOf(name), reader, filed });
}

/** A provisional scan was stored. */
export function formatProvisional(
  eventId: string,
  { id, reader, sequence }: ProvisionalChange,
  name: Name | undefined,
): Buffer {
  const unknown = { day: null, at: null, outcome: 'provisional' };
  return formatJson(eventId, 'attendance', { id, ...unknown, name: holderOf(name), reader, sequence });
}

/** Names have changed. The event does not contain them: clients read all names again. */
export function formatNames(eventId: string, { added, changed, removed }: NameCounts): Buffer {
  return formatJson(eventId, 'names', { added, changed, removed });
}

/** A day was removed, merged with a backup or corrected. Clients read that day again. */
export function formatDay(eventId: string, change: DayChange | CorrectionChange): Buffer {
  const { day } = change;
  // A correction uses the event `day`, because clients read the day again in both cases.
  return formatJson(eventId, 'day', { day, change: change.kind === 'day' ? change.action : 'corrected' });
}

type ResetReason = 'unknown' | 'too-old' | 'ahead' | 'repaired' | 'erased';

/**
 * Changes are missing between the previous event and this one, or changes concern all days. Clients read the whole
 * record again.
 */
export function formatReset(eventId: string, reason: ResetReason): Buffer {
  return formatJson(eventId, 'reset', { reason });
}

function holderOf(name: Name | undefined): Name | null {
  return name === undefined ? null : { first: name.first, last: name.last };
}

function formatJson(eventId: string | undefined, event: string, data: object): Buffer {
  return formatEvent(eventId, event, JSON.stringify(data));
}

/** `data` is one line: a TallyId, or the JSON of JSON.stringify. */
function formatEvent(eventId: string | undefined, event: string, data: string): Buffer {
  const id = eventId === undefined ? '' : `id: ${eventId}\n`;
  return Buffer.from(`${id}event: ${event}\ndata: ${data}\n\n`);
}
