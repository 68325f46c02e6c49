import { Gate } from '../record/gate.js';
import type { ProvisionalStore } from '../ports/record/provisional-store.js';
import type { Storage } from '../ports/storage.js';
import type { RetentionService } from '../personal/retention-service.js';
import type { HealthMonitor } from '../record/health/health-monitor.js';
import type { RecordFacets } from '../record/ports/correction-store.js';
import type { PersonalFacets } from '../record/ports/erasure-store.js';
import type { Pause } from '../record/turns.js';
import type { Feature, FeatureBase, FeatureParts, Tallybook } from '../tallybook.js';
import { CentreSync } from './centre/centre-sync.js';
import type { SyncFacets } from './ports/station-store.js';
import type { SyncTransport } from './ports/sync-transport.js';
import { withMembers } from '../with-members.js';
import { guardCorrections, guardMapping } from './station/guarded-stores.js';
import { StationSync } from './station/station-sync.js';
import { stationsCheck, upstreamCheck } from './sync-checks.js';
import { SyncNotes } from './sync-notes.js';

/** Lets other work run between two items. */
interface Pausing {
  readonly pause?: Pause;
}

export interface CentreOptions extends Pausing {
  /** Whether a second person has to approve corrections of stations. Default: no. */
  readonly needsApproval?: boolean;
  /** Whether a repair of the storage makes each station send its record again. Default: no. */
  readonly isRepairable?: boolean;
}

export interface StationOptions extends Pausing {
  readonly transport: SyncTransport;
  /** Name of the centre in the audit trail. */
  readonly host: string;
  /** Release of the program, 1 to 64 characters. */
  readonly version: string;
}

/** The services of {@link sync}: one of them. */
export interface SyncServices {
  readonly centre?: CentreSync;
  readonly station?: StationSync;
}

type SyncStorage = Storage & { readonly provisional: ProvisionalStore } & RecordFacets &
  PersonalFacets &
  SyncFacets;

/** What features before this one may have added. */
type Seen = Tallybook & { readonly retention?: RetentionService; readonly health?: HealthMonitor };

/** Takes batches of stations, as their centre; or with a transport sends to a centre, as a station. */
export function sync(options: CentreOptions | StationOptions = {}): Feature<SyncServices> {
  return {
    name: 'sync',
    needs: ['provisional', 'corrections', 'erasures', 'stampedNames', 'stations'],
    requires: ['record'],
    after: ['personal'],
    begin: (base) => ('transport' in options ? stationOf(base, options) : centreOf(base, options)),
  };
}

function centreOf(
  { storage, timekeeper, clock, audit }: FeatureBase,
  { pause = rest, ...options }: CentreOptions,
): FeatureParts<SyncServices> {
  const stores = storage as SyncStorage;
  return {
    add: (tallybook: Seen) => {
      const { retention, health } = tallybook;
      const centre = new CentreSync({
        ...storesOf(stores),
        ...{ stations: stores.stations, timekeeper, clock, audit, pause },
        ...options,
        // Days whose removal is postponed here must not be removed at the stations.
        ...(retention && {
          keepFrom: () => retention.firstKept(),
          guestLimit: () => retention.guestLimit(),
        }),
      });
      // Closed before listeners, which wait for requests that wait for changes.
      tallybook.attach('outputs', centre);
      health?.add(stationsCheck(centre, timekeeper));
      return { centre };
    },
  };
}

function stationOf(
  { storage, timekeeper, clock, calendar, audit }: FeatureBase,
  { pause = rest, transport, host, version }: StationOptions,
): FeatureParts<SyncServices> {
  const stores = storage as SyncStorage;
  const { mapping, corrections, erasures, provisional } = stores;
  const edits = new Gate(1);
  return {
    // Edits wait while changes of the centre are applied.
    storage: withMembers<SyncStorage>(stores, {
      mapping: guardMapping(mapping, edits, erasures),
      corrections: guardCorrections(corrections, edits, erasures),
    }),
    add: (tallybook: Seen) => {
      const { attendance, health } = tallybook;
      const station = new StationSync({
        ...storesOf(stores),
        ...{
          provisional,
          calendar,
          timekeeper,
          clock,
          edits,
          transport,
          pause,
          version,
          random: Math.random,
        },
        removeDay: (day) => attendance.removeDay(day),
        notes: new SyncNotes(audit, `centre ${host}`),
      });
      tallybook.attach('attendance', station);
      health?.add(upstreamCheck(station, timekeeper));
      return { station };
    },
  };
}

/** What both a centre and a station work on. */
function storesOf({ stampedNames: stamped, people, days, corrections, erasures, journal }: SyncStorage) {
  return { stamped, people, days, corrections, erasures, journal };
}

const rest: Pause = () => Promise.resolve();
