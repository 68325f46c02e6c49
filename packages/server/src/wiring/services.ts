import type { ServiceIdentifier } from 'inversify';
import type { SystemClock } from '@tallybook/system';
import type { Calendar, Clock, IdSource, Indicator, Tallybook, Timekeeper } from '@tallybook/domain';
import type { AccessServices, IdentityProvider, PasskeyVerifier, Secrets } from '@tallybook/domain/access';
import type { PersonalServices } from '@tallybook/domain/personal';
import type { HealthMonitor, RecordServices } from '@tallybook/domain/record';
import type { SyncServices } from '@tallybook/domain/sync';
import type { createApp, EventFeed, LoadPage } from '@tallybook/http-koa';
import type { Deferred, DeviceIndicator, Publisher, ServedStorage } from '@tallybook/devices';
import type { AccessLog } from '../log/access-log.js';
import type { AuditKeeper } from '../audit/audit-keeper.js';
import type { AttendanceLog } from '../log/attendance-log.js';
import type { ClockLog } from '../log/clock-log.js';
import type { Config } from '../config/config.js';
import type { ControlSocket } from '../control/control-socket.js';
import type { SetupCodeFile } from '../control/setup-code-file.js';
import type { DataUpkeep } from './data-upkeep.js';
import type { Openness } from '../health/checks.js';
import type { StoreNotices } from '../health/store-notices.js';
import type { HttpMeter } from '../http/http-meter.js';
import type { HttpListener } from '../http/http-listener.js';
import type { KeyPairWatch } from '../http/key-pair.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { RecordPlace } from './record-place.js';
import type { UpstreamLink } from './upstream-link.js';
import type { OutputLog } from '../log/output-log.js';
import type { ScheduledBackup } from '../backup/scheduled-backup.js';
import type { RepairReport } from '../config/stores.js';
import type { StatusMonitor } from './status-monitor.js';
import type { SettingsKeeper } from '../stored-settings/settings-keeper.js';
import type { RestartRequest } from '../systemd/restart-request.js';
import type { TallybookServer } from './tallybook-server.js';

/** The tallybook of the server: what its storage lacks is absent. */
export type ServedTallybook = Tallybook & RecordServices & AccessServices & PersonalServices & SyncServices;

/** Services of the container, by name. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  /** Opened with the server, even if another clock is bound in its place. */
  readonly systemClock: SystemClock;
  readonly clock: Clock;
  readonly calendar: Calendar;
  /** The state of the storage, from its notices. */
  readonly storeNotices: StoreNotices;
  /** Everything that is stored. What it lacks is not offered. */
  readonly storage: ServedStorage;
  /** Opened after the storage. */
  readonly recordPlace: RecordPlace;
  /**
   * Resolves when the storage, during its opening, leaves this thread to other work. Not all storages do that.
   */
  readonly storesWait: Deferred<void>;
  /** Opened after the attendance service. */
  readonly upstream: UpstreamLink;
  /** Repairs at the opening of the store, until they are in the audit trail. */
  readonly repairs: RepairReport[];
  readonly auditKeeper: AuditKeeper;
  readonly idSources: readonly IdSource[];
  /** The indicators of the configuration. */
  readonly indicators: readonly DeviceIndicator[];
  readonly publishers: readonly Publisher[];
  /** An additional indicator of a device app; not bound by default. */
  readonly indicator?: Indicator;
  readonly timekeeper: Timekeeper;
  /** All services of the domain, and what the server attaches to them. */
  readonly tallybook: ServedTallybook;
  /** Opened before the publishers. */
  readonly status: StatusMonitor;
  /** Settings that a page changes; absent where none can be stored. */
  readonly settings?: SettingsKeeper;
  /** Accepted by a program that ends then, and is started again. */
  readonly restart: RestartRequest;
  /** Who has access, for the health of the service. */
  readonly openness: () => Openness;
  /** Opened last: then the service is ready. */
  readonly health: HealthMonitor;
  readonly httpMeter: HttpMeter;
  readonly metrics: Metrics;
  readonly dataUpkeep: DataUpkeep;
  readonly events: EventFeed;
  /** The page at `/`. Bind another page in its place, or `() => Promise.resolve(undefined)` for no page. */
  readonly page: LoadPage;
  readonly passkeyVerifier: PasskeyVerifier;
  readonly secrets: Secrets;
  /** An identity provider of a device app, in place of the configured one; not bound by default. */
  readonly identityProvider?: IdentityProvider;
  /** Logs sign-ins, and changes of users. */
  readonly accessLog: AccessLog;
  /** Opened after the access service. */
  readonly setupCodeFile: SetupCodeFile;
  /** Opened while the store is open, and after the access service. */
  readonly controlSocket: ControlSocket;
  /** The certificate for TLS, if the configuration names one; opened before the listener. */
  readonly certificate: KeyPairWatch;
  readonly app: ReturnType<typeof createApp>;
  readonly listener: HttpListener;
  readonly attendanceLog: AttendanceLog;
  readonly outputLog: OutputLog;
  readonly clockLog: ClockLog;
  readonly scheduledBackup: ScheduledBackup;
  readonly server: TallybookServer;
}

/** The identifier under which a service is bound: `container.rebind(serviceId('storage'))`. */
export function serviceId<K extends keyof Services>(
  name: K,
): ServiceIdentifier<Exclude<Services[K], undefined>> {
  return Symbol.for(`tallybook.${name}`);
}
