import type { SyncTransport } from '@tallybook/domain';
import type { Upstream } from './virtual/network.js';
import type { Stores } from './places/stores.js';

/** Takes the place of sound parts by parts that have one fault, to see that the judge finds it. */
export interface Sabotage {
  atStation(stores: Stores): Stores;
  atCentre(stores: Stores): Stores;
  /** @param stores Those of the station. */
  onTheWay(transport: SyncTransport, stores: Stores): SyncTransport;
  /** @param stores Those of the centre. */
  inTheCentre(upstream: Upstream, stores: Stores): Upstream;
}

/** Leaves everything as it is. */
export const honest: Sabotage = {
  atStation: (stores) => stores,
  atCentre: (stores) => stores,
  onTheWay: (transport) => transport,
  inTheCentre: (upstream) => upstream,
};
