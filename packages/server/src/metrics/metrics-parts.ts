import type { Publisher } from '@tallybook/devices';
import type {
  AttendanceService,
  IdSource,
  Journal,
  ReaderMonitor,
  Subscription,
  Timekeeper,
} from '@tallybook/domain';
import type { HealthMonitor } from '@tallybook/domain/record';
import type { StationRecord } from '@tallybook/domain/sync';
import type { EventFeed, UpstreamStatus } from '@tallybook/http-koa';
import type { Registry } from 'prom-client';
import type { ScheduledBackup } from '../backup/scheduled-backup.js';
import type { HttpMeter } from '../http/http-meter.js';

/** The measured parts. */
export interface MetricsParts {
  readonly version: string;
  readonly attendance: AttendanceService;
  readonly idSources: readonly IdSource[];
  readonly readers: Pick<ReaderMonitor, 'list'>;
  readonly publishers: readonly Publisher[];
  readonly journal: Pick<Journal, 'latest'>;
  readonly events: Pick<EventFeed, 'subscriberCount'>;
  readonly timekeeper: Timekeeper;
  readonly backup: Pick<ScheduledBackup, 'state'>;
  readonly health: Pick<HealthMonitor, 'read'>;
  readonly http: HttpMeter;
  /** The stations that send here. */
  readonly listStations: () => Promise<readonly StationRecord[]>;
  /** The state of sending to a centre; `undefined` without a centre. */
  readonly readUpstream: () => Promise<UpstreamStatus | undefined>;
  readonly readFreeBytes: () => Promise<number | undefined>;
}

/** Running measurements. */
export interface Measuring {
  readonly registry: Registry;
  /** Counts events until the subscription ends. */
  readonly listen: () => Subscription;
}
