import { ErasureIndex, type KeptErasure } from '@tallybook/domain';
import type { Queryable, Statement } from '../connection/statement.js';
import { toErasure, type ErasureRow } from '../rows/erasure-rows.js';
import type { SiteRow } from './site-row.js';
import { tagDigests } from '../rows/tag-digests.js';

/** A revision that no site has. */
const UNKNOWN = -1;

/** The part of a transaction that is read here. */
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
 * Knows which tags were erased at a site: from memory, since every tap asks; and within a transaction from the database, since
 * another server may have erased a tag since the last look.
 */
export class ErasureKnowledge {
  #index = new ErasureIndex<KeptErasure>(tagDigests);
  #revision = UNKNOWN;
  /** Erasures that are being written: they are known from the call on. */
  readonly #begun = new Map<string, KeptErasure>();
  readonly #within = new WeakMap<
    Reading,
    { readonly revision: number; readonly index: ErasureIndex<KeptErasure> }
  >();

  /** The erasures that were read last, and those that were begun here since. */
  get present(): ErasureIndex<KeptErasure> {
    return this.#index;
  }

  /** Whether the erasures in memory have the revision of a row of the site. */
  isOf({ erasuresRevision }: Pick<SiteRow, 'erasuresRevision'>): boolean {
    return erasuresRevision === this.#revision;
  }

  /** The erasures as a transaction finds them, with its own changes. */
  async within(transaction: Reading): Promise<ErasureIndex<KeptErasure>> {
    const revision = transaction.row.erasuresRevision;
    // A site where nobody was ever erased has the revision 0.
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
   * @param row The row of the site, read before.
   */
  async load(connection: Queryable, site: string, row: SiteRow): Promise<void> {
    const rows = await connection.query<ErasureRow>(selectErasures, [site]);
    // Of two reads at the same time, the later state stays.
    if (row.erasuresRevision < this.#revision) return;
    this.#index = this.#index.with([...rows.map(toErasure), ...this.#begun.values()]);
    this.#revision = row.erasuresRevision;
  }

  /** Notes an erasure that is going to be written. */
  begin(erasure: KeptErasure): void {
    this.#begun.set(erasure.digest, erasure);
    this.#index.put(erasure);
  }

  /** Called when these erasures were written, or could not be: the next load decides. */
  settle(erasures: readonly Pick<KeptErasure, 'digest'>[]): void {
    for (const { digest } of erasures) this.#begun.delete(digest);
    // The erasures in memory may not have been written.
    this.#revision = UNKNOWN;
  }
}
