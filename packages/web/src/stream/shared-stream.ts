import type { ServiceEvent, StreamState } from '../state/service/service.js';
import type { Lease } from './lease.js';
import type { OpenedStream, OpenStream } from './open-stream.js';

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

/** Listener of a tab, independent of the tab that has the stream. */
export interface StreamOfTab {
  onEvent(event: ServiceEvent): void;
  onState(state: StreamState, sinceMs: number): void;
}

export interface SharedStreamParts {
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
  private readonly listener: StreamOfTab;
  private state: StreamState = 'connecting';
  private sinceMs = Date.now();
  private cursor: string | undefined;
  private stream: OpenedStream | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(parts: SharedStreamParts, listener: StreamOfTab) {
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
    this.listener.onEvent(event);
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
