import {
  AUDIT_BEGINNING,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  type EntryAfter,
} from '@tallybook/domain/access';
import { MemoryStore } from './memory-store.js';

/** An {@link AuditStore} in memory. Its data lives as long as the given `entries`. */
export class MemoryAuditStore extends MemoryStore implements AuditStore {
  readonly #entries: AuditEntry[];

  /** @param entries Ascending by number. */
  constructor(entries: AuditEntry[] = []) {
    super();
    this.#entries = entries;
  }

  append(entry: AuditEntry): Promise<boolean> {
    return this.run(() => {
      const { number, hash } = this.#end;
      const follows = entry.number === number + 1 && entry.previous === hash;
      if (follows) this.#entries.push(entry);
      return Promise.resolve(follows);
    });
  }

  appendNext(entryAfter: EntryAfter): Promise<void> {
    return this.run(
      () =>
        new Promise((resolve) => {
          const { number, hash } = this.#end;
          this.#entries.push(entryAfter({ number, hash }));
          resolve();
        }),
    );
  }

  begin(entry: AuditEntry): Promise<boolean> {
    return this.run(() => {
      const isEmpty = this.#entries.length === 0;
      if (isEmpty) this.#entries.push(entry);
      return Promise.resolve(isEmpty);
    });
  }

  latest(): Promise<AuditHead | undefined> {
    return this.run(() => {
      const latest = this.#entries.at(-1);
      return Promise.resolve(latest && { number: latest.number, hash: latest.hash });
    });
  }

  read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.run(() => {
      const start = this.#entries.findIndex(({ number }) => number > after);
      return Promise.resolve(start === -1 ? [] : this.#entries.slice(start, start + limit));
    });
  }

  removeThrough(number: number): Promise<number> {
    return this.run(() => {
      const older = this.#entries.slice(0, -1).filter((entry) => entry.number <= number);
      return Promise.resolve(this.#entries.splice(0, older.length).length);
    });
  }

  get #end(): AuditHead {
    return this.#entries.at(-1) ?? { number: 0, hash: AUDIT_BEGINNING };
  }
}
