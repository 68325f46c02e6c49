import type { ContainerModule } from 'inversify';
import { toTimestamp } from '@tallybook/domain';
import { CorrectedDayStore, StoresSnapshotSource, type ErasureStore } from '@tallybook/domain/record';
import {
  AnnouncedJournal,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryMappingStore,
} from '@tallybook/store-memory';
import { createStores } from '../../config/stores.js';
import { StoreNotices } from '../../health/store-notices.js';
import { logStoreNotices } from '../../log/store-log.js';
import { moduleOf } from '../module-of.js';
import { Moment } from '../moment.js';
import { hasConfiguredStores } from './configured-stores.js';

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
      // A wrong clock must not make the changes of the journal look old.
      clock: { now: () => (timekeeper.trust().isTrusted ? timekeeper.now() : toTimestamp(0)) },
      stamps,
      calendar: { zone, dayStart },
    });
  },
  mappingStore: ({ editedStores }) => editedStores.mapping,
  dayStore: ({ stores }) => stores.days,
  provisionalStore: ({ stores }) => stores.provisional,
  erasureStore: (services) => (hasConfiguredStores(services) ? services.stores.erasures : noErasures()),
  accessStore: ({ stores }) => stores.access,
  auditStore: ({ stores }) => stores.audit,
  receiptStore: ({ stores }) => stores.receipts,
  correctionStore: ({ editedStores }) => editedStores.corrections,
  correctedDays: (services) => {
    const { dayStore: days, stores, correctionStore } = services;
    // The changes of a centre remove days while edits wait. So this store must not wait with the edits.
    const corrections = hasConfiguredStores(services) ? stores.corrections : correctionStore;
    return new CorrectedDayStore({ days, corrections });
  },
  // The journal and the snapshots of the stores do not contain data of a store that was bound in place of one of them.
  journal: (services) =>
    hasConfiguredStores(services)
      ? services.stores.journal
      : new AnnouncedJournal(services, { limit: services.config.journalLimit }),
  snapshots: (services) => {
    if (hasConfiguredStores(services)) return services.stores.snapshots;
    const { mappingStore: mapping, dayStore: days } = services;
    const { provisionalStore: provisional, correctionStore: corrections } = services;
    return new StoresSnapshotSource({ mapping, days, provisional, corrections });
  },
});

/** Used with stores of an app: this program cannot erase data from them. */
function noErasures(): ErasureStore {
  return new MemoryErasureStore({ mapping: new MemoryMappingStore(), days: new MemoryDayStore() });
}
