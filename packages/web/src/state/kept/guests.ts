import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { BrowserStore } from './browser-store.js';
import type { ServiceClock } from '../service/clock.js';

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

const KEY = 'guests';

/** The guests of today. The record has only tags, so guests are kept in this browser, for this day only. */
export class Guests {
  private readonly store: BrowserStore;
  private readonly clock: ServiceClock;
  private readonly kept;
  readonly today: ReadonlySignal<readonly Guest[]>;

  constructor(store: BrowserStore, clock: ServiceClock) {
    this.store = store;
    this.clock = clock;
    this.kept = signal(store.read(KEY, isKept));
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
    this.kept.value = this.store.read(KEY, isKept);
  }

  private keep(guests: readonly Guest[]): boolean {
    const day = this.clock.told.peek()?.day ?? this.kept.peek()?.day ?? null;
    this.kept.value = { day, guests };
    return this.store.write(KEY, this.kept.peek());
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
