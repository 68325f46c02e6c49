import type { StreamMessage, TallybookClient } from '@tallybook/client';
import type { BrowserStore } from './state/kept.js';
import type { ServiceEvent, StreamState } from './state/service.js';

/** How long a lease is valid without renewal, in milliseconds: longer than a busy browser delays a timer. */
export const LEASE_MS = 8_000;

interface Claim {
  readonly owner: string;
  readonly until: number;
}

/**
 * Decides which tab of a browser does work that only one tab should do.
 *
 * The lease is in the storage of the browser. It is not a Web Lock, because these need a secure context, which the page of
 * a device in the hall is not. Two tabs that take the lease at the same moment both hold it, until one of them renews
 * it.
 */
export class Lease {
  private readonly store: BrowserStore;
  private readonly owner: string;
  private readonly now: () => number;

  /**
   * @param store The same one in all tabs.
   * @param owner Another text in each tab.
   * @param now The clock in milliseconds; the same one in all tabs.
   */
  constructor(store: BrowserStore, owner: string, now: () => number = Date.now) {
    this.store = store;
    this.owner = owner;
    this.now = now;
  }

  /** Takes or renews the lease, and says whether this tab holds it. Without storage, every tab holds it. */
  hold(): boolean {
    const claim = this.store.read(KEY, isClaim);
    if (claim !== undefined && claim.owner !== this.owner && this.isCurrent(claim)) return false;
    this.store.write(KEY, { owner: this.owner, until: this.now() + LEASE_MS } satisfies Claim);
    return true;
  }

  /** Releases the lease, so that another tab can take it at once. */
  release(): void {
    if (this.store.read(KEY, isClaim)?.owner === this.owner) this.store.remove(KEY);
  }

  /** Whether a claim is valid. A claim with a too late end comes from before the clock was set back. */
  private isCurrent({ until }: Claim): boolean {
    const left = until - this.now();
    return left > 0 && left <= LEASE_MS;
  }
}

const KEY = 'stream';

function isClaim(value: unknown): value is Claim {
  const { owner, until } = (value ?? {}) as Partial<Claim>;
  return typeof owner === 'string' && typeof until === 'number';
}

interface StreamListener {
  /** @param cursor Cursor of the event, after which a later stream can go on; `undefined` if it has none. */
  onEvent(event: ServiceEvent, cursor: string | undefined): void;
  /** @param sinceMs Since when, by the clock of the browser: for a loss, when the service was heard last. */
  onState(state: StreamState, sinceMs: number): void;
}

interface OpenedStream {
  /** Opens a new connection at once. */
  reconnect(): void;
  /** Ends the stream. The listener is not called after that. */
  close(): void;
}

/**
 * Opens the event stream and keeps it open.
 *
 * @param cursor Cursor of the last known event: the events after it are sent first.
 */
export type OpenStream = (listener: StreamListener, cursor: string | undefined) => OpenedStream;

/** Longest silence of a sound connection, in milliseconds: the service sends at least a comment every 15 seconds. */
const SILENCE_MS = 20_000;

/** Streams from a service. */
export function streamOf(client: Pick<TallybookClient, 'events'>): OpenStream {
  return (listener, cursor) => {
    const ending = new AbortController();
    const stream = client.events({
      signal: ending.signal,
      silenceMs: SILENCE_MS,
      ...(cursor !== undefined && { lastEventId: cursor }),
    });
    void listen();
    return {
      reconnect: () => stream.reconnect(),
      close: () => ending.abort(),
    };

    async function listen(): Promise<void> {
      for await (const message of stream) {
        if (ending.signal.aborted) return;
        tell(message, listener);
      }
    }
  };
}

function tell(message: StreamMessage, listener: StreamListener): void {
  switch (message.kind) {
    case 'connection':
      listener.onState(message.state, message.since);
      break;
    case 'reset':
      listener.onEvent({ kind: 'reset' }, 'cursor' in message ? message.cursor : undefined);
      break;
    case 'day':
      listener.onEvent({ kind: 'day' }, message.cursor);
      break;
    case 'attendance':
      listener.onEvent({ kind: 'tap', tap: message.attendance }, message.cursor);
      break;
    case 'failed':
      listener.onEvent({ kind: 'tap', tap: { ...message.failed, outcome: 'failed' } }, message.cursor);
      break;
    case 'names':
    case 'people':
      listener.onEvent({ kind: 'people' }, message.cursor);
      break;
    case 'scan':
      // Its `attendance` follows within milliseconds, with all data.
      break;
  }
}

