import type { ContainerModule } from 'inversify';
import {
  backlogCheck,
  clockCheck,
  HealthMonitor,
  readersCheck,
  storeCheck,
  type Finding,
} from '@tallybook/domain/record';
import { stationsCheck, upstreamCheck } from '@tallybook/domain/sync';
import { isLoopback } from '../../config/loopback.js';
import { storeFolderOf } from '../../config/stores.js';
import {
  accessCheck,
  adapterChecks,
  auditCheck,
  backupCheck,
  diskCheck,
  publishersCheck,
  storageCheck,
} from '../../health/checks.js';
import { HttpMeter } from '../../http/http-meter.js';
import { Metrics } from '../../metrics/metrics.js';
import { readVersion } from '../../version.js';
import { moduleOf } from '../module-of.js';
import { readFreeBytes } from '../read-storage.js';

/** The health of the service, and its measurements, which begin with the first request for them. */
export const healthModule: ContainerModule = moduleOf({
  openness:
    ({ tallybook: { access }, config: { host, authHeader } }) =>
    () => {
      if (access.state !== 'open') return access.state;
      // With such a header, only people whom the proxy names have access.
      if (authHeader !== undefined) return 'claimed';
      return isLoopback(host) ? 'loopback' : 'insecure';
    },
  health: (services) => {
    const { config, storage, storeNotices, tallybook, publishers, scheduledBackup, openness, clock } =
      services;
    const { calendar, timekeeper, attendance, readers, audit, station, centre } = tallybook;
    const { days } = storage;
    const { store, backupFolder, backupEveryMs, adapters } = config;
    const notices = (): Finding => storeNotices.finding();
    const folder = storeFolderOf(store);
    const checks = [
      storeCheck({ days, calendar, timekeeper, attendance, notices }),
      backlogCheck(attendance),
      ...(folder === undefined ? [] : [diskCheck(() => readFreeBytes(folder))]),
      readersCheck(readers),
      clockCheck(timekeeper),
      ...(publishers.length === 0 ? [] : [publishersCheck(publishers)]),
      ...(station === undefined ? [] : [upstreamCheck(station, timekeeper)]),
      ...(centre === undefined ? [] : [stationsCheck(centre, timekeeper)]),
      ...(backupFolder === undefined ? [] : [backupCheck(scheduledBackup, backupEveryMs)]),
      ...storageCheck(adapters.stores, store, storage),
      ...adapterChecks('reader', adapters.readers, services.idSources),
      ...adapterChecks('indicator', adapters.indicators, services.indicators),
      ...adapterChecks('publisher', adapters.publishers, publishers),
      auditCheck(audit),
      accessCheck(openness),
    ];
    return new HealthMonitor(checks, clock);
  },
  httpMeter: () => new HttpMeter(),
  metrics: (services) => {
    const { config, tallybook, idSources, publishers, events, timekeeper } = services;
    const { scheduledBackup: backup, health, httpMeter: http, upstream } = services;
    const { attendance, readers, centre } = tallybook;
    const { journal } = services.storage;
    const folder = storeFolderOf(config.store);
    return new Metrics({
      ...{ version: readVersion(), attendance, idSources, readers, publishers, journal },
      ...{ events, timekeeper, backup, health, http },
      readUpstream: () => upstream.read(),
      listStations: async () => centre?.stations() ?? [],
      readFreeBytes: async () => (folder === undefined ? undefined : readFreeBytes(folder)),
    });
  },
});
