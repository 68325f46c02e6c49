import type { ContainerModule } from 'inversify';
import { deferred } from '@tallybook/devices';
import { toTimestamp, type AttendanceService } from '@tallybook/domain';
import { SystemClock } from '@tallybook/system';
import { createServedStorage } from '../../config/stores.js';
import { stampsBy } from '../../config/system-time.js';
import { StoreNotices } from '../../health/store-notices.js';
import { createLog } from '../../log/log.js';
import { logStoreNotices } from '../../log/store-log.js';
import { moduleOf } from '../module-of.js';
import { RecordPlace } from '../record-place.js';

/** Log and clock of the process, and the storage, the readers and the outputs that the configuration names. */
export const adaptersModule: ContainerModule = moduleOf({
  log: ({ config }) => createLog(config.logLevel, process.stdout),
  systemClock: ({ config }) => new SystemClock({ isTrusted: config.clock === 'trusted' }),
  clock: ({ systemClock }) => systemClock,
  storeNotices: () => new StoreNotices(),
  repairs: () => [],
  storesWait: () => deferred(),
  storage: ({ config, log, timekeeper, storeNotices, storesWait, repairs }) => {
    const { store, onDamage, journalLimit: limit, journalDays: days, zone, dayStart, upstream } = config;
    const logNotice = logStoreNotices(log, onDamage);
    return createServedStorage(config.adapters, store, {
      repairsDamage: onDamage === 'repair',
      notify: (notice) => {
        logNotice(notice);
        storeNotices.take(notice);
        if (notice.kind === 'repaired') repairs.push(notice.report);
      },
      onOpening: () => storesWait.resolve(),
      journal: { limit, days },
      // A wrong clock must not make the changes of the journal look old.
      clock: { now: () => (timekeeper.trust().isTrusted ? timekeeper.now() : toTimestamp(0)) },
      // At a centre an untrusted time stamps too, because nobody else stamps the changes made there.
      stamps: stampsBy(timekeeper, upstream === undefined),
      calendar: { zone, dayStart },
    });
  },
  recordPlace: ({ storage: { journal } }) => new RecordPlace(journal),
  idSources: ({ config, clock, timekeeper, storage: { receipts } }) =>
    config.readers.map((url) =>
      config.adapters.readers.create(url, { clock, timekeeper, ...(receipts && { receipts }) }),
    ),
  indicators: ({ config, clock }) =>
    config.indicators.map((url) => config.adapters.indicators.create(url, { clock })),
  publishers: (services) => {
    const { config, timekeeper, storage } = services;
    const { journal, mapping, people } = storage;
    // The tallybook is made of the publishers.
    const events: AttendanceService['events'] = {
      subscribe: (next) => services.tallybook.attendance.events.subscribe(next),
    };
    const parts = { journal, mapping, ...(people && { people }), timekeeper, attendance: { events } };
    return config.publishers.map((url) => config.adapters.publishers.create(url, parts));
  },
});
