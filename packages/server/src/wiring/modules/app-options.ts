import { isTallybookError } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import type { AppOptions } from '@tallybook/http-koa';
import type { Config } from '../../config/config.js';
import { parseGroupRole } from '../../config/parse-setting.js';
import { isOfOwner } from '../../control/control-socket.js';
import type { ReportMisfit } from '../../log/access-log.js';
import { publicNamesOf } from '../identity-provider.js';
import { settings } from '../../config/settings.js';
import { MeteredLog } from '../../log/metered-log.js';
import type { Services } from '../services.js';

/** The options of the HTTP interface from the configuration. */
export function appOptionsOf(config: Config, reportMisfit?: ReportMisfit): AppOptions {
  const { allowedHosts, maxExports, maxExportsPerMinute, maxReadsPerSecond, maxWritesPerSecond } = config;
  const { maxStreamsPerAddress, maxStreamsPerSession } = config;
  return {
    allowedHosts: [...allowedHosts, ...publicNamesOf(config)],
    ...{ maxExports, maxExportsPerMinute, maxReadsPerSecond, maxWritesPerSecond },
    ...{ maxStreamsPerAddress, maxStreamsPerSession },
    access: { ...accessOptionsOf(config), ...(reportMisfit && { reportMisfit }) },
  };
}

function accessOptionsOf(config: Config): AppOptions['access'] & object {
  const { trustedProxies, authHeader, authHeaderRole, authGroupsHeader, authGroupRoles, isInsecure } = config;
  return {
    ...{ trustedProxies, isInsecure },
    ...(authHeader !== undefined && { authHeader }),
    ...(authHeaderRole !== undefined && { authHeaderRole }),
    ...(authGroupsHeader !== undefined && { authGroupsHeader }),
    authGroupRoles: Object.fromEntries(authGroupRoles.map(parseGroupRole)),
    principalOf: (request) => (isOfOwner(request) ? owner : undefined),
  };
}

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
