import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import { SystemClock } from '@tallybook/clock-system';
import {
  AccessService,
  AttendanceService,
  auditSection,
  AuditTrail,
  BackupService,
  Calendar,
  ErasureService,
  CorrectedDayStore,
  CorrectedSnapshotSource,
  CorrectionService,
  isTallybookError,
  NameService,
  owner,
  RangeService,
  ReaderMonitor,
  RetentionService,
  StoresSnapshotSource,
  Timekeeper,
  toTimestamp,
  UnnamedTags,
  type AuditNotes,
  type ErasureStore,
} from '@tallybook/domain';
import { createApp, EventFeed, type AppDependencies } from '@tallybook/http-koa';
import { createIndicator } from '@tallybook/indicators';
import { createReader, HttpIdSource } from '@tallybook/readers';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { SystemSecrets } from '@tallybook/secrets-system';
import {
  AnnouncedJournal,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryMappingStore,
} from '@tallybook/store-memory';
import { AccessLog } from '../log/access-log.js';
import { BackupFolder } from '../backup/backup-folder.js';
import { AuditKeeper } from '../audit/audit-keeper.js';
import { AttendanceLog } from '../log/attendance-log.js';
import { logCertificate } from '../log/certificate-log.js';
import { ClockLog } from '../log/clock-log.js';
import { ControlSocket, isOfOwner } from '../control/control-socket.js';
import { SetupCodeFile } from '../control/setup-code-file.js';
import { isLoopback } from '../config/loopback.js';
import type { Config } from '../config/config.js';
import { createPublisher } from '../config/publishers.js';
import { DataUpkeep } from './data-upkeep.js';
import { DeviceGroup } from './device-group.js';
import { fanOut } from './fan-out.js';
import { StoreNotices } from '../health/store-notices.js';
import { HttpListener } from '../http/http-listener.js';
import { KeyPairWatch } from '../http/key-pair-watch.js';
import { loadPage } from '../http/load-page.js';
import { createLog } from '../log/log.js';
import { MeteredLog } from '../log/metered-log.js';
import { createIdentityProvider, identityRulesOf, publicNamesOf } from './identity-provider.js';
import { healthModule, metricsModule } from './observing.js';
import { Moment } from './moment.js';
import { moduleOf } from './module-of.js';
import { OutputLog } from '../log/output-log.js';
import { parseGroupRole } from '../config/parse-setting.js';
import { RELEASED_AT } from '../config/released-at.js';
import { settings } from '../config/settings.js';
import { ScheduledBackup } from '../backup/scheduled-backup.js';
import { serviceId, type Services } from './services.js';
import { StatusMonitor } from './status-monitor.js';
import { logStoreNotices } from '../log/store-log.js';
import { createStores, isSharedStore, storeFolderOf } from '../config/stores.js';
import { areOfConfiguration, isCentre, syncModule } from './sync-module.js';
import { TallybookServer, type ServerParts } from './tallybook-server.js';
import { readVersion } from '../version.js';

/** How long provisional scans are left to another server that took them, in milliseconds: a time server answers sooner. */
const LEAVE_PROVISIONAL_MS = 900_000;
/** How long a session may hold here that another server has ended, in milliseconds. */
const LOOK_AT_ACCESS_MS = 250;

/** What the process itself gives: log and clock. */
export const systemModule: ContainerModule = moduleOf({
  log: ({ config }) => createLog(config.logLevel, process.stdout),
  systemClock: ({ config }) => new SystemClock({ isTrusted: config.clock === 'trusted' }),
  clock: ({ systemClock }) => systemClock,
});

