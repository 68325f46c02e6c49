import {
  isTallybookError,
  quote,
  TallybookError,
  toTimestamp,
  type Day,
  type Timekeeper,
  type Timestamp,
} from '@tallybook/domain';
import { TIME_MAX_SECONDS, type ServiceTime } from '@tallybook/http-contract';
import { principalOf } from '../../access/principal-of.js';
import { isObject, readJson } from '../../requests/read-body.js';
import { parseField } from '../../requests/query.js';
import { sendState } from '../../answers/representation.js';
import type { Services } from '../../app-services.js';
import { emptyAnswer, type Handlers } from '../implement.js';

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

/** Called with the time before and the new time. */
export type ReportTimeSet = (before: Timestamp, after: Timestamp) => void;

/** The time, and whether it is trusted; and setting it where there is no time server. */
export function timeHandlers(
  { timekeeper, calendar, audit }: Services<'timekeeper' | 'calendar', 'audit'>,
  report: ReportTimeSet = () => undefined,
): Handlers<'GET /api/time' | 'POST /api/time'> {
  return {
    'GET /api/time': ({ ctx }) => {
      ctx.vary('Accept');
      if (ctx.accepts(TEXT, JSON_TYPE) === JSON_TYPE) return timeState({ timekeeper, calendar });
      sendState(ctx, String(timekeeper.now()));
      return undefined;
    },
    'POST /api/time': async ({ ctx }) => {
      const body = await readJson(ctx);
      // A small device may send only the number.
      const { time, confirm } = isObject(body) ? body : { time: body };
      const isConfirmed = parseField('confirm', confirm, parseConfirm);
      const before = timekeeper.now();
      parseField('time', time, (value) => setTime(timekeeper, value, isConfirmed));
      const after = timekeeper.now();
      report(before, after);
      await audit?.note(principalOf(ctx).name, 'time-set', { before, after });
      return emptyAnswer(200);
    },
  };
}

/** The time, its day, and whether it is trusted. */
export function timeState({
  timekeeper,
  calendar,
}: Services<'timekeeper' | 'calendar'>): ServiceTime & { readonly day: Day } {
  const time = timekeeper.now();
  const { latestScan, suspectScan } = timekeeper;
  return {
    time,
    day: calendar.dayOf(time),
    zone: calendar.zone,
    dayStart: calendar.dayStart,
    ...timekeeper.trust(),
    latestScan: latestScan || null,
    suspectScan,
  };
}

function setTime(timekeeper: Timekeeper, value: unknown, isConfirmed: boolean): void {
  const time = parseTime(value);
  const isMilliseconds = time > TIME_MAX_SECONDS;
  try {
    timekeeper.set(toTimestamp(isMilliseconds ? Math.floor(time / 1000) : time), { isConfirmed });
  } catch (error) {
    if (isTallybookError(error, 'TIME_NOT_CONFIRMED')) {
      throw new TallybookError(
        error.code,
        `${error.message}; if it is right, send it again with "confirm":true`,
        {
          cause: error,
          details: error.details,
        },
      );
    }
    if (!isMilliseconds || !isTallybookError(error, 'INVALID_TIMESTAMP')) throw error;
    const reason = `since ${quote(value)} is above ${TIME_MAX_SECONDS}, it counts as milliseconds`;
    throw new TallybookError(error.code, `${error.message}; ${reason}`, { cause: error });
  }
}

/** Takes digits in a text too, because not every small device can write numbers of this size. */
function parseTime(value: unknown): number {
  const time = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof time === 'number' && Number.isInteger(time) && time >= 0 && time <= TIME_MAX_SECONDS * 1000) {
    return time;
  }
  throw new TallybookError(
    'INVALID_TIMESTAMP',
    `whole seconds since 1970, 0 to ${TIME_MAX_SECONDS}, or milliseconds, up to ${TIME_MAX_SECONDS}000; got ${quote(value)}`,
  );
}

function parseConfirm(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw new TallybookError('INVALID_TIMESTAMP', `true or false (the default); got ${quote(value)}`);
}
