import type { Subscription } from '@tallybook/domain';
import type PromClient from 'prom-client';
import { gaugeState } from './gauge-state.js';
import { measureRequests } from './measure-requests.js';
import { measureScans } from './measure-scans.js';
import type { Measuring, MetricsParts } from './metrics-parts.js';

/** Resolution of delays of the event loop, in milliseconds. Each measurement wakes the processor. */
const LOOP_PRECISION_MS = 50;
/** Metrics that are left out: sums of other metrics, with names that Prometheus allows only for counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Begins to measure. */
export async function measure(parts: MetricsParts): Promise<Measuring> {
  const client: typeof PromClient = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  gaugeState(client, registry, parts);
  const listeners = [measureScans(client, registry, parts), measureRequests(client, registry, parts.http)];
  const listen = (): Subscription => {
    const subscriptions = listeners.map((each) => each());
    return { unsubscribe: () => subscriptions.forEach((subscription) => subscription.unsubscribe()) };
  };
  return { registry, listen };
}
