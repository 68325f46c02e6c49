import type { Cursor, Journal, NameService, ResetReason } from '@tallybook/domain';
import { formatChanges } from './change-format.js';

/** The events of the changes after a cursor, up to `last`; or the reason why the journal does not have them. */
export type ChangePage =
  | { readonly isKnown: true; readonly events: Buffer; readonly last: Cursor }
  | { readonly isKnown: false; readonly reason: ResetReason };

export interface ChangePagesParts {
  readonly journal: Journal;
  /** That of the journal. */
  readonly origin: string;
  readonly names: Pick<NameService, 'nameOf'>;
}

/** Changes of a page: so few that a page is some 80 KB. */
const PAGE_SIZE = 256;
/** Pages that are kept for other clients. */
const PAGES_KEPT = 8;

/**
 * The changes of a journal for clients that missed them, a page at a time.
 *
 * After a restart hundreds of clients come at once and have missed much the same. Full pages end at multiples of their size,
 * so that clients that missed different numbers of changes share pages from the second one on.
 */
export class ChangePages {
  readonly #parts: ChangePagesParts;
  readonly #pages = new Map<Cursor, Promise<ChangePage>>();

  constructor(parts: ChangePagesParts) {
    this.#parts = parts;
  }

  /**
   * Resolves with the page after a cursor. It ends after that cursor, if `told` is after it.
   *
   * @param told The last change for a page. Later ones are sent to all current subscribers.
   */
  after(cursor: Cursor, told: Cursor): Promise<ChangePage> {
    // There is nothing to read yet. An empty page must not be kept, because there will be something later.
    if (cursor >= told) return this.#read(cursor, told);
    const known = this.#pages.get(cursor);
    if (known !== undefined) return known;
    const page = this.#read(cursor, told);
    this.#keep(cursor, page);
    return page;
  }

  /** Drops the pages that are kept, because nobody reads them any more, or their names may be wrong now. */
  forget(): void {
    this.#pages.clear();
  }

  #keep(cursor: Cursor, page: Promise<ChangePage>): void {
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size >= PAGES_KEPT) this.#pages.delete(oldest);
    this.#pages.set(cursor, page);
    page.catch(() => this.#pages.get(cursor) === page && this.#pages.delete(cursor));
  }

  async #read(after: Cursor, told: Cursor): Promise<ChangePage> {
    const { journal, origin, names } = this.#parts;
    const page = await journal.read(after, PAGE_SIZE);
    if (!page.isKnown) return page;
    const end = page.entries.at(-1)?.cursor ?? Infinity;
    // Everything up to `told` was there before the page was read, so no other change up to there exists.
    const isLast = end > told;
    const last = isLast ? Math.max(told, after) : end;
    const cut = isLast || page.entries.length < PAGE_SIZE ? last : last - (last % PAGE_SIZE);
    const bound = cut > after ? cut : last;
    const entries = page.entries.filter(({ cursor }) => cursor <= bound);
    return {
      isKnown: true,
      events: await formatChanges(entries, { origin, names, isMissed: () => true }),
      last: bound,
    };
  }
}
