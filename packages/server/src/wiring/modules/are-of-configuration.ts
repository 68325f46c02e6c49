import type { Services } from '../services.js';

/** Whether no store was bound in the place of one of the configuration: others know nothing of such a one. */
export function areOfConfiguration(services: Services): boolean {
  const { stores, editedStores, mappingStore, dayStore, provisionalStore, correctionStore } = services;
  return (
    mappingStore === editedStores.mapping &&
    dayStore === stores.days &&
    provisionalStore === stores.provisional &&
    correctionStore === editedStores.corrections
  );
}

/** Whether stations may send here. A station is no centre: what its own stations change would be overwritten by its centre. */
export function isCentre(services: Services): boolean {
  return services.config.upstream === undefined && areOfConfiguration(services);
}
