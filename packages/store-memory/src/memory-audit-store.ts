import {
  AUDIT_BEGINNING,
  ManagedResource,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
} from '@tallybook/domain';

/** An {@link AuditStore} in memory. What it holds lives as long as the `entries` that it was given. */
export class MemoryAuditStore extends ManagedResource implements AuditStore {
  readonly #entries: AuditEntry[];

  /** @param entries Ascending, without a gap. */
  constructor(entries: AuditEntry[] = []) {
    super();
    this.#entries = entries;
  }

  append(entry: AuditEntry): Promise<boolean> {
    return this.run(() => {
      const { number, hash } = this.#entries.at(-1) ?? { number: 0, hash: AUDIT_BEGINNING };
      const follows = entry.number === number + 1 && entry.previous === hash;
      if (follows) this.#entries.push(entry);
      return Promise.resolve(follows);
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
      const start = Math.max(0, after + 1 - (this.#entries[0]?.number ?? 1));
      return Promise.resolve(this.#entries.slice(start, start + limit));
    });
  }

  removeThrough(number: number): Promise<number> {
    return this.run(() => {
      const count = Math.min(number + 1 - (this.#entries[0]?.number ?? 1), this.#entries.length - 1);
      return Promise.resolve(count > 0 ? this.#entries.splice(0, count).length : 0);
    });
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}
