import { ErasureIndex, type KeptErasure } from '@tallybook/domain/record';
import type { Queryable, Statement } from '../connection/statement.js';
import { toErasure, type ErasureRow } from '../rows/erasure-rows.js';
import type { SiteRow } from './site-row.js';
import { tagDigests } from '../rows/tag-digests.js';

/** A revision that no site has. */
const UNKNOWN = -1;

/** The part of a transaction that this file uses. */
interface Reading {
  readonly site: string;
  readonly row: Pick<SiteRow, 'erasuresRevision'>;
  read<R extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly R[]>;
}

/** $1: site. */
const selectErasures: Statement = {
  name: 'erasures',
  text: `SELECT digest, key, until, expires_at AS "expiresAt", state
    FROM tallybook.erasure WHERE site = $1 ORDER BY digest`,
};

/**
 * The erased tags of a site. They are kept in memory, because every tap asks for them. Within a transaction they come from the
 * database, because another server may have erased a tag meanwhile.
 */
export class ErasureKnowledge {
  #index = new ErasureIndex<KeptErasure>(tagDigests);
  #revision = UNKNOWN;
  /** Erasures that are being written. They count from the call of {@link begin} on. */
  readonly #begun = new Map<string, KeptErasure>();
  readonly #within = new WeakMap<
    Reading,
    { readonly revision: number; readonly index: ErasureIndex<KeptErasure> }
  >();

  /** The erasures of the latest load, and those that were begun here since. */
  get present(): ErasureIndex<KeptErasure> {
    return this.#index;
  }

  /** Whether the erasures in memory have the revision that a row of the site states. */
  isOf({ erasuresRevision }: Pick<SiteRow, 'erasuresRevision'>): boolean {
    return erasuresRevision === this.#revision;
  }

  /** The erasures in the state that a transaction sees, with its own changes. */
  async within(transaction: Reading): Promise<ErasureIndex<KeptErasure>> {
    const revision = transaction.row.erasuresRevision;
    // Revision 0: nobody was ever erased at the site.
    if (revision === this.#revision || revision === 0) return this.#index;
    const known = this.#within.get(transaction);
    if (known?.revision === revision) return known.index;
    const rows = await transaction.read<ErasureRow>(selectErasures, [transaction.site]);
    const index = this.#index.with([...rows.map(toErasure), ...this.#begun.values()]);
    this.#within.set(transaction, { revision, index });
    return index;
  }

  /**
   * Reads the erasures into memory.
   *
   * @param row The row of the site, read before the call.
   */
  async load(connection: Queryable, site: string, row: SiteRow): Promise<void> {
    const rows = await connection.query<ErasureRow>(selectErasures, [site]);
    // If two loads run at the same time, the later state stays.
    if (row.erasuresRevision < this.#revision) return;
    this.#index = this.#index.with([...rows.map(toErasure), ...this.#begun.values()]);
    this.#revision = row.erasuresRevision;
  }

  /** Call it before an erasure is written. */
  begin(erasure: KeptErasure): void {
    this.#begun.set(erasure.digest, erasure);
    this.#index.put(erasure);
  }

  /** Call it when these erasures were written, or the write failed. The next load shows which. */
  settle(erasures: readonly Pick<KeptErasure, 'digest'>[]): void {
    for (const { digest } of erasures) this.#begun.delete(digest);
    // The erasures in memory may not have been written.
    this.#revision = UNKNOWN;
  }
}
