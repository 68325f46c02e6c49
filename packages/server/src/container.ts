import 'reflect-metadata';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { SystemClock } from '@tallybook/clock-system';
import {
  AttendanceService,
  BackupService,
  Calendar,
  isTallybookError,
  NameService,
  ReaderMonitor,
  StoresSnapshotSource,
  Timekeeper,
  type Clock,
  type DayStore,
  type IdSource,
  type Indicator,
  type MappingStore,
  type ProvisionalStore,
  type SnapshotSource,
} from '@tallybook/domain';
import { createApp, EventFeed, type AppDependencies } from '@tallybook/http-koa';
import { createIndicator, type DeviceIndicator } from '@tallybook/indicators';
import { createPublisher, type Publisher } from '@tallybook/publisher-mqtt';
import { createReader } from '@tallybook/readers';
import { AttendanceLog } from './attendance-log.js';
import { ClockLog } from './clock-log.js';
import type { Config } from './config.js';
import { DeviceGroup } from './device-group.js';
import { fanOut } from './fan-out.js';
import { HttpListener } from './http-listener.js';
import { createLog, type Log } from './log.js';
import { MeteredLog } from './metered-log.js';
import { OutputLog } from './output-log.js';
import { ScheduledBackup } from './scheduled-backup.js';
import { logStoreNotices } from './store-log.js';
import { RELEASED_AT } from './released-at.js';
import { createStores, outboxFolderOf, type Stores } from './stores.js';
import { TallybookServer } from './tallybook-server.js';

/** What the container holds, by name. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  /** Opened with the server, also when another clock is bound in its place. */
  readonly systemClock: SystemClock;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly stores: Stores;
  readonly mappingStore: MappingStore;
  readonly dayStore: DayStore;
  readonly provisionalStore: ProvisionalStore;
  readonly snapshots: SnapshotSource;
  readonly idSources: readonly IdSource[];
  /** Those of the configuration. */
  readonly indicators: readonly DeviceIndicator[];
  readonly publishers: readonly Publisher[];
  /** One more indicator, of a device that brings its own; not bound unless it does. */
  readonly indicator: Indicator;
  readonly timekeeper: Timekeeper;
  readonly attendance: AttendanceService;
  /** Opened before the readers. */
  readonly readerMonitor: ReaderMonitor;
  readonly names: NameService;
  readonly backup: BackupService;
  readonly events: EventFeed;
  readonly app: ReturnType<typeof createApp>;
  readonly listener: HttpListener;
  readonly attendanceLog: AttendanceLog;
  readonly outputLog: OutputLog;
  readonly clockLog: ClockLog;
  readonly scheduledBackup: ScheduledBackup;
  readonly server: TallybookServer;
}

/** The identifier under which a service is bound: `container.rebind(serviceId('dayStore'))`. */
export function serviceId<K extends keyof Services>(name: K): ServiceIdentifier<Services[K]> {
  return Symbol.for(`tallybook.${name}`);
}

/** What the process itself gives: log and clock. */
export const systemModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('log')).toResolvedValue(
    ({ logLevel }) => createLog(logLevel, process.stdout),
    [serviceId('config')],
  );
  bind(serviceId('systemClock')).toResolvedValue(
    ({ clock }) => new SystemClock({ isTrusted: clock === 'trusted' }),
    [serviceId('config')],
  );
  bind(serviceId('clock')).toResolvedValue((clock) => clock, [serviceId('systemClock')]);
});

/** The stores that the configuration names. */
export const storeModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('stores')).toResolvedValue(
    ({ store, onDamage }, log) =>
      createStores(store, { repairsDamage: onDamage === 'repair', notify: logStoreNotices(log, onDamage) }),
    [serviceId('config'), serviceId('log')],
  );
  bind(serviceId('mappingStore')).toResolvedValue(({ mapping }) => mapping, [serviceId('stores')]);
  bind(serviceId('dayStore')).toResolvedValue(({ days }) => days, [serviceId('stores')]);
  bind(serviceId('provisionalStore')).toResolvedValue(
    ({ provisional }) => provisional,
    [serviceId('stores')],
  );
  bind(serviceId('snapshots')).toResolvedValue(
    (stores, mapping, days, provisional) =>
      // Of a store in the place of another one, its snapshots know nothing.
      mapping === stores.mapping && days === stores.days && provisional === stores.provisional
        ? stores.snapshots
        : new StoresSnapshotSource({ mapping, days, provisional }),
    [serviceId('stores'), serviceId('mappingStore'), serviceId('dayStore'), serviceId('provisionalStore')],
  );
});

