import type { ContainerModule } from 'inversify';
import { storeFolderOf } from '../../config/stores.js';
import { HttpMeter } from '../../http/http-meter.js';
import { Metrics } from '../../metrics/metrics.js';
import { readVersion } from '../../version.js';
import { moduleOf } from '../module-of.js';
import { readFreeBytes } from '../read-storage.js';

/** The measurements, which begin with the first request for them. */
export const metricsModule: ContainerModule = moduleOf({
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
