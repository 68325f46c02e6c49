import type { AttendanceEvent, Scan, Subscription } from '@tallybook/domain';
import type PromClient from 'prom-client';
import type { MetricsParts } from './metrics-parts.js';

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
