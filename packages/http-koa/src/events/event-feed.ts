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
  type MappingStore,
  type PeopleStore,
  type ProvisionalChange,
  type ResetReason,
  type Scan,
  type ScanChange,
  type Subscription,
  type Timestamp,
} from '@tallybook/domain';
import { changesWithin } from '@tallybook/domain/record';
import { commonHeaders } from '../answers/answer-errors.js';
import { Audience, Subscriber, type SubscriberView } from './audience.js';
import { CatchUp, LastSentCursor } from './catch-up.js';
import {
  formatBoundId,
  formatEventId,
  formatFailed,
  formatGreeting,
  formatReset,
  formatScan,
  KEEP_ALIVE,
  parseEventId,
  prepareChanges,
} from './event-format.js';
import { readFeedOptions, type EventFeedOptions } from './feed-options.js';

/** Largest number of remembered taps; the oldest ones are forgotten first. */
const MOST_TAPS = 10_000;

/**
 * Remembers the taps whose `msg` was sent at once. Taps at another server are only in the journal, and get their `msg` with
 * their change.
 */
class OwnTaps {
  /** The times of the taps, by tag and reader. */
  readonly #waiting = new Map<string, Timestamp[]>();
  #count = 0;

  /** Remembers a tap whose `msg` was sent. */
  note({ id, reader, at }: Scan): void {
    const key = `${id} ${reader}`;
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), at]);
    this.#count++;
    if (this.#count <= MOST_TAPS) return;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#takeFirst(oldest, () => true);
  }

  /** Whether the `msg` for the tap of a change was sent. If so, the tap is forgotten. */
  take(change: ScanChange | ProvisionalChange): boolean {
    const key = `${change.id} ${change.reader}`;
    return this.#takeFirst(key, (at) => change.kind === 'provisional' || at === change.at);
  }

  #takeFirst(key: string, isIt: (at: Timestamp) => boolean): boolean {
    const taps = this.#waiting.get(key);
    const index = taps?.findIndex(isIt) ?? -1;
    if (taps === undefined || index === -1) return false;
    taps.splice(index, 1);
    if (taps.length === 0) this.#waiting.delete(key);
    this.#count--;
    return true;
  }
}

export interface EventFeedParts {
  /** Emits taps, and scans that could not be recorded, at once. */
  readonly attendance: Pick<AttendanceService, 'events'>;
  /** Gives the name of a tag. */
  readonly names: Pick<MappingStore, 'get'>;
  /**
   * Gives the holder of a tag at a time, and whom a change is about. Default: each tag with a name is a person of its own, and whoever
   * is bound to groups is only told to read everything again.
   */
  readonly people?: PeopleStore;
  /** The journal of all changes of the record. It is opened before the feed, and closed after it. */
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called with each error of the journal. The feed tries to read again. */
  readonly onFault?: (error: unknown) => void;
}

/** After these changes, kept pages may have wrong holders, or removed scans. */
const outdatingKinds: ReadonlySet<Change['kind']> = new Set<Change['kind']>([
  ...(['name', 'person', 'tag', 'group', 'day', 'erased'] as const),
]);

/** Number of keep-alives after which a subscriber that reads nothing is cut off. */
const STALL_KEEP_ALIVES = 2;

/** Headers of an event stream. The connection ends with the stream, so that a server stops quickly. */
export const eventStreamHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/**
 * Streams taps and changes of the record to any number of HTTP responses.
 *
 * ```
 * tap               -> `msg`, at once ----------------------------------------\
 * failed scan       -> `failed`, at once --------------------------------------> every subscriber
 * Journal, the end  -> `attendance`, `names`, `people`, `day`, `reset` -------> current subscribers
 *                      and `msg` of each tap at another server
 * Journal, a page   -> the same, and `msg` of each scan, one Buffer a page ----> late subscribers, page by page
 * ```
 *
 * The id of an event is the place of its change in the {@link Journal}. So a client continues at its place even after a restart.
 * `msg` and `failed` have no id.
 *
 * Nobody waits for a subscriber. It is cut off if too many bytes wait for it, or if it reads nothing for two keep-alives. Close
 * the feed before the server, so that every subscriber gets its waiting events.
 */
