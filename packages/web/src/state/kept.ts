import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Person } from './presence.js';
import type { ServiceClock } from './service.js';

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

/** Checks only the outline, since only this page writes the value. */
export function isLastKnown(value: unknown): value is LastKnown {
  const { at, zone, people } = (value ?? {}) as Partial<LastKnown>;
  return typeof at === 'number' && typeof zone === 'string' && Array.isArray(people);
}

/** A person who is here today without a tag. */
export interface Guest {
  readonly name: string;
  /** Time at which the guest was added, in seconds since 1970. */
  readonly at: number;
}

interface Kept {
  /** `null` while the day is unknown, before the first answer of the service. */
  readonly day: number | null;
  readonly guests: readonly Guest[];
}

const GUESTS_KEY = 'guests';

/** The guests of today. The record has only tags, so guests are kept in this browser, for this day only. */
export class Guests {
  private readonly store: BrowserStore;
  private readonly clock: ServiceClock;
  private readonly kept;
  readonly today: ReadonlySignal<readonly Guest[]>;

  constructor(store: BrowserStore, clock: ServiceClock) {
    this.store = store;
    this.clock = clock;
    this.kept = signal(store.read(GUESTS_KEY, isKept));
    this.today = computed(() => {
      const day = clock.told.value?.day;
      const kept = this.kept.value;
      // While the day is unknown, kept guests are more likely right than none.
      const isOfToday = day === undefined || kept?.day === null || day === kept?.day;
      return kept !== undefined && isOfToday ? kept.guests : [];
    });
    effect(() => {
      if (clock.told.value !== undefined && this.kept.peek()?.day === null) this.keep(this.today.peek());
    });
  }

  /** @returns Whether the guest will still be there after a reload. */
  add(name: string): boolean {
    return this.keep([...this.today.peek(), { name, at: this.clock.now() }]);
  }

  remove(guest: Guest): void {
    this.keep(this.today.peek().filter((each) => each !== guest));
  }

  /** Takes over the changes of another tab. */
  reload(): void {
    this.kept.value = this.store.read(GUESTS_KEY, isKept);
  }

  private keep(guests: readonly Guest[]): boolean {
    const day = this.clock.told.peek()?.day ?? this.kept.peek()?.day ?? null;
    this.kept.value = { day, guests };
    return this.store.write(GUESTS_KEY, this.kept.peek());
  }
}

function isKept(value: unknown): value is Kept {
  const { day, guests } = (value ?? {}) as Partial<Kept>;
  return (day === null || typeof day === 'number') && Array.isArray(guests) && guests.every(isGuest);
}

function isGuest(value: unknown): value is Guest {
  const { name, at } = (value ?? {}) as Partial<Guest>;
  return typeof name === 'string' && typeof at === 'number';
}
