import { ErasureIndex, type KeptErasure } from '@tallybook/domain/record';
import type { SiteRows } from '../connection/session.js';
import { toErasure, tagDigests, type ErasureRow } from '../rows/erasure-rows.js';
import type { SiteRow } from './site-statements.js';

/** A revision that no site has. */
const UNKNOWN = -1;

/** The part of a transaction that this file uses. */
interface Reading extends SiteRows {
  readonly row: Pick<SiteRow, 'erasuresRevision' | 'erasureKey'>;
}

/** $1: site. */
const selectErasures = `SELECT key, digest, from_at AS "from", until, expires_at AS "expiresAt", state, is_closed AS "isClosed"
  FROM tallybook.erasure WHERE site = $1 ORDER BY digest`;

/**
 * The erased tags of a site. They are kept in memory, because every tap asks for them. Within a transaction they come from the
 * database, because another server may have erased a tag meanwhile.
 */
export class ErasureKnowledge {
  /** The erasures of the latest load, and those that were begun here since. */
  readonly index: ErasureIndex<KeptErasure> = new ErasureIndex<KeptErasure>(tagDigests);
  #revision = UNKNOWN;
  readonly #within = new WeakMap<Reading, ErasureIndex<KeptErasure>>();

  /** Whether the erasures in memory have the revision that a row of the site states. */
  isOf({ erasuresRevision }: Pick<SiteRow, 'erasuresRevision'>): boolean {
    return erasuresRevision === this.#revision;
  }

  /** The erasures in the state that a transaction sees, with its own changes. */
  async within(transaction: Reading): Promise<ErasureIndex<KeptErasure>> {
    const { erasuresRevision: revision, erasureKey } = transaction.row;
    // Revision 0: nobody was ever erased at the site.
    if (revision === this.#revision || revision === 0) return this.index;
    const known = this.#within.get(transaction);
    if (known !== undefined) return known;
    const rows = await transaction.rows<ErasureRow>(selectErasures);
    const index = this.index.with(rows.map(toErasure));
    index.key = erasureKey;
    this.#within.set(transaction, index);
    return index;
  }

  /** Call it when a transaction has changed erasures itself. */
  forget(transaction: Reading): void {
    this.#within.delete(transaction);
  }

  /**
   * Reads the erasures into memory.
   *
   * @param row The row of the site, read before the call.
   */
  async load(site: SiteRows, row: SiteRow): Promise<void> {
    const rows = await site.rows<ErasureRow>(selectErasures);
    // If two loads run at the same time, the later state stays.
    if (row.erasuresRevision < this.#revision) return;
    this.index.replace(rows.map(toErasure));
    this.index.key = row.erasureKey;
    this.#revision = row.erasuresRevision;
  }
}
