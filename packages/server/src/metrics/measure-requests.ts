import type { Subscription } from '@tallybook/domain';
import type PromClient from 'prom-client';
import type { HttpMeter } from '../http/http-meter.js';

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
