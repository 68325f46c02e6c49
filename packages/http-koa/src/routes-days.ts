import type Router from '@koa/router';
import {
  parseDay,
  parseTimestamp,
  quote,
  type AttendanceDay,
  type AttendanceService,
  type Calendar,
  type Day,
} from '@tallybook/domain';
import type Koa from 'koa';
import { Query } from './query.js';
import type { RepresentationCache } from './representation-cache.js';
import { sendRepresentation } from './representation.js';

export interface DayRoutesDependencies {
  readonly attendance: AttendanceService;
  readonly calendar: Calendar;
}

/** `GET /api/day` and `GET /api/days`: who was there, and on which days somebody was. */
export function addDayRoutes(
  router: Router,
  { attendance, calendar }: DayRoutesDependencies,
  cache: RepresentationCache,
): void {
  router.get('/api/day', async (ctx) => {
    const query = new Query(ctx);
    const day = selectDay(query, calendar) ?? ctx.throw(404, 'Not found');
    const format = selectFormat(ctx, query);
    const representation = await cache.get({
      key: `day ${day} ${format === formatEntries ? 'entries' : 'ids'}`,
      revision: () => attendance.dayRevision(day),
      render: async () => {
        const record = await attendance.loadDay(day);
        return record && JSON.stringify(format(record));
      },
    });
    sendRepresentation(ctx, representation);
  });

  router.get('/api/days', async (ctx) => {
    const query = new Query(ctx);
    const from = calendar.dayOf(query.required('from', parseTimestamp));
    const to = calendar.dayOf(query.required('to', parseTimestamp));
    const representation = await cache.get({
      key: `days ${from} ${to}`,
      revision: () => attendance.listRevision(),
      render: async () => JSON.stringify(await attendance.listDays(from, to)),
    });
    sendRepresentation(ctx, representation);
  });
}

/** A timestamp that is given decides, and `day` is not even looked at. */
export function selectDay(query: Query, calendar: Calendar): Day | undefined {
  const timestamp = query.optional('timestamp', parseTimestamp);
  return timestamp === undefined ? query.optional('day', parseDay) : calendar.dayOf(timestamp);
}

function selectFormat(ctx: Koa.Context, query: Query): (record: AttendanceDay) => object {
  const expand = query.text('expand');
  if (expand === undefined) return formatIds;
  if (expand === 'entries') return formatEntries;
  return ctx.throw(400, `expand: must be "entries" if it is given; got ${quote(expand)}`);
}

function formatIds({ day, entries }: AttendanceDay): object {
  return { date: day, ids: entries.map(({ id }) => id) };
}

function formatEntries(record: AttendanceDay): object {
  const entries = record.entries.map(({ id, first, last, count }) => ({ id, first, last, count }));
  return { ...formatIds(record), entries };
}
