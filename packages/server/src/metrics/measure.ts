import type { Subscription, AttendanceEvent, Scan } from '@tallybook/domain';
import type PromClient from 'prom-client';
import type { HttpMeter } from '../http/http-meter.js';
import type { MetricsParts, Measuring } from './metrics-parts.js';
import { gaugeState } from './gauge-state.js';

/** Buckets of the histogram, in seconds. */
const REQUEST_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5];

/** Measures the time of requests, by route and class of status. Measuring begins with the call. */
export function measureRequests(
  client: typeof PromClient,
  registry: PromClient.Registry,
  http: HttpMeter,
): () => Subscription {
  const requests = new client.Histogram({
    name: 'tallybook_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, without event streams. Status: 2xx to 5xx, or cut.',
    labelNames: ['route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  const refused = new client.Counter({
    name: 'tallybook_http_refused_total',
    help: 'Refused connections and requests, by the reached limit.',
    labelNames: ['limit'],
    registers: [registry],
  });
  return () =>
    http.observe({
      onAnswered: (route, status, seconds) => requests.observe({ route, status }, seconds),
      onRefused: (limit) => refused.inc({ limit }),
    });
}

/** Buckets of the histogram, in seconds: from a good disk to a card that pauses for seconds. */
const WRITE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts scans by their outcome, and measures the time until they are durable. Measuring begins with the call. */
export function measureScans(
  client: typeof PromClient,
  registry: PromClient.Registry,
  { attendance, idSources }: MetricsParts,
): () => Subscription {
  const scans = new client.Counter({
    name: 'tallybook_scans_total',
    help: 'Scans by reader and outcome: counted, already-counted, provisional, filed, kept (in memory), lost, repeated.',
    labelNames: ['reader', 'outcome'],
    registers: [registry],
  });
  const writing = new client.Histogram({
    name: 'tallybook_scan_write_seconds',
    help: 'Time from a tap to its durable record.',
    buckets: WRITE_BUCKETS,
    registers: [registry],
  });
  const begun = new WeakMap<Scan, number>();
  const names = idSources.map(({ name }) => name);

  /** The name of a reader in the configuration. Devices behind a broker have names of their own, in any number. */
  const readerOf = (reader: string): string =>
    names.find((name) => reader === name || reader.startsWith(`${name}/`)) ?? 'other';

  const take = (event: AttendanceEvent): void => {
    if (event.kind === 'trouble' || event.kind === 'name-unavailable') return;
    if (event.kind === 'scan') {
      begun.set(event.scan, performance.now());
      return;
    }
    const { reader } = event.kind === 'repeated' ? event.reading : event.scan;
    scans.inc({ reader: readerOf(reader), outcome: outcomeOf(event) });
    if (event.kind === 'repeated') return;
    const begunMs = begun.get(event.scan);
    begun.delete(event.scan);
    // Scans in the backlog wait until the store works again: that is another measurement.
    if (begunMs !== undefined && event.kind !== 'failed')
      writing.observe((performance.now() - begunMs) / 1000);
  };
  return () => attendance.events.subscribe(take);
}

function outcomeOf(
  event: Exclude<AttendanceEvent, { kind: 'scan' | 'trouble' | 'name-unavailable' }>,
): string {
  if (event.kind === 'attendance') return event.filed === undefined ? event.outcome : 'filed';
  if (event.kind === 'failed') return event.isKept ? 'kept' : 'lost';
  return event.kind;
}

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
