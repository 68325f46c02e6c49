import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import { SystemClock } from '@tallybook/clock-system';
import {
  AttendanceService,
  BackupService,
  Calendar,
  isTallybookError,
  NameService,
  RangeService,
  ReaderMonitor,
  StoresSnapshotSource,
  Timekeeper,
  toTimestamp,
  UnnamedTags,
} from '@tallybook/domain';
import { createApp, EventFeed, type AppDependencies } from '@tallybook/http-koa';
import { createIndicator } from '@tallybook/indicators';
import { createReader } from '@tallybook/readers';
import { AnnouncedJournal } from '@tallybook/store-memory';
import { AttendanceLog } from '../log/attendance-log.js';
import { ClockLog } from '../log/clock-log.js';
import type { Config } from '../config/config.js';
import { createPublisher } from '../config/publishers.js';
import { DeviceGroup } from './device-group.js';
import { fanOut } from './fan-out.js';
import { StoreNotices } from '../health/store-notices.js';
import { HttpListener } from '../http/http-listener.js';
import { loadPage } from '../http/load-page.js';
import { createLog } from '../log/log.js';
import { MeteredLog } from '../log/metered-log.js';
import { healthModule, metricsModule } from './observing.js';
import { moduleOf } from './module-of.js';
import { OutputLog } from '../log/output-log.js';
import { RELEASED_AT } from '../config/released-at.js';
import { settings } from '../config/settings.js';
import { ScheduledBackup } from '../backup/scheduled-backup.js';
import { serviceId, type Services } from './services.js';
import { StatusMonitor } from './status-monitor.js';
import { logStoreNotices } from '../log/store-log.js';
import { createStores, storeFolderOf } from '../config/stores.js';
import { TallybookServer } from './tallybook-server.js';
import { readVersion } from '../version.js';

/** What the process itself gives: log and clock. */
export const systemModule: ContainerModule = moduleOf({
  log: ({ config }) => createLog(config.logLevel, process.stdout),
  systemClock: ({ config }) => new SystemClock({ isTrusted: config.clock === 'trusted' }),
  clock: ({ systemClock }) => systemClock,
});

/** The stores that the configuration names. */
export const storeModule: ContainerModule = moduleOf({
  storeNotices: () => new StoreNotices(),
  stores: ({ config, log, timekeeper, storeNotices }) => {
    const { store, onDamage, journalLimit: limit, journalDays: days } = config;
    const logNotice = logStoreNotices(log, onDamage);
    return createStores(store, {
      repairsDamage: onDamage === 'repair',
      notify: (notice) => {
        logNotice(notice);
        storeNotices.take(notice);
      },
      journal: { limit, days },
      // A clock that is wrong must not make the journal look old.
      clock: { now: () => (timekeeper.trust().isTrusted ? timekeeper.now() : toTimestamp(0)) },
    });
  },
  mappingStore: ({ stores }) => stores.mapping,
  dayStore: ({ stores }) => stores.days,
  provisionalStore: ({ stores }) => stores.provisional,
  accessStore: ({ stores }) => stores.access,
  // Journal and snapshots of the stores know nothing of a store that is bound in the place of one of them.
  journal: (services) =>
    areOfConfiguration(services)
      ? services.stores.journal
      : new AnnouncedJournal(services, { limit: services.config.journalLimit }),
  snapshots: (services) => {
    if (areOfConfiguration(services)) return services.stores.snapshots;
    const { mappingStore: mapping, dayStore: days, provisionalStore: provisional } = services;
    return new StoresSnapshotSource({ mapping, days, provisional });
  },
});

function areOfConfiguration({ stores, mappingStore, dayStore, provisionalStore }: Services): boolean {
  return (
    mappingStore === stores.mapping && dayStore === stores.days && provisionalStore === stores.provisional
  );
}

/** The readers that the configuration names. */
export const readersModule: ContainerModule = moduleOf({
  idSources: ({ config, clock }) => config.readers.map((url) => createReader(url, { clock })),
  readers: ({ idSources, log, readerMonitor }) =>
    new DeviceGroup({
      role: 'reader',
      devices: idSources,
      log,
      needsOne: true,
      onMissing: (reader, error) => readerMonitor.note({ reader, error }),
    }),
});

/** The outputs that the configuration names. */
export const outputsModule: ContainerModule = moduleOf({
  indicators: ({ config, clock }) => config.indicators.map((url) => createIndicator(url, { clock })),
  publishers: ({ config, journal, mappingStore: mapping, timekeeper, attendance }) =>
    config.publishers.map((url) => createPublisher(url, { journal, mapping, timekeeper, attendance })),
  outputs: ({ publishers, indicators, log }) =>
    new DeviceGroup({ role: 'output', devices: [...publishers, ...indicators], log }),
});

/** The use cases of the domain. */
export const domainModule: ContainerModule = moduleOf({
  calendar: ({ config }) => new Calendar(config),
  timekeeper: ({ clock }) => new Timekeeper(clock, { builtAt: RELEASED_AT }),
  attendance: ({
    dayStore: days,
    mappingStore: mapping,
    provisionalStore: provisional,
    calendar,
    timekeeper,
    config: { repeatWindowMs, backlogLimit },
    indicators,
    indicator,
  }) =>
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
  readerMonitor: ({ timekeeper, idSources }) => new ReaderMonitor(timekeeper, idSources),
  names: ({ mappingStore }) => new NameService(mappingStore),
  unnamed: ({ dayStore: days, mappingStore: mapping, calendar, timekeeper, attendance: { events } }) =>
    new UnnamedTags({ days, mapping, calendar, timekeeper, events }),
  ranges: ({ snapshots, mappingStore: mapping, dayStore: days }) =>
    new RangeService({ snapshots, mapping, days }),
  backup: ({ snapshots, mappingStore: mapping, dayStore: days, provisionalStore: provisional }) =>
    new BackupService({ snapshots, mapping, days, provisional }),
});

