import type { ContainerModule } from 'inversify';
import {
  backlogCheck,
  clockCheck,
  HealthMonitor,
  readersCheck,
  stationsCheck,
  storeCheck,
  upstreamCheck,
  type Finding,
} from '@tallybook/domain';
import { isLoopback } from '../config/loopback.js';
import { storeFolderOf } from '../config/stores.js';
import { accessCheck, auditCheck, backupCheck, diskCheck, publishersCheck } from '../health/checks.js';
import { HttpMeter } from '../http/http-meter.js';
import { Metrics } from '../metrics/metrics.js';
import { readVersion } from '../version.js';
import { moduleOf } from './module-of.js';
import { readFreeBytes } from './read-storage.js';
import { isCentre } from './sync-module.js';

/** How the service is. */
export const healthModule: ContainerModule = moduleOf({
  openness:
    ({ access, config: { host, authHeader } }) =>
    () => {
      if (access.state !== 'open') return access.state;
      // With such a header nobody gets in whom the proxy does not name.
      if (authHeader !== undefined) return 'claimed';
      return isLoopback(host) ? 'loopback' : 'insecure';
    },
  health: (services) => {
    const {
      config,
      dayStore: days,
      storeNotices,
      calendar,
      timekeeper,
      attendance,
      readerMonitor,
    } = services;
    const { publishers, scheduledBackup, auditTrail, openness, clock, upstream, centreSync } = services;
    const { store, backupFolder, backupEveryMs } = config;
    const notices = (): Finding => storeNotices.finding();
    const folder = storeFolderOf(store);
    const checks = [
      storeCheck({ days, calendar, timekeeper, attendance, notices }),
      backlogCheck(attendance),
      ...(folder === undefined ? [] : [diskCheck(() => readFreeBytes(folder))]),
      readersCheck(readerMonitor),
      clockCheck(timekeeper),
      ...(publishers.length === 0 ? [] : [publishersCheck(publishers)]),
      ...(upstream.station === undefined ? [] : [upstreamCheck(upstream.station, timekeeper)]),
      ...(isCentre(services) ? [stationsCheck(centreSync, timekeeper)] : []),
      ...(backupFolder === undefined ? [] : [backupCheck(scheduledBackup, backupEveryMs)]),
      auditCheck(auditTrail),
      accessCheck(openness),
    ];
    return new HealthMonitor(checks, clock);
  },
});

/** What is measured, once somebody asks. */
export const metricsModule: ContainerModule = moduleOf({
  httpMeter: () => new HttpMeter(),
  metrics: (services) => {
    const { config, attendance, idSources, readerMonitor: readers, publishers, journal, events } = services;
    const { timekeeper, scheduledBackup: backup, health, httpMeter: http, upstream, centreSync } = services;
    const folder = storeFolderOf(config.store);
    return new Metrics({
      ...{ version: readVersion(), attendance, idSources, readers, publishers, journal },
      ...{ events, timekeeper, backup, health, http },
      readUpstream: () => upstream.read(),
      listStations: async () => (isCentre(services) ? centreSync.stations() : []),
      readFreeBytes: async () => (folder === undefined ? undefined : readFreeBytes(folder)),
    });
  },
});
