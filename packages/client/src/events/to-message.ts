import { TallybookClientError } from '../tallybook-client-error.js';
import type { Attendance, FailedScan } from '../values/attendance.js';
import type { DayChange } from '../values/days.js';
import type { NameCounts } from '../values/names.js';
import type { ServerSentEvent } from './event-parser.js';
import type { ServiceResetReason, StreamMessage } from './stream-message.js';

/** The message of an event; `undefined` for an unknown type, which newer services may send. */
export function toMessage(
  { type, data }: ServerSentEvent,
  cursor: string | undefined,
): StreamMessage | undefined {
  switch (type) {
    case 'msg':
      return { kind: 'scan', cursor, id: data };
    case 'attendance':
      return { kind: 'attendance', cursor, attendance: parse(data) as Attendance };
    case 'failed':
      return { kind: 'failed', cursor, failed: parse(data) as FailedScan };
    case 'names':
      return { kind: 'names', cursor, counts: parse(data) as NameCounts };
    case 'day':
      return { kind: 'day', cursor, change: parse(data) as DayChange };
    case 'reset':
      return { kind: 'reset', cursor, reason: (parse(data) as { reason: ServiceResetReason }).reason };
    default:
      return undefined;
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new TallybookClientError('invalid-answer', 'the data of an event is no JSON', { cause });
  }
}
