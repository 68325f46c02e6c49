import type { HealthStatus } from '@tallybook/domain/record';
import type { StationRecord } from '@tallybook/domain/sync';
import type PromClient from 'prom-client';
import type { MetricsParts } from './metrics-parts.js';

const healthValues: Readonly<Record<HealthStatus, number>> = { ok: 0, warn: 1, fail: 2 };

type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/**
 * Gauges of the state of the service, read at each request for measurements. A value that cannot be read is left out.
 */
export function gaugeState(
  client: typeof PromClient,
  registry: PromClient.Registry,
  parts: MetricsParts,
): void {
  const { attendance, readers, publishers, journal, events, timekeeper, backup, health, http } = parts;
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Values | Promise<Values>,
  ): void => {
    new client.Gauge({
      name: `tallybook_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        this.reset();
        // After the reset, a gauge without labels would show 0, as if that were a real value.
        if (labelNames.length === 0) this.remove();
        for (const [labels, value] of await Promise.resolve(read()).catch((): Values => [])) {
          this.set(labels, value);
        }
      },
    });
  };
  const number = (name: string, help: string, read: () => Maybe | Promise<Maybe>): void =>
    gauge(name, help, [], async () => {
      const value = await read();
      return value === undefined ? [] : [[{}, value]];
    });

  gauge('info', 'Always 1; its label is the version of the program.', ['version'], () => [
    [{ version: parts.version }, 1],
  ]);
  gauge('health', 'Health of each part of the service: 0 ok, 1 warning, 2 failure.', ['part'], async () =>
    (await health.read()).parts.map(({ part, status }) => [{ part }, healthValues[status]]),
  );
  number(
    'backlog_scans',
    'Scans in memory that wait because the store cannot write.',
    () => attendance.backlog.waiting,
  );
  number(
    'backlog_limit_scans',
    'Largest number of scans that may wait in memory.',
    () => attendance.backlog.limit,
  );
  number(
    'backlog_lost_scans',
    'Scans lost because the backlog was full, in the present or the last outage.',
    () => attendance.backlog.refused,
  );
  gauge('reader_connected', 'Whether each reader is connected: 1 or 0.', ['reader'], () =>
    readers.list().map(({ name, connection }) => [{ reader: name }, Number(connection === 'connected')]),
  );
  gauge('reader_faults', 'Faults of each reader since the start, by code.', ['reader', 'code'], () =>
    readers
      .list()
      .flatMap(({ name, faults }) =>
        Object.entries(faults).map(([code, count]) => [{ reader: name, code }, count] as const),
      ),
  );
  number('journal_cursor', 'Place of the latest change in the journal.', () => journal.latest());
  gauge('publisher_connected', 'Whether each publisher reaches its receiver: 1 or 0.', ['publisher'], () =>
    publishers.map(({ name, connection }) => [{ publisher: name }, Number(connection === 'connected')]),
  );
  gauge(
    'publisher_waiting_changes',
    'Largest possible number of changes that wait for each publisher.',
    ['publisher'],
    () =>
      Promise.all(
        publishers.map(async (each) => [{ publisher: each.name }, await each.countWaiting()] as const),
      ),
  );
  gauge('publisher_set_aside_changes', 'Changes that each receiver refused.', ['publisher'], () =>
    publishers.map(({ name, setAside }) => [{ publisher: name }, setAside]),
  );
  gaugeSync(gauge, number, parts);
  number('event_streams', 'Event streams that are open.', () => events.subscriberCount);
  number('http_connections', 'Connections that are open.', () => http.countConnections());
  number('clock_trusted', 'Whether the time of day is trusted: 1 or 0.', () =>
    Number(timekeeper.trust().isTrusted),
  );
  number('backup_age_seconds', 'Age of the latest backup; absent while it is not known.', () => {
    const { ageMs } = backup.state;
    return ageMs === undefined ? undefined : ageMs / 1000;
  });
  number('disk_free_bytes', 'Free space on the disk of the store; absent for a store without a disk.', () =>
    parts.readFreeBytes(),
  );
}

/** Gauges of synchronisation, at a station and at its centre. */
function gaugeSync(
  gauge: (name: string, help: string, labels: readonly string[], read: () => Promise<Values>) => void,
  number: (name: string, help: string, read: () => Promise<Maybe>) => void,
  { readUpstream, listStations, timekeeper }: MetricsParts,
): void {
  number(
    'upstream_connected',
    'Whether the centre is reached: 1 or 0; absent without a centre.',
    async () => {
      const upstream = await readUpstream();
      return upstream && Number(upstream.connection === 'connected');
    },
  );
  number(
    'upstream_waiting_changes',
    'Changes that wait to be sent to the centre.',
    async () => (await readUpstream())?.waiting,
  );
  number('upstream_oldest_seconds', 'How long the oldest change for the centre has waited.', async () => {
    const since = (await readUpstream())?.oldestWaitingAt ?? undefined;
    return since && Math.max(timekeeper.now() - since, 0);
  });
  number(
    'upstream_refused_changes',
    'Remembered changes that the centre refused.',
    async () => (await readUpstream())?.refused.length,
  );
  const ofStations = (name: string, help: string, value: (station: StationRecord) => number): void =>
    gauge(name, help, ['station'], async () =>
      (await listStations()).map((station) => [{ station: station.name }, value(station)] as const),
    );
  ofStations('station_heard_seconds', 'Time since the last batch of each station.', ({ heardAt }) =>
    Math.max(timekeeper.now() - heardAt, 0),
  );
  ofStations(
    'station_waiting_changes',
    'Changes that waited at each station at its last batch.',
    ({ status }) => status.waiting,
  );
  ofStations(
    'station_refused_changes',
    'Remembered changes of each station that were refused.',
    ({ refused }) => refused.length,
  );
}

type Maybe = number | undefined;
