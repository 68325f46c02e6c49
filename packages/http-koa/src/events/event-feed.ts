import type { ServerResponse } from 'node:http';
import {
  JournalConsumer,
  ManagedResource,
  TallybookError,
  type AttendanceEvent,
  type AttendanceService,
  type Change,
  type Clock,
  type Cursor,
  type Journal,
  type JournalEntry,
  type NameService,
  type ProvisionalChange,
  type ResetReason,
  type ScanChange,
  type Subscription,
} from '@tallybook/domain';
import { commonHeaders } from '../answers/answer-errors.js';
import { limitedOption, type Limits } from '../answers/limited-option.js';
import { formatChanges } from './change-format.js';
import { ChangePages } from './change-pages.js';
import { formatFailed, formatGreeting, formatReset, formatScan, KEEP_ALIVE } from './event-format.js';
import { formatEventId, parseEventId } from './event-id.js';
import { OwnTaps } from './own-taps.js';
import { Subscriber } from './subscriber.js';

export interface EventFeedParts {
  /** Tells of taps and of scans that could not be recorded, at once. */
  readonly attendance: Pick<AttendanceService, 'events'>;
  /** Knows whose tag was tapped. */
  readonly names: Pick<NameService, 'nameOf'>;
  /** Tells of everything that was recorded. It is opened before the feed, and closed after it. */
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called with each error of the journal. Reading is tried again. */
  readonly onFault?: (error: unknown) => void;
}

export interface EventFeedOptions {
  /** Streams at the same time, 1..1000000, default 1000. */
  readonly maxSubscribers?: number;
  /** Most bytes that wait for one subscriber, 0..1073741824, default 262144. With more it is cut off. */
  readonly maxBufferedBytes?: number;
  /** Milliseconds between two comment lines, 1..3600000, default 15000. */
  readonly keepAliveMs?: number;
  /** Milliseconds that a client is asked to wait before it reconnects, 0..3600000, default 2000. */
  readonly retryMs?: number;
}

/** Minimum, maximum and default of each. */
export const feedLimits: Limits<EventFeedOptions> = {
  maxSubscribers: [1, 1_000_000, 1_000],
  maxBufferedBytes: [0, 1_073_741_824, 262_144],
  keepAliveMs: [1, 3_600_000, 15_000],
  retryMs: [0, 3_600_000, 2_000],
};

/** Milliseconds for a subscriber to read what waits for it when the feed closes. */
const DRAIN_MS = 2_000;

/** After these, pages may have names that are wrong now, or scans that are gone. */
const outdatingKinds: ReadonlySet<Change['kind']> = new Set<Change['kind']>(['name', 'day', 'erased']);

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

/** What is sent at the end of this turn of the event loop. */
interface Unsent {
  readonly events: Buffer;
  /** Whether it tells of changes, which those who catch up read in the journal. */
  readonly areChanges: boolean;
}

/**
 * Streams taps and changes of the record to any number of HTTP responses.
 *
 * ```
 * tap               -> `msg`, at once ----------------------------------------\
 * not recorded      -> `failed`, at once --------------------------------------> every subscriber
 * Journal, the end  -> `attendance`, `names`, `day`, `reset`, one Buffer ------> those who are current
 *                      with `msg` of each tap at another server
 * Journal, a page   -> the same, and `msg` of each scan, one Buffer a page ----> those who missed it, as they read
 * ```
 *
 * The id of an event is the place of its change in the {@link Journal}, so a client goes on where it was also after a
 * restart. `msg` and `failed` have no id.
 *
 * Nobody waits for a subscriber. It is cut off if too much waits for it, or if it reads nothing for two keep-alives. Close
 * the feed before the server, so that every subscriber gets what waits for it.
 */
