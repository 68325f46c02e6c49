import type { ContainerModule } from 'inversify';
import { deferred } from '@tallybook/devices';
import { toTimestamp } from '@tallybook/domain';
import { createServedStorage } from '../../config/stores.js';
import { StoreNotices } from '../../health/store-notices.js';
import { logStoreNotices } from '../../log/store-log.js';
import { stampsBy } from '../../config/system-time.js';
import { moduleOf } from '../module-of.js';
import { RecordPlace } from '../record-place.js';

/** The storage that the configuration names. */
export const storeModule: ContainerModule = moduleOf({
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
});
