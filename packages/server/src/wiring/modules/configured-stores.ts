import type { Services } from '../services.js';

/** Whether no store was bound in the place of one of the configuration: the other stores would not know it. */
export function hasConfiguredStores(services: Services): boolean {
  const { stores, editedStores, mappingStore, dayStore, provisionalStore, correctionStore } = services;
  return (
    mappingStore === editedStores.mapping &&
    dayStore === stores.days &&
    provisionalStore === stores.provisional &&
    correctionStore === editedStores.corrections
  );
}

/** Whether stations may send here. A station is no centre: its centre would overwrite the changes of its own stations. */
export function isCentre(services: Services): boolean {
  return services.config.upstream === undefined && hasConfiguredStores(services);
}