export class EventFeed extends ManagedResource {
  readonly #parts: EventFeedParts;
  readonly #options: Required<EventFeedOptions>;
  readonly #consumer: JournalConsumer;
  readonly #audience: Audience;
  readonly #lastSent = new LastSentCursor();
  readonly #ownTaps = new OwnTaps();
  #origin = '';
  #catchUp: CatchUp;
  #subscription: Subscription | undefined;
  #keepAlive: NodeJS.Timeout | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(parts: EventFeedParts, options: EventFeedOptions = {}) {
    super();
    this.#parts = parts;
    this.#options = readFeedOptions(options);
    this.#audience = new Audience(this.#options.maxBufferedBytes);
    const { journal, clock } = parts;
    this.#consumer = new JournalConsumer({
      journal,
      clock,
      handle: (entries) => this.#send(entries),
      onReset: (reason, latest) => this.#sendReset(reason, latest),
      onFault: (error) => parts.onFault?.(error),
    });
    this.#catchUp = this.#newCatchUp();
  }

  get subscriberCount(): number {
    return this.#audience.size;
  }

  /**
   * Answers with the stream: first the changes after `lastEventId`, then all new events, without a gap between them. If the
   * journal no longer has those changes, a `reset` replaces them.
   *
   * @param lastEventId Empty for a new client: it gets events from now on.
   * @param view What the client may see, if not all. It gets no missed changes: a `reset` replaces them. A client that is bound to groups
   * gets no tap before it is recorded, and no ids that count the changes.
   * @returns A subscription that ends the stream.
   * @throws {TallybookError} `NOT_OPEN`; `TOO_MANY_SUBSCRIBERS`. Both are thrown before anything is sent.
   */
  subscribe(response: ServerResponse, lastEventId: string, view: SubscriberView = {}): Subscription {
    if (this.status !== 'open') throw this.notOpen();
    const { maxSubscribers, retryMs, keepAliveMs } = this.#options;
    if (this.#audience.size >= maxSubscribers) {
      throw new TallybookError('TOO_MANY_SUBSCRIBERS', `all ${maxSubscribers} event streams are in use`, {
        details: { maxSubscribers },
      });
    }
    if (response.req.destroyed) return { unsubscribe: () => undefined };
    const subscriber = new Subscriber(response, view, () => this.#audience.remove(subscriber));
    this.#audience.add(subscriber);
    // The stream ends with its connection, so it needs no chunks. Each chunk would be four writes to the socket.
    response.removeHeader('Transfer-Encoding');
    // The headers are set before `writeHead`, so that a server can recognise the stream.
    response.setHeaders(new Map(Object.entries(eventStreamHeaders)));
    response.writeHead(200);
    const lastSent = this.#lastSent.cursor;
    const asked = lastEventId === '' ? lastSent : parseEventId(this.#origin, lastEventId);
    const { only, within } = view;
    const isWhole = only === undefined && within === undefined;
    const isUpToDate = lastEventId === '' || (asked === lastSent && within === undefined);
    const cursor = isWhole || isUpToDate ? asked : undefined;
    const id = within === undefined ? this.#idOf(lastSent) : formatBoundId(this.#origin);
    subscriber.isCurrent = cursor === undefined || cursor === lastSent;
    const greeting = formatGreeting(retryMs, lastEventId === '' ? id : undefined);
    const reset = cursor === undefined ? [formatReset(id, 'unknown')] : [];
    subscriber.write(Buffer.concat([greeting, ...reset]));
    // Waiting writes do not count as activity. So this is called if the client takes nothing. It is also called if this process
    // was stopped, but then nothing waits.
    response.setTimeout(STALL_KEEP_ALIVES * keepAliveMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    if (cursor !== undefined && cursor !== lastSent) void this.#catchUp.give(subscriber, cursor);
    return {
      unsubscribe: () => {
        if (this.#audience.remove(subscriber)) response.end();
      },
    };
  }

  protected override async onOpen(): Promise<void> {
    this.#origin = await this.#parts.journal.origin();
    this.#catchUp = this.#newCatchUp();
    this.#lastSent.open();
    await this.#consumer.open();
    // The consumer may have sent changes already.
    this.#lastSent.set(Math.max(this.#lastSent.cursor, this.#consumer.position));
    this.#subscription = this.#parts.attendance.events.subscribe((event) => this.#hear(event));
    this.#keepAlive = setInterval(() => this.#audience.send(KEEP_ALIVE), this.#options.keepAliveMs).unref();
  }

  protected override async onClose(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#subscription?.unsubscribe();
    await this.#consumer.close();
    this.#lastSent.close();
    this.#audience.flush();
    await this.#audience.endAll();
  }

  #hear(event: AttendanceEvent): void {
    if (this.#audience.size === 0) return;
    if (event.kind !== 'scan' && event.kind !== 'failed') return;
    const { scan } = event;
    if (event.kind === 'scan') this.#ownTaps.note(scan);
    const events = event.kind === 'scan' ? formatScan(scan) : formatFailed(event);
    // Whose tap it is may not be known yet.
    this.#audience.send(events, false, ({ day, within }) =>
      scan.day === day && within === undefined ? events : Buffer.alloc(0),
    );
  }

  async #send(entries: readonly JournalEntry[]): Promise<Cursor> {
    const last = entries.at(-1)?.cursor ?? 0;
    // Without subscribers, no events are made.
    if (this.#audience.size > 0) await this.#sendToCurrent(entries);
    if (entries.some(({ change: { kind } }) => outdatingKinds.has(kind))) this.#catchUp.forgetPages();
    this.#lastSent.set(last);
    return last;
  }

  async #sendToCurrent(entries: readonly JournalEntry[]): Promise<void> {
    const { names, people } = this.#parts;
    const { bindings } = this.#audience;
    const missed = new Set<Change>();
    for (const { change } of entries) {
      const isTap = change.kind === 'scan' ? change.filed === undefined : change.kind === 'provisional';
      if (isTap && !this.#ownTaps.take(change as ScanChange | ProvisionalChange)) missed.add(change);
    }
    const isMissed = (change: Change): boolean => missed.has(change);
    const format = await prepareChanges(entries, {
      ...{ origin: this.#origin, names, people, isMissed },
      bindings,
      seenBy: people && ((changes, within) => changesWithin(people, changes, within)),
    });
    this.#audience.send(format(), true, format);
  }

  #sendReset(reason: ResetReason, latest: Cursor): Promise<void> {
    const events = formatReset(this.#idOf(latest), reason);
    const bound = formatReset(formatBoundId(this.#origin), reason);
    this.#audience.send(events, true, ({ within }) => (within === undefined ? events : bound));
    this.#lastSent.set(latest);
    return Promise.resolve();
  }

  #idOf(cursor: Cursor): string {
    return formatEventId(this.#origin, cursor);
  }

  #newCatchUp(): CatchUp {
    const { journal, names, people, onFault } = this.#parts;
    return new CatchUp({
      ...{ journal, names, people, origin: this.#origin, audience: this.#audience, lastSent: this.#lastSent },
      wake: () => this.#consumer.wake(),
      onFault: (error) => onFault?.(error),
    });
  }
}
