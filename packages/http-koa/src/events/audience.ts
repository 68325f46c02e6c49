import type { ServerResponse } from 'node:http';
import type { Day, GroupId } from '@tallybook/domain';
import type { EventView } from './event-format.js';

/** What a subscriber may see. */
export interface SubscriberView {
  /** The only day. Default: all days. */
  readonly only?: (() => Day) | undefined;
  /** The groups to which it is bound. Default: to none. */
  readonly within?: readonly GroupId[] | undefined;
}

/** A response that streams events. */
export class Subscriber {
  readonly response: ServerResponse;
  /** Whether it got all changes so far. If so, it gets new changes together with all others. */
  isCurrent = false;
  readonly #view: SubscriberView;
  /** Size of its latest page in bytes; 0 when the client has taken the page. */
  #pageBytes = 0;
  #onTaken: () => void = () => undefined;

  /** @param onGone Called when the connection has ended in any way. */
  constructor(response: ServerResponse, view: SubscriberView, onGone: () => void) {
    this.response = response;
    this.#view = view;
    // Watches the request, because a response that waits behind another one gets no event when its connection ends.
    response.req.once('close', () => {
      onGone();
      this.#onTaken();
    });
  }

  /**
   * Bytes that wait for it, without the bytes of a page: the next page is sent only after it has taken the present one.
   */
  get waiting(): number {
    return this.response.writableLength - this.#pageBytes;
  }

  /** The groups to which it is bound. */
  get within(): readonly GroupId[] | undefined {
    return this.#view.within;
  }

  /** What it may see now; `undefined` if it may see all. */
  get view(): EventView | undefined {
    const { only, within } = this.#view;
    if (only === undefined && within === undefined) return undefined;
    return { ...(only && { day: only() }), ...(within && { within }) };
  }

  write(events: Buffer): void {
    this.response.write(events);
  }

  /** Writes a page of missed events. Resolves when the client has taken the page, or is gone. */
  take(page: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#pageBytes = page.length;
      this.#onTaken = () => {
        this.#pageBytes = 0;
        resolve();
      };
      this.response.write(page, () => this.#onTaken());
    });
  }
}

/** Longest time, in milliseconds, for a subscriber to read its waiting events at the end. */
const DRAIN_MS = 2_000;

/** Events that are written at the end of this turn of the event loop. */
interface Unsent {
  readonly events: Buffer;
  /** The events for subscribers that may not see all. */
  readonly of: (view: EventView) => Buffer;
  /** Whether these are events of changes. Subscribers that catch up get these from the journal instead. */
  readonly areChanges: boolean;
}

/**
 * The subscribers of a feed. All events of one turn of the event loop are written in one piece.
 *
 * Nobody waits for a subscriber: it is cut off if too many bytes wait for it.
 */
export class Audience {
  readonly #maxBufferedBytes: number;
  readonly #subscribers = new Set<Subscriber>();
  #unsent: Unsent[] = [];

  constructor(maxBufferedBytes: number) {
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** The groups to which subscribers are bound, each list once. */
  get bindings(): readonly (readonly GroupId[])[] {
    const lists = new Map<string, readonly GroupId[]>();
    for (const { within } of this.#subscribers) if (within) lists.set(JSON.stringify(within), within);
    return [...lists.values()];
  }

  has(subscriber: Subscriber): boolean {
    return this.#subscribers.has(subscriber);
  }

  /** Adds a subscriber. It gets no events from before. */
  add(subscriber: Subscriber): void {
    this.flush();
    this.#subscribers.add(subscriber);
  }

  /** Removes a subscriber. Returns whether it was there. */
  remove(subscriber: Subscriber): boolean {
    return this.#subscribers.delete(subscriber);
  }

  /** From now on the subscriber gets changes, too. */
  makeCurrent(subscriber: Subscriber): void {
    // The subscriber must not get events from before.
    this.flush();
    subscriber.isCurrent = true;
  }

  /**
   * @param areChanges Whether the events are changes: only current subscribers get these.
   * @param of Gives the events for subscribers that may not see all. Default: the same.
   */
  send(events: Buffer, areChanges = false, of: (view: EventView) => Buffer = () => events): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.flush());
    this.#unsent.push({ events, areChanges, of });
  }

  /** Writes all events of this turn. */
  flush(): void {
    if (this.#unsent.length === 0) return;
    const unsent = this.#unsent;
    this.#unsent = [];
    const all = joined(unsent);
    let live: Buffer | undefined;
    const ofViews = new Map<string, Buffer>();
    const ofView = (view: EventView): Buffer => {
      const key = JSON.stringify(view);
      const events = ofViews.get(key) ?? Buffer.concat(unsent.map((each) => each.of(view)));
      ofViews.set(key, events);
      return events;
    };
    for (const subscriber of this.#subscribers) {
      const { view } = subscriber;
      const events = !subscriber.isCurrent
        ? (live ??= joined(unsent.filter(({ areChanges }) => !areChanges)))
        : view === undefined
          ? all
          : ofView(view);
      if (events.length > 0) this.#write(subscriber, events);
    }
  }

  /**
   * Ends all streams. Resolves when all subscribers have read everything. Slow ones are cut off after {@link DRAIN_MS}.
   */
  endAll(): Promise<void> {
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

  #write(subscriber: Subscriber, events: Buffer): void {
    subscriber.write(events);
    if (subscriber.waiting <= this.#maxBufferedBytes) return;
    this.#subscribers.delete(subscriber);
    subscriber.response.destroy();
  }
}

function joined(unsent: readonly Unsent[]): Buffer {
  return Buffer.concat(unsent.map(({ events }) => events));
}
