import type { Cursor } from '@tallybook/domain';
import type { Audience } from './audience.js';
import { ChangePages, type ChangePagesParts } from './change-pages.js';
import { formatReset } from './event-format.js';
import { formatEventId } from './event-id.js';
import type { Subscriber } from './subscriber.js';
import type { LastSentCursor } from './last-sent-cursor.js';

export interface CatchUpParts extends ChangePagesParts {
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