/** The stores that the configuration names. */
export const storeModule: ContainerModule = moduleOf({
  storeNotices: () => new StoreNotices(),
  repairs: () => [],
  storesWait: () => new Moment(),
  stores: ({ config, log, timekeeper, storeNotices, storesWait, repairs, nameClock: stamps }) => {
    const { store, onDamage, journalLimit: limit, journalDays: days, zone, dayStart } = config;
    const logNotice = logStoreNotices(log, onDamage);
    return createStores(store, {
      repairsDamage: onDamage === 'repair',
      notify: (notice) => {
        logNotice(notice);
        storeNotices.take(notice);
        if (notice.kind === 'repaired') repairs.push(notice.report);
      },
      onOpening: () => storesWait.happen(),
      journal: { limit, days },
      // A clock that is wrong must not make the journal look old.
      clock: { now: () => (timekeeper.trust().isTrusted ? timekeeper.now() : toTimestamp(0)) },
      stamps,
      calendar: { zone, dayStart },
    });
  },
  mappingStore: ({ editedStores }) => editedStores.mapping,
  dayStore: ({ stores }) => stores.days,
  provisionalStore: ({ stores }) => stores.provisional,
  erasureStore: (services) => (areOfConfiguration(services) ? services.stores.erasures : noErasures()),
  accessStore: ({ stores }) => stores.access,
  auditStore: ({ stores }) => stores.audit,
  receiptStore: ({ stores }) => stores.receipts,
  correctionStore: ({ editedStores }) => editedStores.corrections,
  correctedDays: (services) => {
    const { dayStore: days, stores, correctionStore } = services;
    // What comes from a centre removes days while nobody may edit, so that must not wait for it.
    const corrections = areOfConfiguration(services) ? stores.corrections : correctionStore;
    return new CorrectedDayStore({ days, corrections });
  },
  // Journal and snapshots of the stores know nothing of a store that is bound in the place of one of them.
  journal: (services) =>
    areOfConfiguration(services)
      ? services.stores.journal
      : new AnnouncedJournal(services, { limit: services.config.journalLimit }),
  snapshots: (services) => {
    if (areOfConfiguration(services)) return services.stores.snapshots;
    const { mappingStore: mapping, dayStore: days } = services;
    const { provisionalStore: provisional, correctionStore: corrections } = services;
    return new StoresSnapshotSource({ mapping, days, provisional, corrections });
  },
});

/** For stores in whose place nobody knows how to erase. */
function noErasures(): ErasureStore {
  return new MemoryErasureStore({ mapping: new MemoryMappingStore(), days: new MemoryDayStore() });
}

/** The readers that the configuration names. */
export const readersModule: ContainerModule = moduleOf({
  idSources: ({ config, clock, timekeeper, receiptStore: receipts }) =>
    config.readers.map((url) => createReader(url, { clock, timekeeper, receipts })),
  pushSources: ({ idSources }) => idSources.filter((source) => source instanceof HttpIdSource),
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
    correctedDays: days,
    mappingStore: mapping,
    provisionalStore: provisional,
    erasureStore: erasures,
    calendar,
    timekeeper,
    config: { store, repeatWindowMs, backlogLimit },
    indicators,
    indicator,
    stores,
  }) =>
    new AttendanceService(
      {
        days,
        mapping,
        provisional,
        erasures,
        calendar,
        timekeeper,
        indicator: fanOut(indicator === undefined ? indicators : [...indicators, indicator]),
        ...(isSharedStore(store) && { journal: stores.journal }),
      },
      {
        ...{ repeatWindowMs, backlogLimit },
        ...(isSharedStore(store) && { leaveProvisionalMs: LEAVE_PROVISIONAL_MS }),
      },
    ),
  readerMonitor: ({ timekeeper, idSources }) => new ReaderMonitor(timekeeper, idSources),
  names: ({ mappingStore }) => new NameService(mappingStore),
  unnamed: ({ correctedDays: days, mappingStore: mapping, calendar, timekeeper, journal }) =>
    new UnnamedTags({ days, mapping, calendar, timekeeper, journal }),
  ranges: ({ snapshots, mappingStore: mapping, correctedDays: days }) =>
    new RangeService({ snapshots: new CorrectedSnapshotSource(snapshots), mapping, days }),
  corrections: ({
    correctedDays: days,
    correctionStore: corrections,
    erasureStore: erasures,
    calendar,
    timekeeper,
    auditTrail: audit,
    config: { approveCorrections: needsApproval },
  }) =>
    new CorrectionService({ days, corrections, erasures, calendar, timekeeper, audit }, { needsApproval }),
  backup: ({
    snapshots,
    mappingStore: mapping,
    dayStore: days,
    provisionalStore: provisional,
    correctionStore: corrections,
    erasureStore: erasures,
    timekeeper,
  }) => new BackupService({ snapshots, mapping, days, provisional, corrections, erasures, timekeeper }),
  erasures: ({ config, erasureStore: erasures, timekeeper, attendance, backup, auditTrail: audit }) =>
    new ErasureService({ erasures, timekeeper, attendance, audit, ...backupsOf(config, backup) }),
  retention: ({
    config,
    dayStore: days,
    provisionalStore: provisional,
    correctionStore: corrections,
    attendance,
    calendar,
    timekeeper,
    backup,
    auditTrail: audit,
  }) =>
    new RetentionService(
      {
        ...{ days, provisional, corrections, attendance, calendar, timekeeper, audit },
        ...backupsOf(config, backup),
      },
      config.keep,
    ),
});

