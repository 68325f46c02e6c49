import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isLastKnown, type BrowserStore, type LastKnown } from './kept.js';
import {
  Connection,
  Readers,
  ServiceClock,
  type Service,
  type ServiceEvent,
  type StreamState,
} from './service.js';
import { createFormats, type Formats } from './formats.js';
import { People } from './people/people.js';
import { Today } from './presence.js';

export interface SessionParts {
  readonly service: Service;
  readonly store: BrowserStore;
  /** The clock of the browser, in milliseconds. */
  readonly nowMs: () => number;
}

const LIST_KEY = 'last-known';
/** Minimum time between two copies of the list of people, in milliseconds. */
const KEEP_EVERY_MS = 2_000;
/** How often data without events is read, in milliseconds. */
export const REFRESH_MS = 15_000;

/** All data of the page, without its appearance. */
export class Session {
  readonly service: Service;
  readonly store: BrowserStore;
  readonly clock: ServiceClock;
  readonly connection: Connection;
  readonly people: People;
  readonly today: Today;
  readonly readers: Readers;
  private readonly named = signal('');
  /** Name of the place; empty if it has none. Nobody who is not signed in knows it. */
  readonly place: ReadonlySignal<string> = this.named;
  /** Increases whenever days have changed in another way than by a tap. */
  readonly changes: Signal<number> = signal(0);
  /** Language of dates and numbers, a BCP 47 tag. */
  readonly locale: Signal<string> = signal('en');
  readonly formats: ReadonlySignal<Formats>;
  /** The browser's clock in milliseconds, at most a few seconds old, for showing lengths of time. */
  readonly tick: ReadonlySignal<number>;
  private readonly beats;
  private readonly nowMs: () => number;
  private keptMs = -Infinity;
  private isBehind = false;

  constructor({ service, store, nowMs }: SessionParts) {
    this.service = service;
    this.store = store;
    this.nowMs = nowMs;
    this.clock = new ServiceClock(service, nowMs);
    this.connection = new Connection(nowMs);
    this.people = new People(service);
    this.today = new Today({ service, clock: this.clock, people: this.people });
    // Earlier versions kept the names of guests in the browser.
    store.remove('guests');
    this.readers = new Readers(service);
    this.beats = signal(nowMs());
    this.tick = this.beats;
    const zone = computed(() => this.clock.told.value?.zone ?? this.lastKnown()?.zone ?? 'UTC');
    this.formats = computed(() => createFormats(this.locale.value, zone.value));
  }

  /** Reads the people who are here. A failed read is repeated by {@link refresh}, or when the stream is open again. */
  load(): void {
    this.isBehind = true;
    this.loadReaders();
    this.service.readPlace().then(
      (name = '') => (this.named.value = name),
      () => undefined,
    );
    this.today.load().then(
      () => (this.isBehind = false),
      () => undefined,
    );
  }

  onEvent(event: ServiceEvent): void {
    switch (event.kind) {
      case 'tap':
        this.today.take(event.tap);
        break;
      case 'day':
        this.changes.value++;
        this.load();
        break;
      case 'reset':
        this.load();
        break;
      case 'people':
        // People who cannot be read now are read with all other data when the stream is open again.
        void this.people.load().catch(() => undefined);
        break;
    }
  }

  onState(state: StreamState, sinceMs: number = this.nowMs()): void {
    this.connection.note(state, sinceMs);
    this.correctKept();
  }

  /** Call it every few seconds. */
  beat(): void {
    this.connection.beat();
    this.correctKept();
    this.beats.value = this.nowMs();
    if (this.nowMs() - this.keptMs >= KEEP_EVERY_MS) this.keep();
  }

  /** Call it every {@link REFRESH_MS}: reads the day, the trust in the clock, and data that could not be read before. */
  async refresh(): Promise<void> {
    if (this.connection.current.peek().state === 'waiting') return;
    this.loadReaders();
    const before = this.clock.told.peek()?.day;
    const { day } = await this.clock.refresh();
    if (before !== day || this.isBehind) this.load();
  }

  /** A device app may have no readers. */
  private loadReaders(): void {
    void this.readers.load().catch(() => undefined);
  }

  /** The list that this browser has kept for use without a network, as in a fire. */
  lastKnown(): LastKnown | undefined {
    return this.store.read(LIST_KEY, isLastKnown);
  }

  /** Forgets all people, because no user who may see them is signed in any more. */
  forget(): void {
    this.today.forget();
    this.people.forget();
    this.named.value = '';
    this.store.remove(LIST_KEY);
  }

  /** Keeps the list of people in the browser, for a loss of the network. */
  keep(): void {
    if (!this.today.isLoaded.peek() || this.connection.current.peek().state !== 'open') return;
    this.keptMs = this.nowMs();
    this.store.write(LIST_KEY, {
      at: this.clock.now(),
      zone: this.clock.told.peek()?.zone ?? 'UTC',
      people: this.today.people.peek(),
    } satisfies LastKnown);
  }

  /** Until a loss is noticed, the list is kept as the present one: it is as old as the last sign of the service. */
  private correctKept(): void {
    const { state, sinceMs } = this.connection.current.peek();
    if (state !== 'waiting' || this.keptMs <= sinceMs) return;
    this.keptMs = sinceMs;
    const known = this.lastKnown();
    if (known !== undefined)
      this.store.write(LIST_KEY, { ...known, at: this.clock.toServiceTime(sinceMs) } satisfies LastKnown);
  }

  /** Keeps the list after each change. The returned function ends that. */
  keepOnChange(): () => void {
    return effect(() => {
      void this.today.people.value;
      if (this.nowMs() - this.keptMs >= KEEP_EVERY_MS) this.keep();
    });
  }
}
