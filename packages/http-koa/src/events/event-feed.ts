import type { ServerResponse } from 'node:http';
import {
  ManagedResource,
  TallybookError,
  type AttendanceEvent,
  type NameCounts,
  type Subscribable,
  type Subscription,
} from '@tallybook/domain';
import { commonHeaders } from '../answers/answer-errors.js';
import {
  formatAttendance,
  formatFailed,
  formatNames,
  formatProvisional,
  formatRetry,
  formatScan,
  KEEP_ALIVE,
} from './event-format.js';
import { EventHistory } from './event-history.js';
import { limitedOption, type Limits } from '../answers/limited-option.js';

export interface EventFeedOptions {
  /** Streams at the same time, 1..1000000, default 1000. */
  readonly maxSubscribers?: number;
  /** Most bytes that wait for one subscriber, 0..1073741824, default 262144. With more it is cut off. */
  readonly maxBufferedBytes?: number;
  /** Events kept for subscribers that reconnect, 0..1000000, default 1024. */
  readonly historyLength?: number;
  /** Milliseconds between two comment lines, 1..3600000, default 15000. */
  readonly keepAliveMs?: number;
  /** Milliseconds that a client is asked to wait before it reconnects, 0..3600000, default 2000. */
  readonly retryMs?: number;
}

const limits: Limits<EventFeedOptions> = {
  maxSubscribers: [1, 1_000_000, 1_000],
  maxBufferedBytes: [0, 1_073_741_824, 262_144],
  historyLength: [0, 1_000_000, 1_024],
  keepAliveMs: [1, 3_600_000, 15_000],
  retryMs: [0, 3_600_000, 2_000],
};

/** Milliseconds for a subscriber to read what waits for it when the feed closes. */
const DRAIN_MS = 2_000;

/** Number of keep-alives after which a subscriber that reads nothing is cut off. */
const STALL_KEEP_ALIVES = 2;

/** Headers of an event stream. The connection ends with it, so that a server stops quickly. */
export const eventStreamHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/**
 * Streams the events of the {@link AttendanceService} to any number of HTTP responses.
 *
 * ```
 * scan                    -> `msg`, at once  \
 * attendance, provisional -> `attendance`      -> one Buffer -> history, every subscriber
 * failed                  -> `failed`         |
 * names                   -> `names`         /
 * ```
 *
 * Nobody waits for a subscriber. It is cut off if too much waits for it, or if it reads nothing for two keep-alives.
 * Events are lost while the feed is closed, so it forgets its history when it closes. Close it before the server, so that every subscriber gets what waits for it.
 */
export class EventFeed extends ManagedResource {
  readonly #events: Subscribable<AttendanceEvent>;
  readonly #names: Subscribable<NameCounts> | undefined;
  readonly #options: Required<EventFeedOptions>;
  readonly #greeting: Buffer;
  readonly #subscribers = new Set<ServerResponse>();
  /** Sent together at the end of this turn of the event loop, in one write to each socket. */
  #unsent: Buffer[] = [];
  #history: EventHistory;
  #subscriptions: readonly (Subscription | undefined)[] = [];
  #keepAlive: NodeJS.Timeout | undefined;