/** The HTTP interface and the port that it listens on. */
export const httpModule: ContainerModule = moduleOf({
  events: ({ attendance, names, journal, clock, log, config: { maxSubscribers } }) => {
    const metered = new MeteredLog(log, clock);
    const onFault = (err: unknown): void =>
      metered.write('journal', 'error', { err }, 'event streams cannot read what was recorded');
    return new EventFeed({ attendance, names, journal, clock, onFault }, { maxSubscribers });
  },
  status: ({ config: { store }, timekeeper, publishers }) =>
    new StatusMonitor({
      version: readVersion(),
      timekeeper,
      publishers,
      storeFolder: storeFolderOf(store),
    }),
  page: () => loadPage,
  app: ({
    config,
    names,
    attendance,
    calendar,
    timekeeper,
    backup,
    ranges,
    readerMonitor: readers,
    status,
    health,
    metrics,
    unnamed,
    events,
    page,
    log,
    clock,
    clockLog,
    httpMeter,
  }) => {
    const metered = new MeteredLog(log, clock);
    const dependencies: AppDependencies = {
      names,
      attendance,
      calendar,
      timekeeper,
      backup,
      ranges,
      readers,
      status,
      health,
      metrics,
      unnamed,
      events,
      page,
      reportError: (err, request) => {
        const kind = isTallybookError(err) ? err.code : 'mistake';
        metered.write(kind, 'error', { err, ...request }, 'request failed');
      },
      reportTimeSet: (before, after) => clockLog.noteSetting(before, after),
      reportDayRemoved: (day) => log.warn({ day }, 'the record of a day was removed'),
      reportLimited: (limit, client) => {
        httpMeter.noteRefused(limit);
        const { flag } = settings[limit];
        metered.write(
          limit,
          'warn',
          { client, flag: `--${flag}` },
          'request refused: its client sends too many',
        );
      },
      reportNamesChanged: (counts) => log.info({ ...counts }, 'names were changed'),
    };
    const { allowedHosts, maxExports, maxExportsPerMinute, maxReadsPerSecond, maxWritesPerSecond } = config;
    const { maxStreamsPerAddress, maxStreamsPerSession } = config;
    return createApp(dependencies, {
      allowedHosts,
      maxExports,
      maxExportsPerMinute,
      maxReadsPerSecond,
      maxWritesPerSecond,
      maxStreamsPerAddress,
      maxStreamsPerSession,
    });
  },
  listener: ({ app, config, httpMeter: meter, log, clock }) => {
    const { host, port, maxConnections, maxConnectionsPerAddress } = config;
    meter.routes = app.paths;
    const metered = new MeteredLog(log, clock);
    return new HttpListener(app.callback(), host, port, {
      maxConnections,
      maxConnectionsPerAddress,
      meter,
      reportRefused: (limit, address) => {
        meter.noteRefused(limit);
        const flag = limit === 'connections' ? '--max-connections' : '--max-connections-per-address';
        metered.write(limit, 'warn', { limit, address, flag }, 'connection refused: too many connections');
      },
    });
  },
});

/** What is logged, and everything together as one thing to open and close. */
export const serverModule: ContainerModule = moduleOf({
  attendanceLog: ({ log, attendance, idSources, clock }) =>
    new AttendanceLog(log, attendance, idSources, clock),
  outputLog: ({ log, indicators, publishers, clock }) =>
    new OutputLog(log, [...indicators, ...publishers], clock),
  clockLog: ({ log, timekeeper }) => new ClockLog(log, timekeeper),
  scheduledBackup: ({ config, backup, timekeeper, log }) => {
    const { backupFolder: folder, backupEveryMs: everyMs, backupKeep: keep } = config;
    const plan = folder === undefined ? undefined : { folder, everyMs, keep };
    return new ScheduledBackup(plan, backup, timekeeper, log);
  },
  server: (services) =>
    new TallybookServer({
      listener: services.listener,
      sources: services.idSources,
      attendance: services.attendance,
      early: services.systemClock,
      parts: [
        services.mappingStore,
        services.dayStore,
        services.provisionalStore,
        services.journal,
        services.accessStore,
        services.systemClock,
        services.readerMonitor,
        services.status,
        services.unnamed,
        services.metrics,
        services.listener,
        services.events,
        services.attendanceLog,
        services.outputLog,
        // After what may keep the server from starting, since an indicator shows that it is open. Before the
        // attendance service, which files and announces scans as soon as it is open, and until it is closed.
        services.outputs,
        services.attendance,
        services.clockLog,
        services.readers,
        services.scheduledBackup,
        services.health,
      ],
    }),
});

/**
 * Makes a container with all modules. Services are made when they are first read, so a test or a device app may
 * rebind any of them before.
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
    healthModule,
    metricsModule,
    serverModule,
  );
  return container;
}
