import { randomBytes } from 'node:crypto';
import {
  Emitter,
  JOURNAL_LIMIT_RANGE,
  type Change,
  type Cursor,
  type Journal,
  type JournalEntry,
  type JournalPage,
  type Subscribable,
} from '@tallybook/domain';
import { MemoryStore } from './memory-store.js';

/** Data of a {@link MemoryJournal}. */
export interface MemoryChanges {
  readonly origin: string;
  /** The largest cursor ever given. */
  latest: Cursor;
  /** The largest cursor whose entry was removed because there were too many entries. */
  forgotten: Cursor;
  /** Ascending. */
  entries: JournalEntry[];
  readonly positions: Map<string, Cursor>;
}

/** Data without changes. */
export function noChanges(): MemoryChanges {
  const origin = randomBytes(8).toString('hex');
  return { origin, latest: 0, forgotten: 0, entries: [], positions: new Map() };
}

/**
 * A {@link Journal} in memory, for stores without a journal of their own: each caller that changes them calls
 * {@link append}. Its data lives as long as the given `changes`.
 */
export class MemoryJournal extends MemoryStore implements Journal {
  readonly appended: Subscribable<void>;
  readonly #appended = new Emitter<void>();
  #changes: MemoryChanges;
  readonly #limit: number;

  /** @param options `limit`: maximum number of kept changes, default 100000. */
  constructor(changes: MemoryChanges = noChanges(), options: { readonly limit?: number } = {}) {
    super();
    this.#changes = changes;
    this.#limit = options.limit ?? JOURNAL_LIMIT_RANGE.default;
    this.appended = this.#appended;
  }

  /** Begins another journal, with a new origin and without changes. */
  beginAnew(): void {
    this.#changes = noChanges();
  }

  /** Adds changes, in order, whether the journal is open or not. */
  append(...changes: readonly Change[]): void {
    const { entries } = this.#changes;
    for (const change of changes) entries.push({ cursor: ++this.#changes.latest, change });
    // Removes many at a time, since each removal moves all entries that stay.
    const surplus = entries.length - this.#limit;
    if (surplus > this.#limit / 10 || surplus > 1_000) {
      this.#changes.forgotten = entries.splice(0, surplus).at(-1)?.cursor ?? this.#changes.forgotten;
    }
    if (changes.length > 0) this.#appended.emit();
  }

  /** Removes the entries of changes that must no longer be kept. */
  forget(isGone: (change: Change) => boolean): void {
    this.#changes.entries = this.#changes.entries.filter(({ change }) => !isGone(change));
  }

  /** The entries of changes. For {@link MemoryErasureStore}. */
  entriesOf(isWanted: (change: Change) => boolean): readonly JournalEntry[] {
    return this.#changes.entries.filter(({ change }) => isWanted(change));
  }

  /** For {@link MemoryMappingStore}: the node of its stamps. */
  get changesOrigin(): string {
    return this.#changes.origin;
  }

  origin(): Promise<string> {
    return this.run(() => Promise.resolve(this.#changes.origin));
  }

  latest(): Promise<Cursor> {
    return this.run(() => Promise.resolve(this.#changes.latest));
  }

  countAfter(cursor: Cursor): Promise<number> {
    return this.run(() => Promise.resolve(Math.max(this.#changes.latest - cursor, 0)));
  }

  read(after: Cursor, limit: number): Promise<JournalPage> {
    return this.run(() => Promise.resolve(this.#read(after, limit)));
  }

  position(consumer: string): Promise<Cursor | undefined> {
    return this.run(() => Promise.resolve(this.#changes.positions.get(consumer)));
  }

  advance(consumer: string, cursor: Cursor): Promise<void> {
    return this.run(() => {
      this.#changes.positions.set(consumer, cursor);
      return Promise.resolve();
    });
  }

  #read(after: Cursor, limit: number): JournalPage {
    const { latest, forgotten, entries } = this.#changes;
    if (after > latest) return { isKnown: false, reason: 'ahead' };
    if (after < forgotten) return { isKnown: false, reason: 'too-old' };
    // From the end: nearly every follower is there.
    const start = entries.findLastIndex(({ cursor }) => cursor <= after) + 1;
    return { isKnown: true, entries: entries.slice(start, start + limit) };
  }
}
