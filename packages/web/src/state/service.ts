import type {
  Attendance,
  FailedScan,
  Groups,
  Mapping,
  Name,
  PeoplePage,
  ReaderState,
  ServiceTime,
  TallybookClient,
} from '@tallybook/client';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Access } from './access.js';

const HEX = { format: 'hex' } as const;

/** Something that happens to a tag. */
export interface TagActRequest {
  readonly id: string;
  readonly format: 'hex';
  readonly act: 'give' | 'undo';
  readonly person?: string;
  readonly since?: number | undefined;
  readonly isDryRun?: boolean;
}

/** Number of persons in one answer. */
const PAGE = 1_000;

/**
 * The requests of the page's state, so that a test can replace them by a few functions.
 *
 * A user who sees only some groups may ask neither for the readers, nor for the time alone, nor for the name of the place.
 */
export function serviceOf(client: TallybookClient, access: Pick<Access, 'isBound' | 'isManaged' | 'mayNow'>) {
  const isBound = (): boolean => access.isBound();
  return {
    actOnTag: (body: TagActRequest) => client.post('/api/tag', { body }),
    assignName: (id: string, name: Name) => client.post('/api/mapping', { body: { id, ...HEX, name } }),
    listReaders: async () => (isBound() ? undefined : client.get('/api/readers')),
    listUnnamed: () => client.get('/api/unnamed'),
    /** @returns `undefined` if the service keeps no persons. */
    readGroups: (known?: Groups) => client.find('/api/groups', { known }),
    readMapping: (known?: Mapping) => client.get('/api/mapping', { known }),
    /**
     * All pages of the people; `undefined` if the service keeps no persons.
     *
     * @param known Earlier pages. If the first one is unchanged, so are the others.
     */
    readPeople: async (known: readonly PeoplePage[] = []): Promise<readonly PeoplePage[] | undefined> => {
      const pages: PeoplePage[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page: PeoplePage | undefined = await client.find('/api/people', {
          query: { after, limit: PAGE },
          known: known[pages.length],
        });
        if (page === undefined) return undefined;
        if (page === known[0]) return known;
        pages.push(page);
        after = page.next;
      }
      return pages;
    },
    /** @returns The name of the place; `undefined` if it has none, or this user may not ask for it. */
    readPlace: async () => {
      const isAllowed = access.isManaged() && access.mayNow('see-service') && !isBound();
      return isAllowed ? ((await client.get('/api/status')).name ?? undefined) : undefined;
    },
    readPerson: (id: string) => client.get('/api/person', { query: { id } }),
    readTime: async () => (isBound() ? (await client.get('/api/today')).now : client.get('/api/time')),
    readToday: () => client.get('/api/today'),
    removeName: (id: string) => client.delete('/api/mapping', { query: { id, ...HEX } }),
  };
}

export type Service = ReturnType<typeof serviceOf>;

/** A tap with its outcome. */
export type Tap = Attendance | (FailedScan & { readonly outcome: 'failed' });

/** An event of the stream: a tap; people or days have changed; or all data has to be read again. */
export type ServiceEvent =
  | { readonly kind: 'tap'; readonly tap: Tap }
  | { readonly kind: 'people' | 'day' | 'reset' };

/**
 * State of the event stream. `connecting`: the first attempt; `waiting`: from a loss until the stream is open again.
 */
export type StreamState = 'connecting' | 'open' | 'waiting';

/** The time of the service, which may differ from that of the browser by years. It runs on from the last answer. */
export class ServiceClock {
  private readonly service: Pick<Service, 'readTime'>;
  private readonly nowMs: () => number;
  private readonly answer = signal<ServiceTime | undefined>(undefined);
  private aheadMs = 0;
  /** The last time from the service; `undefined` before its first answer. */
  readonly told: ReadonlySignal<ServiceTime | undefined> = this.answer;

  constructor(service: Pick<Service, 'readTime'>, nowMs: () => number) {
    this.service = service;
    this.nowMs = nowMs;
  }

  /** The time of the service, in seconds since 1970; before the service has answered, that of the browser. */
  now(): number {
    return Math.floor((this.nowMs() + this.aheadMs) / 1_000);
  }

  /** Converts a moment of the browser's clock to the time of the service, in seconds. */
  toServiceTime(browserMs: number): number {
    return Math.floor((browserMs + this.aheadMs) / 1_000);
  }

  async refresh(): Promise<ServiceTime> {
    const told = await this.service.readTime();
    this.take(told);
    return told;
  }

  /** Takes a time that the service has just sent. */
  take(told: ServiceTime): void {
    this.aheadMs = told.time * 1_000 - this.nowMs();
    const before = this.answer.peek();
    const isSame =
      before?.day === told.day &&
      before.isTrusted === told.isTrusted &&
      before.zone === told.zone &&
      before.dayStart === told.dayStart;
    if (!isSame) this.answer.value = told;
  }
}

/** State of the connection to the service, and since when (milliseconds, the browser's clock). */
interface ConnectionState {
  readonly state: StreamState;
  readonly sinceMs: number;
}

/** How long a reconnection may take before the connection is shown as lost, in milliseconds. */
const UNNOTICED_MS = 2_000;

/** State of the connection: whether taps reach the page. */
export class Connection {
  private readonly now: () => number;
  private readonly shown;
  /** Start of a reconnection that is not shown as lost yet, and since when the service was not heard. */
  private reopening: { readonly atMs: number; readonly sinceMs: number } | undefined;

  constructor(now: () => number) {
    this.now = now;
    this.shown = signal<ConnectionState>({ state: 'connecting', sinceMs: now() });
  }

  get current(): ReadonlySignal<ConnectionState> {
    return this.shown;
  }

  /** @param sinceMs Since when; for a loss, when the service was heard last. */
  note(state: StreamState, sinceMs: number = this.now()): void {
    const before = this.shown.peek();
    if (state === 'connecting') {
      if (before.state === 'open') this.reopening ??= { atMs: this.now(), sinceMs };
      return;
    }
    const since =
      state === 'waiting' && before.state === 'connecting'
        ? before.sinceMs
        : (this.reopening?.sinceMs ?? sinceMs);
    this.reopening = undefined;
    if (state !== before.state) this.shown.value = { state, sinceMs: since };
  }

  /** Call it every few seconds: after sleep, a connection may neither open nor fail for a long time. */
  beat(): void {
    if (this.now() - (this.reopening?.atMs ?? Infinity) > UNNOTICED_MS) this.note('waiting');
  }
}

/** State of the readers. There is no event for it, so the page asks. */
export class Readers {
  private readonly service: Pick<Service, 'listReaders'>;
  private readonly listed = signal<readonly ReaderState[] | undefined>(undefined);
  /** Readers at which nobody can tap. */
  readonly missing: ReadonlySignal<readonly ReaderState[]> = computed(
    () => this.listed.value?.filter(({ connection }) => connection === 'waiting') ?? [],
  );
  /** `undefined` before the service has answered, and for a user of some groups. */
  readonly all: ReadonlySignal<readonly ReaderState[] | undefined> = this.listed;

  constructor(service: Pick<Service, 'listReaders'>) {
    this.service = service;
  }

  async load(): Promise<void> {
    this.listed.value = await this.service.listReaders();
  }
}
