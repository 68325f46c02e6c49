import type Router from '@koa/router';
import type { Day } from '@tallybook/domain';
import { Query } from '../requests/query.js';
import { selectDay, type DayRoutesDependencies } from './routes-days.js';

/** Hears which day was removed. */
export type ReportDayRemoved = (day: Day) => void;

/** `DELETE /api/day`: takes out the record of one day, as after taps under a wrong time. */
export function addDayRemovalRoute(
  router: Router,
  { attendance, calendar }: DayRoutesDependencies,
  report: ReportDayRemoved = () => undefined,
): void {
  router.delete('/api/day', async (ctx) => {
    const day = selectDay(new Query(ctx), calendar);
    if (day === undefined || !(await attendance.removeDay(day))) return ctx.throw(404, 'Not found');
    report(day);
    ctx.status = 204;
  });
}
