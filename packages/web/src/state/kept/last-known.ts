import type { BrowserStore } from './browser-store.js';
import type { Person } from '../presence/person.js';

/** Who was here when the service could be asked last. */
export interface LastKnown {
  /** Seconds since 1970, by the clock of the service. */
  readonly at: number;
  readonly zone: string;
  readonly people: readonly Person[];
}

const KEY = 'last-known';

/** Keeps the list for when it is needed without a network, as in a fire. */
export class LastKnownStore {
  private readonly store: BrowserStore;

  constructor(store: BrowserStore) {
    this.store = store;
  }

  read(): LastKnown | undefined {
    return this.store.read(KEY, isLastKnown);
  }

  write(known: LastKnown): void {
    this.store.write(KEY, known);
  }

  /** Called at signing out, so that no names stay behind. */
  forget(): void {
    this.store.remove(KEY);
  }
}

/** It was written by this page or an earlier version of it, so a look at its outline is enough. */
function isLastKnown(value: unknown): value is LastKnown {
  const { at, zone, people } = (value ?? {}) as Partial<LastKnown>;
  return typeof at === 'number' && typeof zone === 'string' && Array.isArray(people);
}