function backupsOf({ backupFolder }: Config, backup: BackupService): { readonly backups?: BackupFolder } {
  return backupFolder === undefined ? {} : { backups: new BackupFolder(backupFolder, backup) };
}

/** Who may do what, and how the owner of the store does it without a password. */
export const accessModule: ContainerModule = moduleOf({
  secrets: () => new SystemSecrets(),
  passkeyVerifier: () => new WebauthnPasskeyVerifier(),
  accessLog: ({ log, clock }) => new AccessLog(log, clock),
  access: (services) => {
    const { accessStore: store, secrets, timekeeper, calendar, accessLog, config } = services;
    const { passkeyVerifier: passkeys } = services;
    const audit: AuditNotes = {
      note: async (actor, action, details) => {
        accessLog.note(actor, action, details);
        // Not before: the trail asks this service whether it is claimed.
        await services.auditTrail.note(actor, action, details);
      },
    };
    const onFault = (error: unknown): void => accessLog.noteFault(error);
    const provider = services.identityProvider ?? createIdentityProvider(config, timekeeper);
    // Who reaches this machine's own address is on this machine; but where people sign in elsewhere, others reach it.
    const isPrivate = isLoopback(config.host) && provider === undefined;
    const requiresClaim = !config.isInsecure && !isPrivate;
    const identityRules = identityRulesOf(config);
    const options = {
      requiresClaim,
      identityRules,
      ...(isSharedStore(config.store) && { lookMs: LOOK_AT_ACCESS_MS }),
    };
    const parts = { store, secrets, passkeys, timekeeper, calendar, audit, onFault };
    return new AccessService({ ...parts, ...(provider !== undefined && { provider }) }, options);
  },
  auditTrail: ({ auditStore: store, secrets, timekeeper, access }) =>
    new AuditTrail(
      { store, timekeeper, digest: (text) => secrets.digest(text) },
      { isClaimed: () => access.state === 'claimed' },
    ),
  setupCodeFile: ({ access, config: { store }, log }) =>
    new SetupCodeFile(access, storeFolderOf(store), (err) => {
      log.warn({ err }, 'the setup code is in no file; this log has it');
    }),
  controlSocket: ({ app, config: { store }, log }) =>
    new ControlSocket(app.callback(), storeFolderOf(store), {
      onFault: (err) => {
        log.warn(
          { err },
          'commands such as "tallybook user" cannot reach this service: stop it before you use them',
        );
      },
    }),
});

