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
import { moduleOf } from '../module-of.js';
import { readFreeBytes } from '../read-storage.js';

/** The health of the service. */
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
});
