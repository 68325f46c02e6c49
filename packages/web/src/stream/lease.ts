/** How long a lease is valid without renewal, in milliseconds: longer than a busy browser delays a timer. */
export const LEASE_MS = 8_000;

interface Claim {
  readonly owner: string;
  readonly until: number;
}

/**
 * Decides which tab of a browser does work that only one tab should do.
 *
 * The lease is in the storage of the browser. It is no Web Lock, because these need a secure context, which the page of
 * a device in the hall is not. Two tabs that take the lease at the same moment both hold it, until one of them renews
 * it.
 */
export class Lease {
  private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  private readonly key: string;
  private readonly owner: string;
  private readonly now: () => number;

  /**
   * @param storage The same one in all tabs; `undefined` where there is none.
   * @param owner Another text in each tab.
   * @param now The clock in milliseconds; the same one in all tabs.
   */
  constructor(storage: Storage | undefined, key: string, owner: string, now: () => number = Date.now) {
    this.storage = storage;
    this.key = key;
    this.owner = owner;
    this.now = now;
  }

  /** Takes or renews the lease, and says whether this tab holds it. Without storage, every tab holds it. */
  hold(): boolean {
    try {
      const claim = this.read();
      if (claim !== undefined && claim.owner !== this.owner && this.isCurrent(claim)) return false;
      this.storage?.setItem(
        this.key,
        JSON.stringify({ owner: this.owner, until: this.now() + LEASE_MS } satisfies Claim),
      );
      return true;
    } catch {
      return true;
    }
  }

  /** Releases the lease, so that another tab can take it at once. */
  release(): void {
    try {
      if (this.read()?.owner === this.owner) this.storage?.removeItem(this.key);
    } catch {
      // Without storage, there is no lease.
    }
  }

  /** Whether a claim is valid. A claim with a too late end comes from before the clock was set back. */
  private isCurrent({ until }: Claim): boolean {
    const left = until - this.now();
    return left > 0 && left <= LEASE_MS;
  }

  private read(): Claim | undefined {
    const text = this.storage?.getItem(this.key) ?? 'null';
    try {
      const claim = JSON.parse(text) as Partial<Claim> | null;
      const { owner, until } = claim ?? {};
      return typeof owner === 'string' && typeof until === 'number' ? { owner, until } : undefined;
    } catch {
      return undefined;
    }
  }
}
