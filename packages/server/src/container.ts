import 'reflect-metadata';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import {
  AttendanceService,
  BackupService,
  Calendar,
  NameService,
  type Clock,
  type DayStore,
  type IdSource,
  type Indicator,
  type MappingStore,
} from '@tallybook/domain';
import { createApp, EventFeed } from '@tallybook/http-koa';
import { createReader } from '@tallybook/readers';
import { AttendanceLog } from './attendance-log.js';
import type { Config } from './config.js';
import { HttpListener } from './http-listener.js';
import { createLog, type Log } from './log.js';
import { createStores, type Stores } from './stores.js';
import { SystemClock } from './system-clock.js';
import { TallybookServer } from './tallybook-server.js';

/** What the container holds, by name. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly stores: Stores;
  readonly mappingStore: MappingStore;
  readonly dayStore: DayStore;
  readonly idSources: readonly IdSource[];
  /** Not bound unless a device has one. */
  readonly indicator: Indicator;
  readonly attendance: AttendanceService;
  readonly names: NameService;
  readonly backup: BackupService;
  readonly events: EventFeed;
  readonly app: ReturnType<typeof createApp>;
  readonly listener: HttpListener;
  readonly attendanceLog: AttendanceLog;
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
  bind(serviceId('clock')).toResolvedValue(() => new SystemClock());
});

/** The stores that the configuration names. */
export const storeModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('stores')).toResolvedValue(({ store }) => createStores(store), [serviceId('config')]);
  bind(serviceId('mappingStore')).toResolvedValue(({ mapping }) => mapping, [serviceId('stores')]);
  bind(serviceId('dayStore')).toResolvedValue(({ days }) => days, [serviceId('stores')]);
});

/** The readers that the configuration names. */
export const readersModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('idSources')).toResolvedValue(
    ({ readers }, clock) => readers.map((url) => createReader(url, { clock })),
    [serviceId('config'), serviceId('clock')],
  );
});

/** The use cases of the domain. */
export const domainModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('calendar')).toResolvedValue((config) => new Calendar(config), [serviceId('config')]);
  bind(serviceId('attendance')).toResolvedValue(
    (
      days: DayStore,
      mapping: MappingStore,
      calendar: Calendar,
      { repeatWindowMs }: Config,
      indicator?: Indicator,
    ) =>
      new AttendanceService(
        { days, mapping, calendar, ...(indicator === undefined ? {} : { indicator }) },
        { repeatWindowMs },
      ),
    [
      serviceId('dayStore'),
      serviceId('mappingStore'),
      serviceId('calendar'),
      serviceId('config'),
      { serviceIdentifier: serviceId('indicator'), optional: true },
    ],
  );
  bind(serviceId('names')).toResolvedValue(
    (mapping) => new NameService(mapping),
    [serviceId('mappingStore')],
  );
  bind(serviceId('backup')).toResolvedValue(
    (mapping, days) => new BackupService(mapping, days),
    [serviceId('mappingStore'), serviceId('dayStore')],
  );
});

/** The HTTP interface and the port that it listens on. */
export const httpModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('events')).toResolvedValue(
    (attendance, { maxSubscribers }) => new EventFeed(attendance.events, { maxSubscribers }),
    [serviceId('attendance'), serviceId('config')],
  );
  bind(serviceId('app')).toResolvedValue(
    (names, attendance, calendar, events, log) =>
      createApp({
        names,
        attendance,
        calendar,
        events,
        reportError: (err, request) => {
          log.error({ err, ...request }, 'request failed');
        },
      }),
    [
      serviceId('names'),
      serviceId('attendance'),
      serviceId('calendar'),
      serviceId('events'),
      serviceId('log'),
    ],
  );
  bind(serviceId('listener')).toResolvedValue(
    (app, { host, port }) => new HttpListener(app.callback(), host, port),
    [serviceId('app'), serviceId('config')],
  );
});

/** Everything together, as one thing to open and close. */
export const serverModule: ContainerModule = new ContainerModule(({ bind }) => {
  bind(serviceId('attendanceLog')).toResolvedValue(
    (log, attendance, sources, clock) => new AttendanceLog(log, attendance, sources, clock),
    [serviceId('log'), serviceId('attendance'), serviceId('idSources'), serviceId('clock')],
  );
  bind(serviceId('server')).toResolvedValue(
    (mapping, days, listener, events, log, attendance, sources) =>
      new TallybookServer({ mapping, days, listener, events, log, attendance, sources }),
    [
      serviceId('mappingStore'),
      serviceId('dayStore'),
      serviceId('listener'),
      serviceId('events'),
      serviceId('attendanceLog'),
      serviceId('attendance'),
      serviceId('idSources'),
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
  container.load(systemModule, storeModule, readersModule, domainModule, httpModule, serverModule);
  return container;
}
