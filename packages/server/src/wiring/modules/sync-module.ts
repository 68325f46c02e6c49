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
import type { ServedStorage } from '../../config/stores.js';
import { readVersion } from '../../version.js';
import { moduleOf } from '../module-of.js';
import type { Services } from '../services.js';
import { UpstreamLink, type UpstreamPlan } from '../upstream-link.js';

/** Synchronisation, at a centre and at a station. */
export const syncModule: ContainerModule = moduleOf({
  edits: () => new Gate(1),
  edited: ({ config: { upstream }, storage, edits }) => {
    const { mapping, corrections, erasures } = storage;
    if (upstream === undefined || corrections === undefined) return storage;
    return {
      mapping: new GuardedMappingStore(mapping, edits, erasures),
      corrections: new GuardedCorrectionStore(corrections, edits, erasures),
    };
  },
  centreSync: (services) => {
    const { timekeeper, clock, auditTrail: audit, retention, storage } = services;
    const { approveCorrections: needsApproval, store, upstream } = services.config;
    if (upstream !== undefined || !isSyncable(storage)) return undefined;
    const { days, corrections, erasures, journal, stampedNames: stamped, stations } = storage;
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

type Syncable = Required<ServedStorage>;

/** Whether a storage has the facets for a station and a centre. */
function isSyncable(storage: ServedStorage): storage is Syncable {
  const { corrections, erasures, stampedNames, stations, provisional } = storage;
  return [corrections, erasures, stampedNames, stations, provisional].every((facet) => facet !== undefined);
}

/** @throws {TallybookError} `INVALID_OPTION` if the storage of a station lacks a facet. */
function planOf(services: Services): UpstreamPlan | undefined {
  const { upstream: url, upstreamTokenFile, isUpstreamInsecure: allowsPlainHttp } = services.config;
  if (url === undefined || upstreamTokenFile === undefined) return undefined;
  const { storage, attendance, calendar, timekeeper, clock, edits, auditTrail } = services;
  if (!isSyncable(storage)) {
    throw new TallybookError('INVALID_OPTION', '--upstream needs a storage with all facets, as of --store');
  }
  const { days, corrections, erasures, journal, provisional, stampedNames: stamped } = storage;
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
