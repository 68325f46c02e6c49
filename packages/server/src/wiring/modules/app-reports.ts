import { isTallybookError } from '@tallybook/domain';
import type { AppOptions } from '@tallybook/http-koa';
import { settings } from '../../config/settings.js';
import { MeteredLog } from '../../log/metered-log.js';
import type { Services } from '../services.js';

/** Callbacks that log requests. */
export type AppReports = Pick<AppOptions, keyof AppOptions & `report${string}`>;

/** Logs requests. Refused requests are logged within a quota. */
export function appReportsOf({ log, clock, clockLog, httpMeter }: Services): AppReports {
  const metered = new MeteredLog(log, clock);
  return {
    reportError: (err, request) => {
      const kind = isTallybookError(err) ? err.code : 'mistake';
      metered.write(kind, 'error', { err, ...request }, 'request failed');
    },
    reportDenied: ({ status, ...request }) => {
      const message = status === 401 ? 'request refused: not signed in' : 'request refused: not allowed';
      metered.write(`denied ${status}`, 'warn', { status, ...request }, message);
    },
    reportLimited: (limit, client) => {
      httpMeter.noteRefused(limit);
      const flag = `--${settings[limit].flag}`;
      metered.write(limit, 'warn', { client, flag }, 'request refused: its client sends too many');
    },
    reportTimeSet: (before, after) => clockLog.noteSetting(before, after),
    reportDayRemoved: (day) => log.warn({ day }, 'the record of a day was removed'),
    reportNamesChanged: (counts) => log.info({ ...counts }, 'names were changed'),
  };
}