/** The HTTP interface and the port that it listens on. */
export const httpModule: ContainerModule = moduleOf({
  events: ({ attendance, names, journal, clock, log, config: { maxSubscribers } }) => {
    const metered = new MeteredLog(log, clock);
    const onFault = (err: unknown): void =>
      metered.write('journal', 'error', { err }, 'event streams cannot read what was recorded');
    return new EventFeed({ attendance, names, journal, clock, onFault }, { maxSubscribers });
  },
  status: (services) => {
    const {
      config: { store },
      timekeeper,
      publishers,
    } = services;
    return new StatusMonitor({
      version: readVersion(),
      timekeeper,
      publishers,
      readUpstream: () => services.upstream.read(),
      storeFolder: storeFolderOf(store),
    });
  },
  page: () => loadPage,
  app: (services) => {
    const {
      config,
      names,
      attendance,
      calendar,
      timekeeper,
      corrections,
      backup,
      ranges,
      readerMonitor: readers,
      pushSources,
      status,
      health,
      metrics,
      unnamed,
      events,
      access,
      auditTrail: audit,
      auditStore,
      page,
      log,
      clock,
      clockLog,
      httpMeter,
      erasures,
      erasureStore,
      retention,
    } = services;
    const metered = new MeteredLog(log, clock);
    const dependencies: AppDependencies = {
      names,
      attendance,
      calendar,
      timekeeper,
      corrections,
      backup,
      ranges,
      readers,
      pushSources,
      status,
      health,
      metrics,
      unnamed,
      events,
      access,
      audit,
      page,
      ...(areOfConfiguration(services) && {
        personal: {
          erasures,
          retention,
          person: { erasures: erasureStore, sections: [auditSection(auditStore, erasureStore)] },
          audit,
        },
      }),
      ...(isCentre(services) && { centre: services.centreSync }),
      reportError: (err, request) => {
        const kind = isTallybookError(err) ? err.code : 'mistake';
        metered.write(kind, 'error', { err, ...request }, 'request failed');
      },
      reportDenied: ({ status, ...request }) => {
        const message = status === 401 ? 'request refused: not signed in' : 'request refused: not allowed';
        metered.write(`denied ${status}`, 'warn', { status, ...request }, message);
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
    const { trustedProxies, authHeader, authHeaderRole, authGroupsHeader, authGroupRoles, isInsecure } =
      config;
    return createApp(dependencies, {
      allowedHosts: [...allowedHosts, ...publicNamesOf(config)],
      maxExports,
      maxExportsPerMinute,
      maxReadsPerSecond,
      maxWritesPerSecond,
      maxStreamsPerAddress,
      maxStreamsPerSession,
      access: {
        ...{ trustedProxies, isInsecure },
        ...(authHeader !== undefined && { authHeader }),
        ...(authHeaderRole !== undefined && { authHeaderRole }),
        ...(authGroupsHeader !== undefined && { authGroupsHeader }),
        authGroupRoles: Object.fromEntries(authGroupRoles.map(parseGroupRole)),
        principalOf: (request) => (isOfOwner(request) ? owner : undefined),
      },
    });
  },
  certificate: ({ config: { tlsCert, tlsKey }, log }) => {
    const files = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
    return new KeyPairWatch(files, logCertificate(log));
  },
  listener: ({ app, certificate: tls, config, httpMeter: meter, log, clock }) => {
    const { host, port, maxConnections, maxConnectionsPerAddress } = config;
    meter.routes = app.paths;
    const metered = new MeteredLog(log, clock);
    return new HttpListener(app.callback(), host, port, {
      tls,
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
  auditKeeper: ({ auditTrail: trail, timekeeper, log, repairs, config: { auditDays } }) =>
    new AuditKeeper({ trail, timekeeper, log, repairs }, auditDays),
  clockLog: ({ log, timekeeper }) => new ClockLog(log, timekeeper),
  scheduledBackup: ({ config, backup, timekeeper, log }) => {
    const { backupFolder: folder, backupEveryMs: everyMs, backupKeep: keep } = config;
    const plan = folder === undefined ? undefined : { folder, everyMs, keep };
    return new ScheduledBackup(plan, backup, timekeeper, log);
  },
  dataUpkeep: ({ erasures, retention, clock, log }) => new DataUpkeep({ erasures, retention, clock, log }),
  server: (services) =>
    new TallybookServer(
      {
        certificate: services.certificate,
        clock: services.systemClock,
        store: services.mappingStore,
        storeWaits: services.storesWait.promise,
      },
      () => partsOf(services),
      (err) =>
        services.log.error({ err }, 'a part of the service could not be closed after a start that failed'),
    ),
});

function partsOf(services: Services): ServerParts {
  return {
    listener: services.listener,
    sources: services.idSources,
    attendance: services.attendance,
    parts: [
      services.mappingStore,
      services.dayStore,
      services.provisionalStore,
      // It finishes what a power cut has interrupted, so before anything is read.
      services.erasureStore,
      services.correctionStore,
      services.correctedDays,
      services.journal,
      services.nameClock,
      services.stampedNames,
      services.stationStore,
      services.accessStore,
      services.auditStore,
      services.receiptStore,
      services.systemClock,
      services.readerMonitor,
      services.status,
      services.metrics,
      services.access,
      services.auditKeeper,
      services.setupCodeFile,
      services.certificate,
      services.listener,
      services.events,
      // Closed before the listener, which waits for those who wait for changes.
      ...(isCentre(services) ? [services.centreSync] : []),
      services.controlSocket,
      services.attendanceLog,
      services.outputLog,
      // After what may keep the server from starting, since an indicator shows that it is open. Before the
      // attendance service, which files and announces scans as soon as it is open, and until it is closed.
      services.outputs,
      services.attendance,
      services.upstream,
      services.clockLog,
      services.readers,
      services.scheduledBackup,
      services.dataUpkeep,
      services.health,
    ],
  };
}

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
    syncModule,
    readersModule,
    outputsModule,
    domainModule,
    accessModule,
    httpModule,
    healthModule,
    metricsModule,
    serverModule,
  );
  return container;
}
