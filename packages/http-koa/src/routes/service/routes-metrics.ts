import { sendState } from '../../answers/representation.js';
import type { Route } from '../route.js';

/** Measurements of the service in the text format of Prometheus. */
export interface MetricsSource {
  /** Reads the measurements. Rejects if that fails. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** `GET /api/metrics`: measurements for Prometheus and similar programs. */
export function metricsRoutes(metrics: MetricsSource): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/metrics',
      action: 'see-service',
      handle: async (ctx) => {
        const { contentType, text } = await metrics.read();
        sendState(ctx, text);
        ctx.set('Content-Type', contentType);
      },
    },
  ];
}
