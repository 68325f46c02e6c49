import type { Lifecycle } from '@tallybook/domain';
import { createStores, removesNothing, type Stores } from '../config/stores.js';
import { systemTime } from '../config/system-time.js';
import { NameClock } from '../wiring/name-clock.js';

/** Stores of a command that writes names. */
export interface StampingStores {
  readonly stores: Stores;
  /** Opened in this order, before the names. */
  readonly stamping: readonly Lifecycle[];
}

/**
 * Makes the stores of a URL, closed, for a command that writes names. The names get stamps as if the service had written
 * them. So names from other places replace them only if they are later.
 */
export function createStampingStores(url: string): StampingStores {
  const nameClock = new NameClock(() => ({
    timekeeper: systemTime,
    journal: stores.journal,
    // Only the service knows whether it is a centre.
    takesAnyTime: false,
  }));
  const stores = createStores(url, { ...removesNothing, stamps: nameClock });
  return { stores, stamping: [stores.journal, nameClock] };
}
