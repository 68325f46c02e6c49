import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { ContainerModule } from 'inversify';
import { TallybookError } from '@tallybook/domain';
import { Gate } from '@tallybook/domain/record';
import {
  CentreSync,
  GuardedCorrectionStore,
  GuardedMappingStore,
  StationSync,
  SyncNotes,
} from '@tallybook/domain/sync';
import { isPostgresUrl } from '@tallybook/store-postgres';
import { readVersion } from '../../version.js';
import { moduleOf } from '../module-of.js';
import { NameClock } from '../name-clock.js';
import type { Services } from '../services.js';
import { UpstreamLink, type UpstreamPlan } from '../upstream-link.js';
import { hasConfiguredStores } from './configured-stores.js';

/** Synchronisation, at a centre and at a station. */
export const syncModule: ContainerModule = moduleOf({
  edits: () => new Gate(1),
  editedStores: ({ config: { upstream }, stores, edits }) =>
    upstream === undefined
      ? stores
      : {
          mapping: new GuardedMappingStore(stores.mapping, edits, stores.erasures),
          corrections: new GuardedCorrectionStore(stores.corrections, edits, stores.erasures),
        },
  nameClock: (services) =>
    // The parts are found later, because the store that stamps is made with this clock.
    new NameClock(() => ({
      timekeeper: services.timekeeper,
      journal: services.journal,
      takesAnyTime: services.config.upstream === undefined,
    })),
  stampedNames: ({ stores }) => stores.stampedNames,
  stationStore: ({ stores }) => stores.stations,
  centreSync: (services) => {
    const { stores, stampedNames: stamped, stationStore: stations, timekeeper, clock } = services;
    const { auditTrail: audit, retention } = services;
    const { approveCorrections: needsApproval, store } = services.config;
    const { days, corrections, erasures, journal } = stores;
    return new CentreSync({
      ...{ days, stamped, corrections, erasures, journal, stations, timekeeper, clock, needsApproval, audit },
      pause: () => endOfTurn(),
      // `tallybook repair` works only on a store on a disk.
      isRepairable: !isPostgresUrl(store),
      // Days whose removal is postponed here must not be removed at the stations.
      keepFrom: () => retention.firstKept(),
    });
  },
  upstream: (services) => new UpstreamLink(planOf(services), services),
});

/** @throws {TallybookError} `INVALID_OPTION` if the stores of the station are not those of the configuration. */
function planOf(services: Services): UpstreamPlan | undefined {
  const { upstream: url, upstreamTokenFile, isUpstreamInsecure: allowsPlainHttp } = services.config;
  if (url === undefined || upstreamTokenFile === undefined) return undefined;
  if (!hasConfiguredStores(services)) {
    throw new TallybookError('INVALID_OPTION', '--upstream needs the stores of the configuration');
  }
  const { stores, stampedNames: stamped, attendance, calendar, timekeeper, clock, edits } = services;
  const { auditTrail } = services;
  const { days, corrections, erasures, journal, provisional } = stores;
  return {
    ...{ url, tokenFile: upstreamTokenFile, allowsPlainHttp },
    createStation: (transport, host) =>
      new StationSync({
        ...{ days, stamped, corrections, erasures, journal, provisional },
        ...{ calendar, timekeeper, clock, edits, transport },
        pause: () => endOfTurn(),
        removeDay: (day) => attendance.removeDay(day),
        notes: new SyncNotes(auditTrail, `centre ${host}`),
        random: Math.random,
        version: readVersion(),
      }),
  };
}
