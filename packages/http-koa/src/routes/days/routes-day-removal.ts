import type Koa from 'koa';
import type { AuditNotes, Day } from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import { Query } from '../../requests/query.js';
import type { DayRoutesDependencies } from './routes-days.js';
import type { Route } from '../route.js';
import { selectDay } from '../select-days.js';

/** Called with the day that was removed. */
export type ReportDayRemoved = (day: Day) => void;

/** `DELETE /api/day`: removes the record of one day, for example after taps under a wrong time. */
export function dayRemovalRoutes(
  { attendance, calendar, audit }: DayRoutesDependencies & { readonly audit?: AuditNotes | undefined },
  report: ReportDayRemoved = () => undefined,
): readonly Route[] {
  const remove = async (ctx: Koa.Context): Promise<void> => {
    const day = selectDay(new Query(ctx), calendar);
    if (day === undefined || !(await attendance.removeDay(day))) return ctx.throw(404, 'Not found');
    report(day);
    await audit?.note(principalOf(ctx).name, 'day-removed', { day });
    ctx.status = 204;
  };
  return [{ method: 'DELETE', path: '/api/day', action: 'remove-days', handle: remove }];
}
