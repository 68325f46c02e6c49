import type { SyncTransport } from '@tallybook/domain/sync';
import type { Upstream } from './virtual/network.js';
import type { Stores } from './places/stores.js';

/** Replaces sound parts by parts with one fault, to check that the judge finds it. */
export interface Sabotage {
  atStation(stores: Stores): Stores;
  atCentre(stores: Stores): Stores;
  /** @param stores Stores of the station. */
  onTheWay(transport: SyncTransport, stores: Stores): SyncTransport;
  /** @param stores Stores of the centre. */
  inTheCentre(upstream: Upstream, stores: Stores): Upstream;
}

/** Changes nothing. */
export const honest: Sabotage = {
  atStation: (stores) => stores,
  atCentre: (stores) => stores,
  onTheWay: (transport) => transport,
  inTheCentre: (upstream) => upstream,
};
