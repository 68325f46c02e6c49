import type { Change } from '@tallybook/domain';
import type { ErasureIndex, KeptErasure } from '@tallybook/domain/record';
import { isAborted } from '../connection/postgres-errors.js';
import type { Queryable, SiteRows } from '../connection/session.js';
import type { ErasureKnowledge } from './erasure-knowledge.js';
import type { SiteRow, Subject } from './site-statements.js';

/** The row of a site under the lock of a transaction. */
export interface LockedRow {
  readonly row: SiteRow;
  /** The revision that it has in the database. */
  readonly revisionRead: number;
  /** Whether the numbers of `row` were raised: then the transaction must commit. */
  readonly isRaised: boolean;
}

/**
 * The transaction of a write. It locks the row of its site: nobody else writes at the site until it ends, and its reads show the
 * present data.
 */
export class Transaction implements SiteRows {
  readonly #site: string;
  readonly #connection: Queryable;
  readonly #erasures: ErasureKnowledge;
  /** Changes for the journal. */
  readonly told: Change[] = [];
  /** The answers of the sent statements, in the order of sending. */
  readonly sent: Promise<unknown>[] = [];
  readonly #locked: Promise<void>;
  #revisionBefore = 0;
  #revisionRead = 0;
  #row: SiteRow | undefined;
  #hasChanged = false;

  /** @param locked Resolves when the row of the site is locked. */
  constructor(site: string, locked: Promise<LockedRow>, connection: Queryable, erasures: ErasureKnowledge) {
    this.#site = site;
    this.#locked = locked.then(({ row, revisionRead, isRaised }) => {
      this.#row = row;
      this.#revisionBefore = row.revision;
      this.#revisionRead = revisionRead;
      if (isRaised) this.keep();
    });
    // The code that begins a transaction awaits the lock and gets the error.
    this.#locked.catch(() => undefined);
    this.#connection = connection;
    this.#erasures = erasures;
  }

  /** Resolves when the row of the site is locked and known. Reads that were sent earlier run after the lock too. */
  locked(): Promise<void> {
    return this.#locked;
  }

  /** The row of the site, with the changes of this transaction. */
  get row(): SiteRow {
    if (this.#row === undefined) throw new TypeError('the row of the site is known after the first read');
    return this.#row;
  }

  /** The new revision of all data that this transaction changes. */
  get revision(): number {
    return this.#revisionBefore + 1;
  }

  /** The revision that the locked row had in the database. */
  get revisionRead(): number {
    return this.#revisionRead;
  }

  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Reads; resolves when the row of the site is known too. */
  async rows<R extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly R[]> {
    try {
      const [rows] = await Promise.all([this.#query<R>(statement, values), this.#locked]);
      return rows;
    } catch (error) {
      throw isAborted(error) ? await this.#firstFailure(error) : error;
    }
  }

  /** The error of the sent statement that has made all later ones fail. */
  async #firstFailure(otherwise: unknown): Promise<unknown> {
    for (const sent of await Promise.allSettled(this.sent)) {
      if (sent.status === 'rejected') return sent.reason as unknown;
    }
    return otherwise;
  }

  /** The erased tags, including those that another server has erased a moment ago. */
  erasures(): Promise<ErasureIndex<KeptErasure>> {
    return this.#erasures.within(this);
  }

  /** Sends a statement without waiting for its answer. If the statement fails, the whole transaction fails. */
  send(statement: string, ...values: readonly unknown[]): void {
    const sent = this.write(statement, ...values);
    // The commit awaits the answer and gets the error.
    sent.catch(() => undefined);
    this.sent.push(sent);
  }

  /** Changes rows. The site is the $1 of the statement; the values follow. */
  write<R extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly R[]> {
    this.#hasChanged = true;
    return this.#query(statement, values);
  }

  #query<R extends object>(statement: string, values: readonly unknown[]): Promise<readonly R[]> {
    return this.#connection.query(statement, [this.#site, ...values]);
  }

  /** Makes the transaction commit even without changes, so that positions are written. */
  keep(): void {
    this.#hasChanged = true;
  }

  /** Adds changes to the journal, in this order, after the earlier ones of this transaction. */
  tell(...changes: readonly Change[]): void {
    if (changes.length > 0) this.#hasChanged = true;
    this.told.push(...changes);
  }

  /** Notes that a set of data has changed whose revision is in the row of the site. */
  touch(subject: Subject): void {
    this.#set({ [`${subject}Revision`]: this.revision });
    if (subject === 'erasures') this.#erasures.forget(this);
  }

  /** Sets the key of the erasures that the site makes. */
  setErasureKey(erasureKey: string): void {
    this.#set({ erasureKey });
  }

  /** The next number of a counter. No number is given twice. */
  next(counter: 'provisionalNumber' | 'correctionNumber'): number {
    const number = this.row[counter] + 1;
    this.#set({ [counter]: number });
    return number;
  }

  /**
   * Notes that changes of the journal were deleted.
   *
   * @param forgotten The cursor of the last deleted change, if they were the oldest ones.
   */
  forget(count: number, forgotten?: number): void {
    if (count > 0) this.#set({ kept: this.row.kept - count, ...(forgotten !== undefined && { forgotten }) });
  }

  #set(columns: Partial<SiteRow>): void {
    this.#hasChanged = true;
    this.#row = { ...this.row, ...columns };
  }
}
