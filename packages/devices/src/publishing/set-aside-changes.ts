import type { Cursor, Journal } from '@tallybook/domain';

/** Largest number of changes that are set aside for one publisher. */
export const SET_ASIDE_MAX = 1_000;

/**
 * The changes that the receiver of a publisher refused. The journal keeps the cursor of each one, as the position of a
 * consumer named after the publisher, so a restart does not forget it. 0 marks a free place.
 */
export class SetAsideChanges {
  readonly #journal: Journal;
  readonly #publisher: string;
  #places: Cursor[] = [];

  constructor(journal: Journal, publisher: string) {
    this.#journal = journal;
    this.#publisher = publisher;
  }

  /** Ascending. */
  get cursors(): Cursor[] {
    return this.#places.filter((cursor) => cursor > 0).toSorted((one, other) => one - other);
  }

  async load(): Promise<void> {
    const places: Cursor[] = [];
    for (;;) {
      const cursor = await this.#journal.position(this.#consumerOf(places.length));
      if (cursor === undefined) break;
      places.push(cursor);
    }
    this.#places = places;
  }

  /** Resolves with `false` if there is no place left. */
  async add(cursor: Cursor): Promise<boolean> {
    if (this.#places.includes(cursor)) return true;
    const free = this.#places.indexOf(0);
    const place = free === -1 ? this.#places.length : free;
    if (place >= SET_ASIDE_MAX) return false;
    await this.#put(place, cursor);
    return true;
  }

  async remove(cursor: Cursor): Promise<void> {
    await this.#put(this.#places.indexOf(cursor), 0);
  }

  async #put(place: number, cursor: Cursor): Promise<void> {
    await this.#journal.advance(this.#consumerOf(place), cursor);
    this.#places[place] = cursor;
  }

  /** No publisher has such a name, because names have no control characters. */
  #consumerOf(place: number): string {
    return `${this.#publisher}\u001F${place}`;
  }
}
