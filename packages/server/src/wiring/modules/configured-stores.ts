import type { Services } from '../services.js';

/**
 * Whether all stores are those of the configuration. If another store was bound in place of one, the others do not know
 * its data.
 */
export function hasConfiguredStores(services: Services): boolean {
  const { stores, editedStores, mappingStore, dayStore, provisionalStore, correctionStore } = services;
  return (
    mappingStore === editedStores.mapping &&
    dayStore === stores.days &&
    provisionalStore === stores.provisional &&
    correctionStore === editedStores.corrections
  );
}

/**
 * Whether stations may send here. A station cannot be a centre: its own centre would overwrite changes of its stations.
 */
export function isCentre(services: Services): boolean {
  return services.config.upstream === undefined && hasConfiguredStores(services);
}
