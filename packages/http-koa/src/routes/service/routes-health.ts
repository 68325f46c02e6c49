import type { HealthMonitor, PartHealth } from '@tallybook/domain/record';
import { mayDo } from '@tallybook/domain/access';
import { principalOf } from '../../access/principal-of.js';
import { sendProblem } from '../../problem.js';
import type { Handlers } from '../implement.js';

/**
 * Health of the service, with reasons for those who may see them; whether the process answers; whether the service can do its
 * work, else 503.
 */
export function healthHandlers(
  monitor: Pick<HealthMonitor, 'read'>,
): Handlers<'GET /api/health' | 'GET /api/health/live' | 'GET /api/health/ready'> {
  return {
    'GET /api/health': async ({ ctx }) => {
      const { status, isReady, parts } = await monitor.read();
      const seesAll = mayDo(principalOf(ctx), 'see-service');
      return { status, isReady, parts: seesAll ? parts : parts.map(formatBriefly) };
    },
    'GET /api/health/live': () => ({ isLive: true }),
    'GET /api/health/ready': async ({ ctx }) => {
      const { isReady } = await monitor.read();
      if (isReady) return { isReady };
      sendProblem(ctx, { status: 503, detail: 'the service cannot do its work; /api/health says why' });
      return undefined;
    },
  };
}

/** The health of a part without its reason: reasons name readers, receivers and folders. */
function formatBriefly({ part, status }: PartHealth): PartHealth {
  return { part, status };
}
