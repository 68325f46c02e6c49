import type { Person } from './presence.js';

/**
 * Data that this browser keeps for the page, as JSON under keys.
 *
 * The page works without it: if a browser keeps nothing, or has no room, reads return `undefined`.
 */
export class BrowserStore {
  private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  private readonly prefix: string;

  /**
   * @param storage `undefined` where the browser refuses it.
   * @param prefix Separates services at different paths of the same host.
   */
  constructor(storage: Storage | undefined, prefix: string) {
    this.storage = storage;
    this.prefix = prefix;
  }

  keyOf(name: string): string {
    return `${this.prefix}${name}`;
  }

  /** @returns `undefined` if no data is kept, or `isValid` refuses it. */
  read<T>(name: string, isValid: (value: unknown) => value is T): T | undefined {
    try {
      const value: unknown = JSON.parse(this.storage?.getItem(this.keyOf(name)) ?? 'null');
      return isValid(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  remove(name: string): void {
    try {
      this.storage?.removeItem(this.keyOf(name));
    } catch {
      // Without storage, no data was kept.
    }
  }

  /** @returns Whether the browser has kept the value. */
  write(name: string, value: unknown): boolean {
    try {
      this.storage?.setItem(this.keyOf(name), JSON.stringify(value));
      return this.storage !== undefined;
    } catch {
      return false;
    }
  }
}

/** The people who were here at the last answer of the service. */
export interface LastKnown {
  /** Seconds since 1970, by the clock of the service. */
  readonly at: number;
  readonly zone: string;
  readonly people: readonly Person[];
}

/** Checks only the outline, since only this page, or an earlier version of it, writes the value. */
export function isLastKnown(value: unknown): value is LastKnown {
  const { at, zone, people } = (value ?? {}) as Partial<LastKnown>;
  const isList = Array.isArray(people) && people.every(({ groups }) => Array.isArray(groups));
  return typeof at === 'number' && typeof zone === 'string' && isList;
}
