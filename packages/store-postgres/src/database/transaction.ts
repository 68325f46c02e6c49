import type { Change, ErasureIndex, KeptErasure } from '@tallybook/domain';
import type { Queryable, Statement } from '../connection/statement.js';
import type { ErasureKnowledge } from './erasure-knowledge.js';
import type { SiteRow, Subject } from './site-row.js';

/**
 * The transaction of a write. The row of its site is locked, so nobody else writes there until it ends, and its reads show the
 * present data.
 */
export class Transaction {
  /** First column of every key. */
  readonly site: string;
  readonly #connection: Queryable;
  readonly #erasures: ErasureKnowledge;
  readonly #told: Change[] = [];
  readonly #sent: Promise<unknown>[] = [];
  readonly #locked: Promise<SiteRow>;
  #revisionBefore = 0;
  #row: SiteRow | undefined;
  #hasChanged = false;

  /** @param locked The row of the site, when it is locked. */
  constructor(site: string, locked: Promise<SiteRow>, connection: Queryable, erasures: ErasureKnowledge) {
    this.site = site;
    this.#locked = locked.then((row) => {
      this.#row = row;
      this.#revisionBefore = row.revision;
      return row;
    });
    // Whoever begins a transaction awaits it and gets the error.
    this.#locked.catch(() => undefined);
    this.#connection = connection;
    this.#erasures = erasures;
  }

  /** Resolves when the row of the site is locked, and known. Reads that were sent before still run after the lock. */
  async locked(): Promise<void> {
    await this.#locked;
  }

  /** The row of the site, with what this transaction changed of it. */
  get row(): SiteRow {
    if (this.#row === undefined) throw new TypeError('the row of the site is known after the first read');
    return this.#row;
  }

  /** The revision of all data that this transaction changes. */
  get revision(): number {
    return this.#revisionBefore + 1;
  }

  get told(): readonly Change[] {
    return this.#told;
  }

  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  read<R extends object>(statement: Statement | string, values: readonly unknown[]): Promise<readonly R[]> {
    return this.#connection.query(statement, values);
  }

  /** Which tags are erased: also what another server has erased a moment ago. */
  erasures(): Promise<ErasureIndex<KeptErasure>> {
    return this.#erasures.within(this);
  }

  /** Sends a statement without waiting for its answer. If it fails, all of the transaction does. */
  send(statement: Statement | string, values: readonly unknown[]): void {
    const sent = this.write(statement, values);
    // The commit awaits it and gets the error.
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  /** The statements that were sent, in this order. */
  get sent(): readonly Promise<unknown>[] {
    return this.#sent;
  }

  write<R extends object>(statement: Statement | string, values: readonly unknown[]): Promise<readonly R[]> {
    this.#hasChanged = true;
    return this.#connection.query(statement, values);
  }

  /** Commits even if nothing changes, so that positions are written. */
  keep(): void {
    this.#hasChanged = true;
  }

  /** Adds changes to the journal, in this order, after those that were told before. */
  tell(...changes: readonly Change[]): void {
    this.#hasChanged = true;
    this.#told.push(...changes);
  }

  /** Notes changed data whose revision is in the row of the site. */
  touch(subject: Subject): void {
    this.#set({ [`${subject}Revision`]: this.revision });
  }

  /** The next number that was never given before. */
  next(counter: 'provisionalNumber' | 'correctionNumber'): number {
    const number = this.row[counter] + 1;
    this.#set({ [counter]: number });
    return number;
  }

  /**
   * Notes that changes of the journal were deleted.
   *
   * @param forgotten If they were the oldest ones: the cursor of the last of them.
   */
  forget(count: number, forgotten?: number): void {
    if (count > 0) this.#set({ kept: this.row.kept - count, ...(forgotten !== undefined && { forgotten }) });
  }

  #set(columns: Partial<SiteRow>): void {
    this.#hasChanged = true;
    this.#row = { ...this.row, ...columns };
  }
}
