import type { ContainerModule } from 'inversify';
import {
  backlogCheck,
  clockCheck,
  HealthMonitor,
  readersCheck,
  storeCheck,
  type Finding,
} from '@tallybook/domain';
import { isLoopbackHost } from '../config/is-loopback-host.js';
import { storeFolderOf } from '../config/stores.js';
import { accessCheck, backupCheck, diskCheck, publishersCheck } from '../health/checks.js';
import { HttpMeter } from '../http/http-meter.js';
import { Metrics } from '../metrics/metrics.js';
import { readVersion } from '../version.js';
import { moduleOf } from './module-of.js';
import { readFreeBytes } from './read-storage.js';

/** How the service is. */
export const healthModule: ContainerModule = moduleOf({
  openness:
    ({ config: { host } }) =>
    () =>
      isLoopbackHost(host) ? 'loopback' : 'insecure',
  health: ({
    config: { store, backupFolder, backupEveryMs },
    dayStore: days,
    storeNotices,
    calendar,
    timekeeper,
    attendance,
    readerMonitor,
    publishers,
    scheduledBackup,
    openness,
    clock,
  }) => {
    const notices = (): Finding => storeNotices.finding();
    const folder = storeFolderOf(store);
    const checks = [
      storeCheck({ days, calendar, timekeeper, attendance, notices }),
      backlogCheck(attendance),
      ...(folder === undefined ? [] : [diskCheck(() => readFreeBytes(folder))]),
      readersCheck(readerMonitor),
      clockCheck(timekeeper),
      ...(publishers.length === 0 ? [] : [publishersCheck(publishers)]),
      ...(backupFolder === undefined ? [] : [backupCheck(scheduledBackup, backupEveryMs)]),
      accessCheck(openness),
    ];
    return new HealthMonitor(checks, clock);
  },
});

/** What is measured, once somebody asks. */
export const metricsModule: ContainerModule = moduleOf({
  httpMeter: () => new HttpMeter(),
  metrics: ({
    config,
    attendance,
    idSources,
    readerMonitor: readers,
    publishers,
    journal,
    events,
    timekeeper,
    scheduledBackup: backup,
    health,
    httpMeter: http,
  }) => {
    const folder = storeFolderOf(config.store);
    return new Metrics({
      ...{ version: readVersion(), attendance, idSources, readers, publishers, journal },
      ...{ events, timekeeper, backup, health, http },
      readFreeBytes: async () => (folder === undefined ? undefined : readFreeBytes(folder)),
    });
  },
});