  /**
   * @param names The changes of the {@link NameService}. Without them there are no `names` events.
   * @throws {TallybookError} `INVALID_OPTION` if an option is out of range.
   */
  constructor(
    events: Subscribable<AttendanceEvent>,
    options: EventFeedOptions = {},
    names?: Subscribable<NameCounts>,
  ) {
    super();
    this.#events = events;
    this.#names = names;
    this.#options = {
      maxSubscribers: limitedOption('maxSubscribers', options, limits),
      maxBufferedBytes: limitedOption('maxBufferedBytes', options, limits),
      historyLength: limitedOption('historyLength', options, limits),
      keepAliveMs: limitedOption('keepAliveMs', options, limits),
      retryMs: limitedOption('retryMs', options, limits),
    };
    this.#greeting = formatRetry(this.#options.retryMs);
    this.#history = new EventHistory(this.#options.historyLength);
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  /**
   * Answers with the stream: first what came after `lastEventId`, if that is a cursor this feed knows, then
   * everything that happens, without a gap between the two.
   *
   * @throws {TallybookError} `NOT_OPEN`; `TOO_MANY_SUBSCRIBERS`. Both are thrown before anything is sent.
   */
  subscribe(response: ServerResponse, lastEventId: string): void {
    if (this.status !== 'open') throw this.notOpen();
    const { maxSubscribers } = this.#options;
    if (this.#subscribers.size >= maxSubscribers) {
      throw new TallybookError('TOO_MANY_SUBSCRIBERS', `all ${maxSubscribers} event streams are in use`, {
        details: { maxSubscribers },
      });
    }
    const { req: request } = response;
    if (request.destroyed) return;
    // The history has it already.
    this.#flush();
    // The request, because a response that waits behind another one on its connection is not told when that ends.
    request.once('close', () => this.#subscribers.delete(response));
    // The stream ends with its connection, so it needs no chunks, each of which would be four writes to the socket.
    response.removeHeader('Transfer-Encoding');
    response.writeHead(200, eventStreamHeaders);
    response.write(Buffer.concat([this.#greeting, ...this.#history.since(lastEventId)]));
    // Writes that wait do not count as activity, so what wakes it is a client that takes nothing.
    response.setTimeout(STALL_KEEP_ALIVES * this.#options.keepAliveMs);
    this.#subscribers.add(response);
  }

  protected override onOpen(): Promise<void> {
    this.#subscriptions = [
      this.#events.subscribe((event) => this.#take(event)),
      this.#names?.subscribe((counts) => this.#announce((cursor) => formatNames(cursor, counts))),
    ];
    this.#keepAlive = setInterval(() => this.#send(KEEP_ALIVE), this.#options.keepAliveMs).unref();
    return Promise.resolve();
  }

  protected override async onClose(): Promise<void> {
    clearInterval(this.#keepAlive);
    for (const subscription of this.#subscriptions) subscription?.unsubscribe();
    this.#flush();
    this.#history = new EventHistory(this.#options.historyLength);
    await this.#endAll();
  }

  #take(event: AttendanceEvent): void {
    switch (event.kind) {
      case 'scan':
        this.#announce((cursor) => formatScan(cursor, event.scan));
        break;
      case 'attendance':
        this.#announce((cursor) => formatAttendance(cursor, event));
        break;
      case 'provisional':
        this.#announce((cursor) => formatProvisional(cursor, event));
        break;
      case 'failed':
        this.#announce((cursor) => formatFailed(cursor, event));
        break;
      case 'repeated':
      case 'name-unavailable':
      case 'trouble':
        break;
    }
  }

  #announce(format: (cursor: string) => Buffer): void {
    this.#send(this.#history.append(format));
  }

  #send(chunk: Buffer): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush());
    this.#unsent.push(chunk);
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    const chunk = Buffer.concat(this.#unsent);
    this.#unsent = [];
    for (const subscriber of this.#subscribers) {
      subscriber.write(chunk);
      if (subscriber.writableLength > this.#options.maxBufferedBytes) {
        this.#subscribers.delete(subscriber);
        subscriber.destroy();
      }
    }
  }

  /** Resolves when all subscribers have read everything. Those that have not within a while are cut off. */
  #endAll(): Promise<void> {
    const ending = new Set(this.#subscribers);
    this.#subscribers.clear();
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        for (const subscriber of ending) subscriber.destroy();
        resolve();
      }, DRAIN_MS);
      const stopWaiting = (): void => {
        if (ending.size > 0) return;
        clearTimeout(deadline);
        resolve();
      };
      for (const subscriber of ending) {
        subscriber.req.once('close', () => {
          ending.delete(subscriber);
          stopWaiting();
        });
        subscriber.end();
      }
      stopWaiting();
    });
  }
}
