import type { Revision } from '@tallybook/domain';
import type { PostgresDatabase } from './postgres-database.js';
import type { Subject } from './site-statements.js';
import type { Transaction } from './transaction.js';
import type { Batch } from './writer/write-queue.js';

/** A part of a storage. Each operation rejects with `NOT_OPEN` unless the storage is open; closing waits for it. */
export abstract class PostgresFacet {
  protected readonly database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.database = database;
  }

  /** Reads, as {@link PostgresDatabase.rows} does. */
  protected rows<R extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly R[]> {
    return this.database.run(() => this.database.rows(statement, ...values));
  }

  /** Writes, as {@link PostgresDatabase.write} does. */
  protected write<T>(work: (transaction: Transaction) => Promise<T>, rows?: number): Promise<T> {
    return this.database.run(() => this.database.write(work, rows));
  }

  /** Writes, as {@link PostgresDatabase.submit} does. */
  protected submit<I, O>(batch: Batch<I, O>, item: I, rows?: number, key?: string): Promise<O> {
    return this.database.run(() => this.database.submit(batch, item, rows, key));
  }

  protected revisionOf(subject: Subject): Promise<Revision> {
    return this.database.run(async () => String((await this.database.readRow())[`${subject}Revision`]));
  }
}
