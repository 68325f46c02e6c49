import type Koa from 'koa';
import {
  isTallybookError,
  quote,
  TallybookError,
  toTimestamp,
  type AuditNotes,
  type Calendar,
  type Day,
  type Timekeeper,
  type Timestamp,
} from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import { isObject, readJson } from '../../requests/read-json.js';
import { parseField } from '../../requests/query.js';
import { sendEmpty, sendState } from '../../answers/representation.js';
import type { Route } from '../route.js';

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

/** A larger time is in milliseconds: in seconds it would be after the year 5138. */
export const TIME_MAX_SECONDS = 100_000_000_000;

/** Called with the time before and the new time. */
export type ReportTimeSet = (before: Timestamp, after: Timestamp) => void;

/** The answer of `GET /api/time`. */
export interface TimeState {
  readonly time: Timestamp;
  readonly day: Day;
  readonly [more: string]: unknown;
}

export interface TimeRoutesDependencies {
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
  readonly audit?: AuditNotes | undefined;
}

/** `GET /api/time`: the time, and whether it is trusted. `POST`: sets the time where there is no time server. */
export function timeRoutes(
  { timekeeper, calendar, audit }: TimeRoutesDependencies,
  report: ReportTimeSet = () => undefined,
): readonly Route[] {
  const send = (ctx: Koa.Context): void => {
    ctx.vary('Accept');
    const isJson = ctx.accepts(TEXT, JSON_TYPE) === JSON_TYPE;
    sendState(ctx, isJson ? timeState({ timekeeper, calendar }) : String(timekeeper.now()));
  };
  const set = async (ctx: Koa.Context): Promise<void> => {
    const body = await readJson(ctx);
    // A small device may send only the number.
    const { time, confirm } = isObject(body) ? body : { time: body };
    const isConfirmed = parseField('confirm', confirm, parseConfirm);
    const before = timekeeper.now();
    parseField('time', time, (value) => setTime(timekeeper, value, isConfirmed));
    const after = timekeeper.now();
    report(before, after);
    await audit?.note(principalOf(ctx).name, 'time-set', { before, after });
    sendEmpty(ctx, 200);
  };
  return [
    { method: 'GET', path: '/api/time', action: 'see-today', handle: send },
    { method: 'POST', path: '/api/time', action: 'set-time', handle: set },
  ];
}

/** The time, its day, and whether it is trusted. */
export function timeState({
  timekeeper,
  calendar,
}: Pick<TimeRoutesDependencies, 'timekeeper' | 'calendar'>): TimeState {
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