/** The readers that the configuration names. */
export const readersModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('idSources')).toResolvedValue(
    ({ readers }, clock) => readers.map((url) => createReader(url, { clock })),
    [serviceId('config'), serviceId('clock')],
  );
});

/** The outputs that the configuration names. */
export const outputsModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('indicators')).toResolvedValue(
    (config, clock) => config.indicators.map((url) => createIndicator(url, { clock })),
    [serviceId('config'), serviceId('clock')],
  );
  bind(serviceId('publishers')).toResolvedValue(
    ({ publishers, store }, attendance, clock) =>
      publishers.map((url) =>
        createPublisher(url, { attendance, clock, outboxFolder: outboxFolderOf(store) }),
      ),
    [serviceId('config'), serviceId('attendance'), serviceId('clock')],
  );
});

/** The use cases of the domain. */
export const domainModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('calendar')).toResolvedValue((config) => new Calendar(config), [serviceId('config')]);
  bind(serviceId('timekeeper')).toResolvedValue(
    (clock) => new Timekeeper(clock, { builtAt: RELEASED_AT }),
    [serviceId('clock')],
  );
  bind(serviceId('attendance')).toResolvedValue(
    (
      days: DayStore,
      mapping: MappingStore,
      provisional: ProvisionalStore,
      calendar: Calendar,
      timekeeper: Timekeeper,
      { repeatWindowMs, backlogLimit }: Config,
      indicators: readonly Indicator[],
      indicator?: Indicator,
    ) =>
      new AttendanceService(
        {
          days,
          mapping,
          provisional,
          calendar,
          timekeeper,
          indicator: fanOut(indicator === undefined ? indicators : [...indicators, indicator]),
        },
        { repeatWindowMs, backlogLimit },
      ),
    [
      serviceId('dayStore'),
      serviceId('mappingStore'),
      serviceId('provisionalStore'),
      serviceId('calendar'),
      serviceId('timekeeper'),
      serviceId('config'),
      serviceId('indicators'),
      { serviceIdentifier: serviceId('indicator'), optional: true },
    ],
  );
  bind(serviceId('readerMonitor')).toResolvedValue(
    (timekeeper, sources) => new ReaderMonitor(timekeeper, sources),
    [serviceId('timekeeper'), serviceId('idSources')],
  );
  bind(serviceId('names')).toResolvedValue(
    (mapping) => new NameService(mapping),
    [serviceId('mappingStore')],
  );
  bind(serviceId('backup')).toResolvedValue(
    (snapshots, mapping, days, provisional) => new BackupService({ snapshots, mapping, days, provisional }),
    [serviceId('snapshots'), serviceId('mappingStore'), serviceId('dayStore'), serviceId('provisionalStore')],
  );
});

