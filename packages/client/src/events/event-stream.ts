import type { Transport } from '../requests/transport.js';
import type { TallybookClientError } from '../tallybook-client-error.js';
import { EventConnection } from './event-connection.js';
import type { StreamMessage } from './stream-message.js';

const SHORTEST_MS = 100;
const LONGEST_MS = 30_000;

/**
 * Milliseconds to wait before a stream is opened again: at first as many as the service asks for, but at least 100;
 * twice as many after each further failure, up to 30,000; plus a random part of up to one half, so that many clients do
 * not come at once.
 *
 * @param failures Number of failures since the stream was last open, from 1.
 * @param retryMs Milliseconds that the service asks for.
 * @param random From 0 to 1.
 */
export function retryDelayMs(failures: number, retryMs: number, random: number): number {
  const firstMs = Math.max(retryMs, SHORTEST_MS);
  const delayMs = Math.min(firstMs * 2 ** (failures - 1), Math.max(firstMs, LONGEST_MS));
  return Math.round(delayMs * (1 + random / 2));
}

export interface EventStreamOptions {
  /** Ends the stream: the loop over it comes to its end, without an error. */
  readonly signal?: AbortSignal;
  /** The `cursor` of an event: the stream begins with the events after it, if the service still has them. */
  readonly lastEventId?: string;
  /**
   * Milliseconds of silence after which the connection counts as lost, default 45000. The service sends at least a comment
   * every 15 seconds.
   */
  readonly silenceMs?: number;
}

/** Wait before a reconnection until the service gives another one. */
const RETRY_MS = 2_000;
const SILENCE_MS = 45_000;

/**
 * Every tap, live, over one connection. While you loop over the stream, a lost connection is opened again.
 *
 * It never gives up, because nobody would press a button on a screen on a wall. To give up, break the loop when the
 * connection is `waiting` with a lasting error. The service holds back unread events. It cuts off a client that reads
 * nothing for 30 seconds; the stream then reconnects and goes on.
 *
 * Loop over it once at a time. A second loop goes on where the first one ended.
 */
export class EventStream implements AsyncIterable<StreamMessage> {
  private readonly transport: Transport;
  private readonly options: EventStreamOptions;
  private lastEventId: string | undefined;
  private retryMs = RETRY_MS;
  private wasOpen = false;
  /** Ends a connection, or the wait for the next one. */
  private interrupt: (() => void) | undefined;
  private isHurried = false;
  /** Time at which the connection was opened or last heard of, or the loop began. */
  private since = 0;
  private failures = 0;

  constructor(transport: Transport, options: EventStreamOptions) {
    this.transport = transport;
    this.options = options;
    this.lastEventId = options.lastEventId;
  }

  /**
   * Opens a new connection at once. Call it when the device wakes or a network is back: the old connection may be dead
   * without an error.
   */
  reconnect(): void {
    this.isHurried = true;
    this.interrupt?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamMessage, void, undefined> {
    const { signal } = this.options;
    const interrupt = (): void => this.interrupt?.();
    signal?.addEventListener('abort', interrupt);
    this.since = Date.now();
    try {
      while (!isAborted(signal)) {
        try {
          yield* this.connect();
        } catch (error) {
          if (!isAborted(signal)) yield* this.wait(error as TallybookClientError);
        }
      }
    } finally {
      this.interrupt = undefined;
      signal?.removeEventListener('abort', interrupt);
    }
  }

  /** One connection. Throws when it is lost, or cannot be opened. */
  private async *connect(): AsyncGenerator<StreamMessage, void, undefined> {
    yield { kind: 'connection', state: 'connecting', since: this.since };
    const { signal, silenceMs = SILENCE_MS } = this.options;
    if (isAborted(signal)) return;
    const connection = new EventConnection(this.transport, silenceMs, this.lastEventId);
    this.interrupt = () => connection.end();
    this.isHurried = false;
    try {
      const stream = await connection.open();
      this.failures = 0;
      this.since = Date.now();
      yield { kind: 'connection', state: 'open', since: this.since };
      const reason = this.wasOpen || this.lastEventId !== undefined ? 'reopened' : 'opened';
      this.wasOpen = true;
      yield { kind: 'reset', reason };
      yield* connection.read(stream);
    } catch (error) {
      if (connection.wasOpen) this.since = connection.heardAt;
      throw error;
    } finally {
      // Also after an event with unreadable data, which would come again and again otherwise.
      this.lastEventId = connection.lastEventId;
      this.retryMs = connection.retryMs ?? this.retryMs;
      connection.end();
    }
  }

  private async *wait(error: TallybookClientError): AsyncGenerator<StreamMessage, void, undefined> {
    if (this.isHurried) return;
    this.failures++;
    const askedMs = Math.max(this.retryMs, error.retryAfterMs ?? 0);
    const delayMs = retryDelayMs(this.failures, askedMs, Math.random());
    yield { kind: 'connection', state: 'waiting', since: this.since, until: Date.now() + delayMs, error };
    if (this.isInterrupted()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Whether `reconnect()` or the signal came while the loop held the last message. */
  private isInterrupted(): boolean {
    return this.isHurried || isAborted(this.options.signal);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
