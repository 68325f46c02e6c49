/** How long a lease is valid without being renewed, in milliseconds: longer than a busy browser delays a timer. */
export const LEASE_MS = 8_000;

interface Claim {
  readonly owner: string;
  readonly until: number;
}

/**
 * Says which tab of a browser may do what one alone should do.
 *
 * It is kept in the storage of the browser and not as a Web Lock: those are for secure contexts only, and the page of a
 * device in the hall is none. Two tabs that take it at the same moment both hold it, until the next renewal of one.
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

  /** Takes or renews the lease, and says whether it is held. Where nothing can be stored, everybody holds it. */
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

  /** Lets another tab have it at once. */
  release(): void {
    try {
      if (this.read()?.owner === this.owner) this.storage?.removeItem(this.key);
    } catch {
      // Without storage nothing was stored.
    }
  }

  /** Whether a claim is valid. One that ends later than any can comes from a clock that was set back since. */
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
