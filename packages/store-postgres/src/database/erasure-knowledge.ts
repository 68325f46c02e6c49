import { ErasureIndex, type KeptErasure } from '@tallybook/domain';
import type { Queryable, Statement } from '../connection/statement.js';
import { toErasure, type ErasureRow } from '../rows/erasure-rows.js';
import type { SiteRow } from './site-row.js';
import { tagDigests } from '../rows/tag-digests.js';

/** No row of a site has it. */
const UNKNOWN = -1;

/** A transaction, as far as this reads in it. */
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
 * Which tags were erased at a site: in memory, for every tap asks; and within a transaction as it is, since another server may have
 * erased a tag since this one looked.
 */
export class ErasureKnowledge {
  #index = new ErasureIndex<KeptErasure>(tagDigests);
  #revision = UNKNOWN;
  /** Those that are being written: they are known from the call on. */
  readonly #begun = new Map<string, KeptErasure>();
  readonly #within = new WeakMap<
    Reading,
    { readonly revision: number; readonly index: ErasureIndex<KeptErasure> }
  >();

  /** As it was read last, and what has begun here since. */
  get present(): ErasureIndex<KeptErasure> {
    return this.#index;
  }

  /** Whether what is in memory is that of a row of the site. */
  isOf({ erasuresRevision }: Pick<SiteRow, 'erasuresRevision'>): boolean {
    return erasuresRevision === this.#revision;
  }

  /** What a transaction finds, with what it has changed itself. */
  async within(transaction: Reading): Promise<ErasureIndex<KeptErasure>> {
    const revision = transaction.row.erasuresRevision;
    // A site where nobody was ever erased has 0.
    if (revision === this.#revision || revision === 0) return this.#index;
    const known = this.#within.get(transaction);
    if (known?.revision === revision) return known.index;
    const rows = await transaction.read<ErasureRow>(selectErasures, [transaction.site]);
    const index = this.#index.with([...rows.map(toErasure), ...this.#begun.values()]);
    this.#within.set(transaction, { revision, index });
    return index;
  }

  /**
   * Reads what there is into memory.
   *
   * @param row Of the site, read before.
   */
  async load(connection: Queryable, site: string, row: SiteRow): Promise<void> {
    const rows = await connection.query<ErasureRow>(selectErasures, [site]);
    // Of two that read at the same time, the later state stays.
    if (row.erasuresRevision < this.#revision) return;
    this.#index = this.#index.with([...rows.map(toErasure), ...this.#begun.values()]);
    this.#revision = row.erasuresRevision;
  }

  /** Knows of an erasure that is going to be written. */
  begin(erasure: KeptErasure): void {
    this.#begun.set(erasure.digest, erasure);
    this.#index.put(erasure);
  }

  /** Says that those erasures were written, or could not be: from now on it is so as what is loaded next says. */
  settle(erasures: readonly Pick<KeptErasure, 'digest'>[]): void {
    for (const { digest } of erasures) this.#begun.delete(digest);
    // What is in memory may be what could not be written.
    this.#revision = UNKNOWN;
  }
}
