import type { ServiceIdentifier } from 'inversify';
import type { SystemClock } from '@tallybook/clock-system';
import type {
  AccessStore,
  AttendanceService,
  BackupService,
  Calendar,
  Clock,
  DayStore,
  HealthMonitor,
  IdSource,
  Journal,
  Indicator,
  MappingStore,
  NameService,
  RangeService,
  ProvisionalStore,
  ReaderMonitor,
  SnapshotSource,
  Timekeeper,
  UnnamedTags,
} from '@tallybook/domain';
import type { createApp, EventFeed, LoadPage } from '@tallybook/http-koa';
import type { DeviceIndicator } from '@tallybook/indicators';
import type { Publisher } from '@tallybook/devices';
import type { AttendanceLog } from '../log/attendance-log.js';
import type { ClockLog } from '../log/clock-log.js';
import type { Config } from '../config/config.js';
import type { DeviceGroup } from './device-group.js';
import type { Openness } from '../health/checks.js';
import type { StoreNotices } from '../health/store-notices.js';
import type { HttpMeter } from '../http/http-meter.js';
import type { HttpListener } from '../http/http-listener.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { OutputLog } from '../log/output-log.js';
import type { ScheduledBackup } from '../backup/scheduled-backup.js';
import type { Stores } from '../config/stores.js';
import type { StatusMonitor } from './status-monitor.js';
import type { TallybookServer } from './tallybook-server.js';

/** Services of the container, by name. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  /** Opened with the server, also when another clock is bound in its place. */
  readonly systemClock: SystemClock;
  readonly clock: Clock;
  readonly calendar: Calendar;
  /** What the stores said of their state. */
  readonly storeNotices: StoreNotices;
  readonly stores: Stores;
  readonly mappingStore: MappingStore;
  readonly dayStore: DayStore;
  readonly provisionalStore: ProvisionalStore;
  readonly journal: Journal;
  readonly snapshots: SnapshotSource;
  readonly accessStore: AccessStore;
  readonly idSources: readonly IdSource[];
  /** Those of the configuration. */
  readonly indicators: readonly DeviceIndicator[];
  readonly publishers: readonly Publisher[];
  /** An additional indicator of a device app; not bound by default. */
  readonly indicator?: Indicator;
  readonly timekeeper: Timekeeper;
  readonly attendance: AttendanceService;
  /** Opened before the readers. */
  readonly readerMonitor: ReaderMonitor;
  /** Opens and closes the readers. */
  readonly readers: DeviceGroup;
  /** Opens and closes indicators and publishers. */
  readonly outputs: DeviceGroup;
  readonly names: NameService;
  /** Opened before the attendance service, whose scans it listens to. */
  readonly unnamed: UnnamedTags;
  /** Opened before the publishers. */
  readonly status: StatusMonitor;
  /** Who gets in, for the health of the service. */
  readonly openness: () => Openness;
  /** Opened last: then the service is ready. */
  readonly health: HealthMonitor;
  readonly httpMeter: HttpMeter;
  readonly metrics: Metrics;
  readonly backup: BackupService;
  readonly ranges: RangeService;
  readonly events: EventFeed;
  /** What `/` answers; bind another one in its place, or `() => Promise.resolve(undefined)` to have none. */
  readonly page: LoadPage;
  readonly app: ReturnType<typeof createApp>;
  readonly listener: HttpListener;
  readonly attendanceLog: AttendanceLog;
  readonly outputLog: OutputLog;
  readonly clockLog: ClockLog;
  readonly scheduledBackup: ScheduledBackup;
  readonly server: TallybookServer;
}

/** The identifier under which a service is bound: `container.rebind(serviceId('dayStore'))`. */
export function serviceId<K extends keyof Services>(
  name: K,
): ServiceIdentifier<Exclude<Services[K], undefined>> {
  return Symbol.for(`tallybook.${name}`);
}
