import type { Cursor, Journal, NameService, ResetReason } from '@tallybook/domain';
import { prepareChanges } from './change-format.js';

/** The events of the changes after a cursor, up to `last`; or the reason why the journal does not have them. */
export type ChangePage =
  | { readonly isKnown: true; readonly events: Buffer; readonly last: Cursor }
  | { readonly isKnown: false; readonly reason: ResetReason };

export interface ChangePagesParts {
  readonly journal: Journal;
  /** Origin of the journal. */
  readonly origin: string;
  readonly names: Pick<NameService, 'nameOf'>;
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
    const { journal, origin, names } = this.#parts;
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
    const format = await prepareChanges(entries, { origin, names, isMissed: () => true });
    return { isKnown: true, events: format(), last: bound };
  }
}
