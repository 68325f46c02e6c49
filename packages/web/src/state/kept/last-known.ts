import type { BrowserStore } from './browser-store.js';
import type { Person } from '../presence/person.js';

/** The people who were here at the last answer of the service. */
export interface LastKnown {
  /** Seconds since 1970, by the clock of the service. */
  readonly at: number;
  readonly zone: string;
  readonly people: readonly Person[];
}

const KEY = 'last-known';

/** Keeps the list for use without a network, as in a fire. */
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

  /** Call it at signing out, so that no names stay in the browser. */
  forget(): void {
    this.store.remove(KEY);
  }
}

/** Checks only the outline, since only this page writes the value. */
function isLastKnown(value: unknown): value is LastKnown {
  const { at, zone, people } = (value ?? {}) as Partial<LastKnown>;
  return typeof at === 'number' && typeof zone === 'string' && Array.isArray(people);
}
