import type { Subscription } from '@tallybook/domain';
import type PromClient from 'prom-client';
import { gaugeState } from './gauge-state.js';
import { measureRequests } from './measure-requests.js';
import { measureScans } from './measure-scans.js';
import type { Measuring, MetricsParts } from './metrics-parts.js';

/** How finely delays of the event loop are looked at, in milliseconds. Each look wakes the processor. */
const LOOP_PRECISION_MS = 50;

/** Begins to measure. */
export async function measure(parts: MetricsParts): Promise<Measuring> {
  const client: typeof PromClient = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  gaugeState(client, registry, parts);
  const listeners = [measureScans(client, registry, parts), measureRequests(client, registry, parts.http)];
  const listen = (): Subscription => {
    const subscriptions = listeners.map((each) => each());
    return { unsubscribe: () => subscriptions.forEach((subscription) => subscription.unsubscribe()) };
  };
  return { registry, listen };
}
