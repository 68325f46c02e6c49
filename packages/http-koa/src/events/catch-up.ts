import type { Cursor, Journal, MappingStore, PeopleStore, ResetReason } from '@tallybook/domain';
import { formatEventId, formatReset, prepareChanges } from './event-format.js';
import type { Audience, Subscriber } from './audience.js';

/** The last change that was sent to current subscribers. */
export class LastSentCursor {
  #cursor: Cursor = 0;
  #isOpen = false;
  /** Callbacks that wait for the next sent change. */
  readonly #awaiting: (() => void)[] = [];

  get cursor(): Cursor {
    return this.#cursor;
  }

  set(cursor: Cursor): void {
    this.#cursor = cursor;
    this.#release();
  }

  /** Resolves when a later change was sent, or when no more will be sent. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOpen) this.#awaiting.push(resolve);
      else resolve();
    });
  }

  open(): void {
    this.#cursor = 0;
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#awaiting.splice(0)) resolve();
  }
}

/** The events of the changes after a cursor, up to `last`; or the reason why the journal does not have them. */
type ChangePage =
  | { readonly isKnown: true; readonly events: Buffer; readonly last: Cursor }
  | { readonly isKnown: false; readonly reason: ResetReason };

interface ChangePagesParts {
  readonly journal: Journal;
  /** Origin of the journal. */
  readonly origin: string;
  readonly names: Pick<MappingStore, 'get'>;
  readonly people?: Pick<PeopleStore, 'holderAt'> | undefined;
}

/** Number of changes in a page: so few that a page has about 80 KB. */
const PAGE_SIZE = 256;
/** Pages that are kept for other clients. */
const PAGES_KEPT = 8;

/**
 * Pages of the changes of a journal, for clients that missed them.
 *
 * After a restart, hundreds of clients come at once, and most have missed the same changes. Full pages end at multiples of
 * their size. So clients that missed different numbers of changes share all pages after the first.
 */
export class ChangePages {
  readonly #parts: ChangePagesParts;
  readonly #pages = new Map<Cursor, Promise<ChangePage>>();

  constructor(parts: ChangePagesParts) {
    this.#parts = parts;
  }

  /**
   * Resolves with the page after a cursor. The page is not empty if `lastSent` is after the cursor.
   *
   * @param lastSent The last change that a page may have. Later changes are sent to all current subscribers.
   */
  after(cursor: Cursor, lastSent: Cursor): Promise<ChangePage> {
    // There is no later change yet. An empty page must not be kept, because changes will follow.
    if (cursor >= lastSent) return this.#read(cursor, lastSent);
    const known = this.#pages.get(cursor);
    if (known !== undefined) return known;
    const page = this.#read(cursor, lastSent);
    this.#keep(cursor, page);
    return page;
  }

  /** Drops the kept pages: nobody reads them any more, or their names may be wrong now. */
  forget(): void {
    this.#pages.clear();
  }

  #keep(cursor: Cursor, page: Promise<ChangePage>): void {
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size >= PAGES_KEPT) this.#pages.delete(oldest);
    this.#pages.set(cursor, page);
    page.catch(() => this.#pages.get(cursor) === page && this.#pages.delete(cursor));
  }

  async #read(after: Cursor, lastSent: Cursor): Promise<ChangePage> {
    const { journal, ...parts } = this.#parts;
    const page = await journal.read(after, PAGE_SIZE);
    if (!page.isKnown) return page;
    const end = page.entries.at(-1)?.cursor ?? Infinity;
    // All changes up to `lastSent` existed before the page was read, so no other change up to `lastSent` can follow.
    const isLast = end > lastSent;
    const last = isLast ? Math.max(lastSent, after) : end;
    const cut = isLast || page.entries.length < PAGE_SIZE ? last : last - (last % PAGE_SIZE);
    // The multiple itself may be a cursor that was never given, and after which nothing is known.
    const bound =
      cut === last ? last : (page.entries.findLast(({ cursor }) => cursor <= cut)?.cursor ?? last);
    const entries = page.entries.filter(({ cursor }) => cursor <= bound);
    const format = await prepareChanges(entries, { ...parts, isMissed: () => true });
    return { isKnown: true, events: format(), last: bound };
  }
}

interface CatchUpParts extends ChangePagesParts {
  readonly audience: Audience;
  readonly lastSent: LastSentCursor;
  /** Makes the feed read the journal for current subscribers. */
  readonly wake: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Gives subscribers the events that they missed, until they are current. Each page is sent when the page before was
 * read.
 */
export class CatchUp {
  readonly #parts: CatchUpParts;
  readonly #pages: ChangePages;
  /** Subscribers that are not current. */
  #late = 0;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
    this.#pages = new ChangePages(parts);
  }

  /** Call it when names or scans in the kept pages may be wrong now. */
  forgetPages(): void {
    this.#pages.forget();
  }

  /** Gives a subscriber everything after a cursor. Never rejects. */
  async give(subscriber: Subscriber, from: Cursor): Promise<void> {
    const { audience, onFault } = this.#parts;
    this.#late++;
    try {
      let cursor = from;
      while (audience.has(subscriber) && !subscriber.isCurrent) {
        cursor = await this.#giveNext(subscriber, cursor);
      }
    } catch (error) {
      if (audience.remove(subscriber)) onFault(error);
      // The client connects again.
      subscriber.response.destroy();
    }
    this.#late--;
    if (this.#late === 0) this.#pages.forget();
  }

  /** Gives a subscriber the page after a cursor. Resolves with the cursor at the end of that page. */
  async #giveNext(subscriber: Subscriber, cursor: Cursor): Promise<Cursor> {
    const { audience, lastSent, origin, wake } = this.#parts;
    const page = await this.#pages.after(cursor, lastSent.cursor);
    if (!audience.has(subscriber)) return cursor;
    const last = lastSent.cursor;
    if (!page.isKnown) {
      audience.makeCurrent(subscriber);
      subscriber.write(formatReset(formatEventId(origin, last), page.reason));
      return last;
    }
    if (cursor > last) {
      // The client got events from another server, and this server has not read them yet.
      wake();
      await lastSent.next();
      if (cursor === lastSent.cursor) audience.makeCurrent(subscriber);
      return cursor;
    }
    if (page.last > last) {
      // The journal has gone back to an earlier state. The client connects again.
      audience.remove(subscriber);
      subscriber.response.end();
      return cursor;
    }
    // The page is empty if this server has reached or passed the cursor since the page was requested.
    if (page.events.length > 0) await subscriber.take(page.events);
    if (page.last === lastSent.cursor) audience.makeCurrent(subscriber);
    return page.last;
  }
}