/** How often the lease is renewed, or asked for, in milliseconds. */
const RENEW_MS = 2_000;

type Message =
  | { readonly kind: 'event'; readonly event: ServiceEvent; readonly cursor: string | undefined }
  | { readonly kind: 'state'; readonly state: StreamState; readonly sinceMs: number }
  /** A tab that has just been opened asks for the state of the stream. */
  | { readonly kind: 'ask' }
  /** A tab that comes to the front asks for a connection that is certainly alive. */
  | { readonly kind: 'reconnect' };

/** Connection to the other tabs. */
export interface Channel {
  post(message: unknown): void;
  /** Calls `take` with each later message of the other tabs. */
  listen(take: (message: unknown) => void): void;
}

interface SharedStreamParts {
  readonly open: OpenStream;
  readonly lease: Lease;
  /** Connection to the other tabs; without it, each tab has a stream of its own. */
  readonly channel: Channel | undefined;
}

/**
 * One event stream for all tabs of a browser. A browser opens at most six connections to a host: the seventh tab would hang.
 *
 * ```
 * service -> the tab that holds the lease -> channel -> the other tabs
 * ```
 *
 * When that tab closes, another tab opens a stream that begins after the last passed-on event.
 */
export class SharedStream {
  private readonly parts: SharedStreamParts;
  private readonly listener: StreamListener;
  private state: StreamState = 'connecting';
  private sinceMs = Date.now();
  private cursor: string | undefined;
  private stream: OpenedStream | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(parts: SharedStreamParts, listener: StreamListener) {
    this.parts = parts;
    this.listener = listener;
  }

  /** Whether this tab has the stream. */
  get isLeading(): boolean {
    return this.stream !== undefined;
  }

  get isStarted(): boolean {
    return this.timer !== undefined;
  }

  start(): void {
    if (this.isStarted) return;
    this.parts.channel?.listen((message) => this.take(message as Message));
    this.timer = setInterval(() => this.renew(), RENEW_MS);
    this.renew();
    this.post({ kind: 'ask' });
  }

  /** Asks for the lease now. A page calls it when it comes to the front, since timers of hidden tabs are slow. */
  renew(): void {
    if (this.timer === undefined) return;
    const mayLead = this.parts.channel === undefined || this.parts.lease.hold();
    if (mayLead && !this.isLeading) this.lead();
    if (!mayLead && this.isLeading) this.follow();
  }

  /** Opens a new connection: after sleep, the old one may be dead without an error. */
  reconnect(): void {
    this.renew();
    if (this.stream === undefined) this.post({ kind: 'reconnect' });
    else this.stream.reconnect();
  }

  /** Ends the stream, so that another tab can go on at once. */
  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.parts.lease.release();
    this.follow();
  }

  private lead(): void {
    this.stream = this.parts.open(
      {
        onEvent: (event, cursor) => {
          this.post({ kind: 'event', event, cursor });
          this.pass(event, cursor);
        },
        onState: (state, sinceMs) => {
          this.post({ kind: 'state', state, sinceMs });
          this.change(state, sinceMs);
        },
      },
      this.cursor,
    );
  }

  private follow(): void {
    this.stream?.close();
    this.stream = undefined;
  }

  private take(message: Message): void {
    if (this.timer === undefined) return;
    // If two tabs have a stream for a moment, both get all events from the service.
    if (this.stream !== undefined) {
      if (message.kind === 'ask') {
        this.post({ kind: 'state', state: this.state, sinceMs: this.sinceMs });
      } else if (message.kind === 'reconnect') this.stream.reconnect();
    } else if (message.kind === 'event') {
      this.pass(message.event, message.cursor);
    } else if (message.kind === 'state') {
      this.change(message.state, message.sinceMs);
    }
  }

  private pass(event: ServiceEvent, cursor: string | undefined): void {
    this.cursor = cursor ?? this.cursor;
    this.listener.onEvent(event, cursor);
  }

  private change(state: StreamState, sinceMs: number): void {
    this.state = state;
    this.sinceMs = sinceMs;
    this.listener.onState(state, sinceMs);
  }

  private post(message: Message): void {
    this.parts.channel?.post(message);
  }
}
