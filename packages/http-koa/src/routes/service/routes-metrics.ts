import { sendState } from '../../answers/representation.js';
import type { Handlers } from '../implement.js';

/** Measurements of the service in the text format of Prometheus. */
export interface MetricsSource {
  /** Reads the measurements. Rejects if that fails. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Measurements for Prometheus and similar programs. */
export function metricsHandlers(metrics: MetricsSource): Handlers<'GET /api/metrics'> {
  return {
    'GET /api/metrics': async ({ ctx }) => {
      const { contentType, text } = await metrics.read();
      sendState(ctx, text);
      ctx.set('Content-Type', contentType);
    },
  };
}
