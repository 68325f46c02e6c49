import type { Health, HealthMonitor, PartHealth } from '@tallybook/domain/record';
import { authorise } from '@tallybook/domain/access';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { sendProblem } from '../../problem.js';
import { sendState } from '../../answers/representation.js';
import type { Route } from '../route.js';

/**
 * `GET /api/health`: health of the service, with reasons for those who may see them; `/live`: the process answers; `/ready`: the
 * service can do its work, else 503.
 */
export function healthRoutes(monitor: Pick<HealthMonitor, 'read'>): readonly Route[] {
  const sendHealth = async (ctx: Koa.Context): Promise<void> => {
    const { status, isReady, parts } = await monitor.read();
    const describe = authorise(principalOf(ctx).role, 'see-service') ? formatPart : formatBriefly;
    sendState(ctx, { status, isReady, parts: parts.map(describe) });
  };
  const sendReady = async (ctx: Koa.Context): Promise<void> => {
    const { isReady }: Health = await monitor.read();
    if (isReady) sendState(ctx, { isReady });
    else sendProblem(ctx, { status: 503, detail: 'the service cannot do its work; /api/health says why' });
  };
  return [
    { method: 'GET', path: '/api/health', action: 'public', handle: sendHealth },
    {
      method: 'GET',
      path: '/api/health/live',
      action: 'public',
      handle: (ctx) => sendState(ctx, { isLive: true }),
    },
    { method: 'GET', path: '/api/health/ready', action: 'public', handle: sendReady },
  ];
}

function formatPart({ part, status, detail, items }: PartHealth): object {
  return { part, status, detail, items };
}

/** The health of a part without its reason: reasons name readers, receivers and folders. */
function formatBriefly({ part, status }: PartHealth): object {
  return { part, status };
}
