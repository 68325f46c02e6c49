import type { Day } from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import type { Services } from '../../app-services.js';
import { emptyAnswer, type Handlers } from '../implement.js';
import { selectDay } from '../select-days.js';

/** Called with the day that was removed. */
export type ReportDayRemoved = (day: Day) => void;

/** Removes the record of one day, for example after taps under a wrong time. */
export function dayRemovalHandlers(
  { attendance, calendar, audit }: Services<'attendance' | 'calendar', 'audit'>,
  report: ReportDayRemoved = () => undefined,
): Handlers<'DELETE /api/day'> {
  return {
    'DELETE /api/day': async ({ ctx, query }) => {
      const day = selectDay(query, calendar);
      if (day === undefined || !(await attendance.removeDay(day))) return ctx.throw(404, 'Not found');
      report(day);
      await audit?.note(principalOf(ctx).name, 'day-removed', { day });
      return emptyAnswer(204);
    },
  };
}