export class EventFeed extends ManagedResource {
  readonly #parts: EventFeedParts;
  readonly #options: Required<EventFeedOptions>;
  readonly #consumer: JournalConsumer;
  readonly #subscribers = new Set<Subscriber>();
  readonly #ownTaps = new OwnTaps();
  #unsent: Unsent[] = [];
  #origin = '';
  /** The last change that was told to those who are current. */
  #told: Cursor = 0;
  #pages: ChangePages;
  /** Those who wait until more was told. */
  readonly #awaiting: (() => void)[] = [];
  /** Subscribers that are not current. */
  #late = 0;
  #subscription: Subscription | undefined;
  #keepAlive: NodeJS.Timeout | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(parts: EventFeedParts, options: EventFeedOptions = {}) {
    super();
    this.#parts = parts;
    this.#options = {
      maxSubscribers: limitedOption('maxSubscribers', options, feedLimits),
      maxBufferedBytes: limitedOption('maxBufferedBytes', options, feedLimits),
      keepAliveMs: limitedOption('keepAliveMs', options, feedLimits),
      retryMs: limitedOption('retryMs', options, feedLimits),
    };
    const { journal, clock } = parts;
    this.#consumer = new JournalConsumer({
      journal,
      clock,
      handle: (entries) => this.#tell(entries),
      onReset: (reason, latest) => this.#tellReset(reason, latest),
      onFault: (error) => parts.onFault?.(error),
    });
    this.#pages = this.#newPages();
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  /**
   * Answers with the stream: first the changes after `lastEventId`, then everything that happens, without a gap between the
   * two. If the journal does not tell what came after it, a `reset` says so.
   *
   * @param lastEventId Empty for a client that comes for the first time: it gets what happens from now on.
   * @param options `resumes`, default true, says whether it gets what it missed; else a `reset` takes its place.
   * @returns Ends the stream.
   * @throws {TallybookError} `NOT_OPEN`; `TOO_MANY_SUBSCRIBERS`. Both are thrown before anything is sent.
   */
  subscribe(
    response: ServerResponse,
    lastEventId: string,
    { resumes = true }: { readonly resumes?: boolean } = {},
  ): Subscription {
    if (this.status !== 'open') throw this.notOpen();
    const { maxSubscribers, retryMs, keepAliveMs } = this.#options;
    if (this.#subscribers.size >= maxSubscribers) {
      throw new TallybookError('TOO_MANY_SUBSCRIBERS', `all ${maxSubscribers} event streams are in use`, {
        details: { maxSubscribers },
      });
    }
    if (response.req.destroyed) return { unsubscribe: () => undefined };
    // What is told already is not for this one.
    this.#flush();
    const subscriber = new Subscriber(response, () => this.#subscribers.delete(subscriber));
    this.#subscribers.add(subscriber);
    // The stream ends with its connection, so it needs no chunks, each of which would be four writes to the socket.
    response.removeHeader('Transfer-Encoding');
    response.writeHead(200, eventStreamHeaders);
    const told = this.#told;
    const asked = lastEventId === '' ? told : parseEventId(this.#origin, lastEventId);
    const cursor = resumes || asked === told ? asked : undefined;
    subscriber.isCurrent = cursor === undefined || cursor === told;
    const greeting = formatGreeting(retryMs, lastEventId === '' ? this.#idOf(told) : undefined);
    const reset = cursor === undefined ? [formatReset(this.#idOf(told), 'unknown')] : [];
    subscriber.write(Buffer.concat([greeting, ...reset]));
    // Writes that wait do not count as activity, so what wakes it is a client that takes nothing; or this process has stood
    // still, and nothing waits.
    response.setTimeout(STALL_KEEP_ALIVES * keepAliveMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    if (cursor !== undefined && cursor !== told) void this.#catchUp(subscriber, cursor);
    return {
      unsubscribe: () => {
        if (this.#subscribers.delete(subscriber)) response.end();
      },
    };
  }

  protected override async onOpen(): Promise<void> {
    this.#origin = await this.#parts.journal.origin();
    this.#pages = this.#newPages();
    this.#told = 0;
    await this.#consumer.open();
    // It may have told something already.
    this.#told = Math.max(this.#told, this.#consumer.position);
    this.#subscription = this.#parts.attendance.events.subscribe((event) => this.#hear(event));
    this.#keepAlive = setInterval(() => this.#send(KEEP_ALIVE), this.#options.keepAliveMs).unref();
  }

  protected override async onClose(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#subscription?.unsubscribe();
    await this.#consumer.close();
    for (const resolve of this.#awaiting.splice(0)) resolve();
    this.#flush();
    await this.#endAll();
  }

  #hear(event: AttendanceEvent): void {
    if (this.#subscribers.size === 0) return;
    if (event.kind === 'scan') {
      this.#ownTaps.note(event.scan);
      this.#send(formatScan(event.scan));
    } else if (event.kind === 'failed') this.#send(formatFailed(event));
  }

  async #tell(entries: readonly JournalEntry[]): Promise<Cursor> {
    const last = entries.at(-1)?.cursor ?? 0;
    // Events for nobody are not made.
    if (this.#subscribers.size > 0) await this.#tellCurrent(entries);
    if (entries.some(({ change: { kind } }) => outdatingKinds.has(kind))) this.#pages.forget();
    this.#setTold(last);
    return last;
  }

  async #tellCurrent(entries: readonly JournalEntry[]): Promise<void> {
    const { names } = this.#parts;
    const options = {
      ...{ origin: this.#origin, names },
      isMissed: (change: ScanChange | ProvisionalChange) => !this.#ownTaps.take(change),
    };
    this.#send(await formatChanges(entries, options), true);
  }

  #tellReset(reason: ResetReason, latest: Cursor): Promise<void> {
    this.#send(formatReset(this.#idOf(latest), reason), true);
    this.#setTold(latest);
    return Promise.resolve();
  }

  #setTold(cursor: Cursor): void {
    this.#told = cursor;
    for (const resolve of this.#awaiting.splice(0)) resolve();
  }

  /** Resolves when more was told, or there will be no more. */
  #nextTold(): Promise<void> {
    return new Promise((resolve) => {
      if (this.status === 'open') this.#awaiting.push(resolve);
      else resolve();
    });
  }

  /** Gives a subscriber what it missed, a page at a time as it reads, until it is current. */
  async #catchUp(subscriber: Subscriber, from: Cursor): Promise<void> {
    this.#late++;
    try {
      let cursor = from;
      while (this.#subscribers.has(subscriber) && !subscriber.isCurrent) {
        cursor = await this.#giveNext(subscriber, cursor);
      }
    } catch (error) {
      if (this.#subscribers.delete(subscriber)) this.#parts.onFault?.(error);
      // It comes again.
      subscriber.response.destroy();
    }
    this.#late--;
    if (this.#late === 0) this.#pages.forget();
  }

  /** Gives a subscriber the page after a cursor, and resolves with that of its end. */
  async #giveNext(subscriber: Subscriber, cursor: Cursor): Promise<Cursor> {
    const page = await this.#pages.after(cursor, this.#told);
    if (!this.#subscribers.has(subscriber)) return cursor;
    const told = this.#told;
    if (!page.isKnown) {
      this.#makeCurrent(subscriber);
      subscriber.write(formatReset(this.#idOf(told), page.reason));
      return told;
    }
    if (cursor > told) {
      // Another server has told it what this one has not heard of yet.
      this.#consumer.wake();
      await this.#nextTold();
      if (cursor === this.#told) this.#makeCurrent(subscriber);
      return cursor;
    }
    if (page.last > told || page.last <= cursor) {
      // The journal has gone back. It comes again.
      this.#subscribers.delete(subscriber);
      subscriber.response.end();
      return cursor;
    }
    if (page.events.length > 0) await subscriber.take(page.events);
    if (page.last === this.#told) this.#makeCurrent(subscriber);
    return page.last;
  }

  #makeCurrent(subscriber: Subscriber): void {
    // What is told already is not for this one.
    this.#flush();
    subscriber.isCurrent = true;
  }

  #send(events: Buffer, areChanges = false): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush());
    this.#unsent.push({ events, areChanges });
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    const unsent = this.#unsent;
    this.#unsent = [];
    const all = Buffer.concat(unsent.map(({ events }) => events));
    const live =
      this.#late === 0
        ? all
        : Buffer.concat(unsent.filter(({ areChanges }) => !areChanges).map(({ events }) => events));
    for (const subscriber of this.#subscribers) {
      const events = subscriber.isCurrent ? all : live;
      if (events.length === 0) continue;
      subscriber.write(events);
      if (subscriber.waiting > this.#options.maxBufferedBytes) {
        this.#subscribers.delete(subscriber);
        subscriber.response.destroy();
      }
    }
  }

  #idOf(cursor: Cursor): string {
    return formatEventId(this.#origin, cursor);
  }

  #newPages(): ChangePages {
    const { journal, names } = this.#parts;
    return new ChangePages({ journal, origin: this.#origin, names });
  }

  /** Resolves when all subscribers have read everything. Those that have not within a while are cut off. */
  #endAll(): Promise<void> {
    const ending = new Set(this.#subscribers);
    this.#subscribers.clear();
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        for (const { response } of ending) response.destroy();
        resolve();
      }, DRAIN_MS);
      const stopWaiting = (): void => {
        if (ending.size > 0) return;
        clearTimeout(deadline);
        resolve();
      };
      for (const subscriber of ending) {
        subscriber.response.req.once('close', () => {
          ending.delete(subscriber);
          stopWaiting();
        });
        subscriber.response.end();
      }
      stopWaiting();
    });
  }
}
