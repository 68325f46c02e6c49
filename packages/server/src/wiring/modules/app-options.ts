import { owner } from '@tallybook/domain/access';
import type { AppOptions } from '@tallybook/http-koa';
import type { Config } from '../../config/config.js';
import { parseGroupRole } from '../../config/parse-setting.js';
import { isOfOwner } from '../../control/control-socket.js';
import type { ReportMisfit } from '../../log/access-log.js';
import { publicNamesOf } from '../identity-provider.js';

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