/** The HTTP interface and the port that it listens on. */
export const httpModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('events')).toResolvedValue(
    (attendance, { maxSubscribers }) => new EventFeed(attendance.events, { maxSubscribers }),
    [serviceId('attendance'), serviceId('config')],
  );
  bind(serviceId('app')).toResolvedValue(
    (
      { allowedHosts },
      names,
      attendance,
      calendar,
      timekeeper,
      backup,
      readers,
      events,
      log,
      clock,
      clockLog,
    ) => {
      const metered = new MeteredLog(log, clock);
      const dependencies: AppDependencies = {
        names,
        attendance,
        calendar,
        timekeeper,
        backup,
        readers,
        events,
        reportError: (err, request) => {
          const kind = isTallybookError(err) ? err.code : 'mistake';
          metered.write(kind, 'error', { err, ...request }, 'request failed');
        },
        reportTimeSet: (before, after) => clockLog.noteSetting(before, after),
        reportDayRemoved: (day) => log.warn({ day }, 'somebody has removed the record of a day'),
      };
      return createApp(dependencies, { allowedHosts });
    },
    [
      serviceId('config'),
      serviceId('names'),
      serviceId('attendance'),
      serviceId('calendar'),
      serviceId('timekeeper'),
      serviceId('backup'),
      serviceId('readerMonitor'),
      serviceId('events'),
      serviceId('log'),
      serviceId('clock'),
      serviceId('clockLog'),
    ],
  );
  bind(serviceId('listener')).toResolvedValue(
    (app, { host, port, maxConnections, maxConnectionsPerAddress }, log, clock) => {
      const metered = new MeteredLog(log, clock);
      return new HttpListener(app.callback(), host, port, {
        maxConnections,
        maxConnectionsPerAddress,
        reportRefused: (limit) => metered.write(limit, 'warn', { limit }, 'connection refused: too many'),
      });
    },
    [serviceId('app'), serviceId('config'), serviceId('log'), serviceId('clock')],
  );
});

/** Everything together, as one thing to open and close. */
export const serverModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('attendanceLog')).toResolvedValue(
    (log, attendance, sources, clock) => new AttendanceLog(log, attendance, sources, clock),
    [serviceId('log'), serviceId('attendance'), serviceId('idSources'), serviceId('clock')],
  );
  bind(serviceId('outputLog')).toResolvedValue(
    (log, indicators, publishers, clock) => new OutputLog(log, [...indicators, ...publishers], clock),
    [serviceId('log'), serviceId('indicators'), serviceId('publishers'), serviceId('clock')],
  );
  bind(serviceId('clockLog')).toResolvedValue(
    (log, timekeeper) => new ClockLog(log, timekeeper),
    [serviceId('log'), serviceId('timekeeper')],
  );
  bind(serviceId('scheduledBackup')).toResolvedValue(
    (config, backup, timekeeper, log) => new ScheduledBackup(config.backup, backup, timekeeper, log),
    [serviceId('config'), serviceId('backup'), serviceId('timekeeper'), serviceId('log')],
  );
  bind(serviceId('server')).toResolvedValue(
    (
      systemClock,
      mapping,
      days,
      provisional,
      readerMonitor,
      listener,
      events,
      log,
      outputLog,
      publishers,
      indicators,
      attendance,
      clockLog,
      sources,
      backups,
      serverLog,
    ) =>
      new TallybookServer({
        systemClock,
        mapping,
        days,
        provisional,
        readerMonitor,
        listener,
        events,
        log,
        outputLog,
        // An indicator shows that it is open: after what may keep the server from starting.
        outputs: new DeviceGroup({
          role: 'output',
          devices: [...publishers, ...indicators],
          log: serverLog,
        }),
        attendance,
        clockLog,
        sources,
        readers: new DeviceGroup({
          role: 'reader',
          devices: sources,
          log: serverLog,
          needsOne: true,
          onMissing: (reader, error) => readerMonitor.note({ reader, error }),
        }),
        backups,
      }),
    [
      serviceId('systemClock'),
      serviceId('mappingStore'),
      serviceId('dayStore'),
      serviceId('provisionalStore'),
      serviceId('readerMonitor'),
      serviceId('listener'),
      serviceId('events'),
      serviceId('attendanceLog'),
      serviceId('outputLog'),
      serviceId('publishers'),
      serviceId('indicators'),
      serviceId('attendance'),
      serviceId('clockLog'),
      serviceId('idSources'),
      serviceId('scheduledBackup'),
      serviceId('log'),
    ],
  );
});

/**
 * A container with every module loaded. Nothing is made, let alone opened, before it is asked for, so a test or a
 * device app may rebind any service first.
 */
export function createContainer(config: Config): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(serviceId('config')).toConstantValue(config);
  container.load(
    systemModule,
    storeModule,
    readersModule,
    outputsModule,
    domainModule,
    httpModule,
    serverModule,
  );
  return container;
}
